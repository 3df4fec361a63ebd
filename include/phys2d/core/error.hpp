// SPDX-License-Identifier: MIT
// Error: what happens when a precondition is broken?
// The check names the call, the value and what was expected, and passes the message to `fail`:
//   with exceptions      `throw phys2d::Error`, before anything has been changed
//   without exceptions   calls the error handler with the message, then std::abort
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <phys2d/core/abi.hpp>

namespace phys2d {

/// A broken precondition; `what()` names the call, the value and what was expected.
class Error : public std::exception {
public:
    static constexpr int max_length = 255;

    /// Formats like std::printf; longer messages are truncated.
#if PHYS2D_GNU_EXTENSIONS
    __attribute__((format(printf, 2, 3)))
#endif
    explicit Error(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(sentence_, sizeof sentence_, format, arguments);
        va_end(arguments);
    }

    [[nodiscard]] const char* what() const noexcept override { return sentence_; }

private:
    char sentence_[max_length + 1] = {};
};

/// Receives the message in builds without exceptions; the program aborts when it returns.
using ErrorHandler = void (*)(const char* sentence);

/// Shared by builds with all compiler options.
namespace shared_detail {

inline void print_error(const char* sentence) { std::fprintf(stderr, "phys2d: %s\n", sentence); }
inline ErrorHandler error_handler = print_error;

}  // namespace shared_detail
}  // namespace phys2d

namespace phys2d::inline PHYS2D_ABI {
namespace detail {

[[noreturn]] inline void fail(const Error& error) {
#if PHYS2D_EXCEPTIONS
    throw error;
#else
    shared_detail::error_handler(error.what());
    std::abort();
#endif
}

/// Converts a value for printf.
template <class Value>
constexpr Value printed(Value value) {
    return value;
}
constexpr double printed(float value) { return static_cast<double>(value); }

/// Fails with the message unless `holds`.
template <class... Values>
void require(bool holds, const char* format, Values... values) {
    if (!holds) [[unlikely]] {
        fail(Error(format, printed(values)...));
    }
}

}  // namespace detail

/// Replaces the handler that builds without exceptions call; null restores the default, which
/// prints to stderr. Returns the previous one. Not safe while another thread may fail.
inline ErrorHandler set_error_handler(ErrorHandler handler) {
    const ErrorHandler before = shared_detail::error_handler;
    shared_detail::error_handler = handler != nullptr ? handler : shared_detail::print_error;
    return before;
}

}  // namespace phys2d::inline PHYS2D_ABI
