// SPDX-License-Identifier: MIT
// options: what does the command line ask for?
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace showcase {

inline constexpr const char* help =
    "showcase [--quick] [--out FILE]\n"
    "Runs five scenes, prints what their steps cost, and writes a page that plays them back.\n"
    "  --quick      smaller scenes and fewer steps\n"
    "  --out FILE   where to write the page; showcase.html unless given\n"
    "  --help       print this\n";

struct Options {
    bool quick = false;
    bool help = false;
    std::string out = "showcase.html";
    std::string mistake;  ///< a sentence; empty when there is none
};

/// `arguments`: without the name of the program.
inline Options read_options(std::span<const char* const> arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size() && options.mistake.empty(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--quick") {
            options.quick = true;
        } else if (argument == "--help") {
            options.help = true;
        } else if (argument != "--out") {
            options.mistake = "The option " + std::string(argument) + " is unknown; try --help.";
        } else if (++i < arguments.size()) {
            options.out = arguments[i];
        } else {
            options.mistake = "The option --out needs the name of a file after it.";
        }
    }
    return options;
}

}  // namespace showcase
