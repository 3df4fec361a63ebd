// SPDX-License-Identifier: MIT
// Plays one scene in one engine and prints its figures, a CSV file of one row.
// Timed is the processor time of the step and of rays alone, on the calling thread.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>

#include "rays.hpp"
#include <scenes/library.hpp>

namespace peers {
namespace {

double thread_ms() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) /
           static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

double largest(const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

/// A scene in an engine.
class Play {
public:
    Play(const scenes::Listing& listing, int size)
        : scene_(listing.make(size)),
          engine_(make_engine(scene_)),
          is_present_(scene_.bodies.size(), false) {
        create(scene_.present_at_start());
        engine_->prepare();
        energy_at_start_ = kinetic_energy(bodies());
    }

    void step() {
        const scenes::BodyRange arriving = scene_.arriving(static_cast<int>(step_ms_.size()));
        destroy(arriving);
        create(arriving);
        if (scene_.arena > 0.0f) steer();
        const double begin = thread_ms();
        engine_->step();
        step_ms_.push_back(thread_ms() - begin);
    }

    void cast_rays(std::size_t count) {
        const std::vector<Ray> rays = random_rays(bodies(), count, random_);
        const double begin = thread_ms();
        ray_hits_ += engine_->count_hits(rays);
        ray_ms_ += thread_ms() - begin;
        ray_count_ += count;
    }

    [[nodiscard]] std::vector<Placed> bodies() const {
        std::vector<Placed> result;
        for (std::size_t i = 0; i < is_present_.size(); ++i) {
            if (is_present_[i]) result.push_back({&scene_.bodies[i], engine_->motion(i)});
        }
        return result;
    }
    [[nodiscard]] const std::vector<double>& step_ms() const { return step_ms_; }
    /// Milliseconds that a thousand rays have taken.
    [[nodiscard]] double ray_ms() const { return 1e3 * ray_ms_ / static_cast<double>(ray_count_); }
    /// The part of the rays that have hit something.
    [[nodiscard]] double ray_hits() const {
        return static_cast<double>(ray_hits_) / static_cast<double>(ray_count_);
    }
    [[nodiscard]] double energy_at_start() const { return energy_at_start_; }  ///< kinetic [J]
    [[nodiscard]] const scenes::Scene& scene() const { return scene_; }
    [[nodiscard]] const Engine& engine() const { return *engine_; }

private:
    void create(scenes::BodyRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            engine_->create(i, scene_.bodies[i]);
            is_present_[i] = true;
        }
    }
    void destroy(scenes::BodyRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            if (is_present_[i]) engine_->destroy(i);
            is_present_[i] = false;
        }
    }
    void steer() {
        const Vec2 target = scenes::swarm_target(scene_.arena, step_ms_.size());
        for (std::size_t i = 0; i < is_present_.size(); ++i) {
            const Motion motion = engine_->motion(i);
            engine_->set_velocity(i, scenes::steered(motion.velocity, motion.position, target));
        }
    }

    scenes::Scene scene_;
    std::unique_ptr<Engine> engine_;
    std::vector<bool> is_present_;
    std::vector<double> step_ms_;
    double energy_at_start_ = 0.0;
    scenes::Random random_;
    double ray_ms_ = 0.0;
    std::size_t ray_hits_ = 0;
    std::size_t ray_count_ = 0;
};

/// No speed counts if the result is wrong.
const char* flaw(const Play& play) {
    const std::vector<Placed> bodies = play.bodies();
    if (play.engine().body_count() != bodies.size()) return "the engine has lost count of bodies";
    for (const Placed& body : bodies) {
        if (!phys2d::is_finite(body.motion.position) || !phys2d::is_finite(body.motion.velocity))
            return "a body is nowhere";
    }
    return nullptr;
}

struct Figure {
    const char* name;
    std::string value;
};

std::string text(const char* format, double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

/// Falling is the first half of the steps, settled the last hundred, or what there is of them; mean
/// and worst are of all steps.
std::vector<Figure> figures_of(const Play& play) {
    const std::vector<double>& ms = play.step_ms();
    const auto half = static_cast<std::ptrdiff_t>(ms.size() / 2);
    const std::ptrdiff_t last = std::min<std::ptrdiff_t>(half, 100);
    const std::vector<Placed> bodies = play.bodies();
    const Quality quality = measure(bodies, play.scene().bounds);
    const bool starts_at_rest = play.energy_at_start() == 0.0;
    return {{"engine", engine_name()},
            {"bodies", std::to_string(bodies.size())},
            {"moving", text("%.0f", dynamic_count(bodies))},
            {"falling_ms", text("%.5f", median({ms.begin(), ms.begin() + half}))},
            {"settled_ms", text("%.5f", median({ms.end() - last, ms.end()}))},
            {"mean_ms", text("%.5f", mean(ms))},
            {"worst_ms", text("%.5f", largest(ms))},
            {"rays_ms", text("%.5f", play.ray_ms())},
            {"rays_hit", text("%.4f", play.ray_hits())},
            {"contacts", std::to_string(play.engine().contact_count())},
            {"touching", std::to_string(quality.touching)},
            {"penetration_mean_mm", text("%.4f", 1e3 * quality.penetration_mean)},
            {"penetration_max_mm", text("%.4f", 1e3 * quality.penetration_max)},
            {"lost", text("%.0f", quality.lost)},
            {"rms_speed", text("%.4g", quality.rms_speed)},
            {"energy_left",
             starts_at_rest ? "" : text("%.5f", quality.kinetic_energy / play.energy_at_start())}};
}

/// A line of names and a line of values.
void print(const std::vector<Figure>& figures) {
    std::string names;
    std::string values;
    for (const Figure& figure : figures) {
        names += figure.name + std::string(",");
        values += figure.value + ",";
    }
    names.back() = '\n';
    values.back() = '\n';
    std::printf("%s%s", names.c_str(), values.c_str());
}

int run(const scenes::Listing& listing, int size, int steps) {
    constexpr int steps_with_rays = 10;  // in some, many bodies have just strayed
    Play play(listing, size);
    for (int i = 0; i < steps; ++i) {
        play.step();
        if (i >= steps - steps_with_rays) play.cast_rays(20'000);
    }
    if (const char* reason = flaw(play)) {
        std::fprintf(stderr, "%s, %s: %s.\n", engine_name().c_str(), listing.name.data(), reason);
        return 1;
    }
    print(figures_of(play));
    return 0;
}

int list_scenes() {
    std::printf("scene,size,small_size,steps\n");
    for (const scenes::Listing& listing : scenes::listings) {
        std::printf("%s,%d,%d,%d\n", listing.name.data(), listing.size, listing.small_size,
                    listing.steps);
    }
    return 0;
}

int usage(const char* program) {
    std::fprintf(stderr, "Usage: %s SCENE [SIZE [STEPS]] or %s --list\n", program, program);
    return 2;
}

int answer(int argc, char** argv) {
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == "--list") return list_scenes();
    const scenes::Listing* listing = scenes::find_listing(first);
    if (listing == nullptr) return usage(argv[0]);
    const int size = argc > 2 ? std::atoi(argv[2]) : listing->size;
    const int steps = argc > 3 ? std::atoi(argv[3]) : listing->steps;
    if (size < 1 || steps < 2) return usage(argv[0]);
    return run(*listing, size, steps);
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::answer(argc, argv); }
