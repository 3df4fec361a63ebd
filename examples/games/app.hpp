// SPDX-License-Identifier: MIT
// App: runs a game, in a window or without one.
//
// A Game has step(Input), autopilot(), world() and is_over(). Its Look gives its name, its colours,
// the extent of the view, the meaning of keys, and the text of the title.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#ifdef WITH_SDL
#include "window.hpp"
#endif

namespace games {

struct Options {
    int headless_steps = 0;
    int screenshot_steps = 0;
    const char* screenshot_file = nullptr;
    bool is_understood = true;
};

inline bool read_count(const char* text, int& count) {
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, count);
    return error == std::errc() && stop == end && count > 0;
}

inline Options read_options(int count, char** arguments) {
    Options options;
    const std::string_view first = count > 1 ? arguments[1] : "";
    if (count == 3 && first == "--headless") {
        options.is_understood = read_count(arguments[2], options.headless_steps);
    } else if (count == 4 && first == "--screenshot") {
        options.is_understood = read_count(arguments[2], options.screenshot_steps);
        options.screenshot_file = arguments[3];
    } else {
        options.is_understood = count == 1;
    }
    return options;
}

/// The game plays by itself.
template <class Game>
void run_headless(Game& game, int steps) {
    for (int i = 0; i < steps && !game.is_over(); ++i) game.step(game.autopilot());
}

template <class Game, class Look>
int run(int count, char** arguments, const Look& look) {
    const Options options = read_options(count, arguments);
    if (!options.is_understood) {
        std::fprintf(stderr,
                     "%s [--headless STEPS | --screenshot STEPS FILE.bmp]\n"
                     "  plays in a window; with an option, plays by itself for so many steps\n",
                     look.name());
        return 2;
    }
    Game game;
    run_headless(game, options.headless_steps + options.screenshot_steps);
    if (options.headless_steps > 0) {
        std::printf("%s after %llu steps, state %016llx\n", look.title(game).c_str(),
                    static_cast<unsigned long long>(game.world().step_count()),
                    static_cast<unsigned long long>(game.world().state_hash()));
        return 0;
    }
#ifdef WITH_SDL
    return options.screenshot_file != nullptr ? save_picture(game, look, options.screenshot_file)
                                              : play_in_window(game, look);
#else
    std::fprintf(stderr, "%s was built without SDL2: only --headless STEPS works.\n", look.name());
    return 1;
#endif
}

}  // namespace games
