// SPDX-License-Identifier: MIT
// The showcase: runs five scenes, prints their cost, and writes a page that plays them back.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "acts.hpp"
#include "figures.hpp"
#include "options.hpp"
#include "page.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "showcase_player.hpp"

namespace showcase {
namespace {

struct Results {
    std::vector<Figures> figures;
    std::vector<std::string> recordings;
};

void run(const Act& act, Results& results) {
    phys2d::World world = scenes::build(act.scene);
    Recorder recorder(world, act.steps_per_frame);
    Progress progress(act.scene.name, act.steps);
    std::vector<double> step_ms;
    for (int i = 0; i < act.steps; ++i) {
        act.before_step(world, recorder);
        world.step();
        recorder.after_step(world);
        step_ms.push_back(world.stats().total);
        progress.after_step(step_ms.back());
    }
    results.figures.push_back(figures_of(act.scene.name, world, step_ms));
    results.recordings.push_back(json(act, recorder, results.figures.back()));
}

int show(const Options& options) {
    Results results;
    for (const Act& act : options.quick ? quick_acts() : all_acts()) run(act, results);
    print_table(results.figures);

    const std::string page = fill_page(player_page, results.recordings);
    if (!write_file(options.out, page)) {
        std::fprintf(stderr, "The file %s cannot be written.\n", options.out.c_str());
        return 1;
    }
    std::printf("\nOpen %s in a browser to see them (%.1f MB).\n",
                std::filesystem::absolute(options.out).c_str(),
                static_cast<double>(page.size()) * 1e-6);
    return 0;
}

int answer(const Options& options) {
    if (!options.mistake.empty()) {
        std::fprintf(stderr, "%s\n", options.mistake.c_str());
        return 2;
    }
    if (!options.help) return show(options);
    std::printf("%s", help);
    return 0;
}

}  // namespace
}  // namespace showcase

int main(int argc, char** argv) {
    return showcase::answer(showcase::read_options({argv + 1, argv + argc}));
}
