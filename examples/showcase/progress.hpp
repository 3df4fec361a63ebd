// SPDX-License-Identifier: MIT
// progress: how far is the run? One line on stderr that overwrites itself on a terminal; elsewhere,
// in a log for example, one line per quarter of the run.
#pragma once

#include <cstdio>
#include <string_view>

#include <unistd.h>

namespace showcase {

class Progress {
public:
    Progress(std::string_view name, int steps) : name_(name), steps_(steps) {}

    /// To be called after each step, with the time it took.
    void after_step(double milliseconds) {
        ++done_;
        total_ms_ += milliseconds;
        const int percent = 100 * done_ / steps_;
        if (percent / stride_ == shown_ / stride_) return;
        shown_ = percent;
        show();
    }

private:
    void show() const {
        const char* start = is_terminal_ ? "\r" : "";
        const char* end = is_terminal_ && done_ < steps_ ? "" : "\n";
        std::fprintf(stderr, "%s%-10.*s %3d %%  %6.3f ms a step%s", start,
                     static_cast<int>(name_.size()), name_.data(), shown_, total_ms_ / done_, end);
        std::fflush(stderr);
    }

    std::string_view name_;
    int steps_;
    int done_ = 0;
    int shown_ = 0;
    double total_ms_ = 0.0;
    bool is_terminal_ = isatty(STDERR_FILENO) != 0;
    int stride_ = is_terminal_ ? 1 : 25;
};

}  // namespace showcase
