// SPDX-License-Identifier: MIT
// Marks: a bit set, written in parts by many threads and listed in order by one.
#pragma once

#include <cstdint>

#include <phys2d/core/array.hpp>
#include <phys2d/core/bits.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class Marks {
public:
    /// Call it before marking; marks are uninitialised until then.
    void make_room(std::int32_t count) { words_.make_room((at(count) + bits - 1) / bits); }

    /// Marks the elements of [begin, end) that a test finds: test.operator()<W>(i) returns a bit
    /// for each of the W elements from i on. Pre: `begin` is a multiple of 64.
    template <int Width>
    void mark(std::int32_t begin, std::int32_t end, auto test) {
        for (std::size_t first = at(begin); first < at(end); first += bits) {
            const std::size_t count = at(end) - first < bits ? at(end) - first : bits;
            std::uint64_t word = 0;
            std::size_t k = 0;
            for (; k + Width <= count; k += Width) {
                word |= std::uint64_t{test.template operator()<Width>(first + k)} << k;
            }
            for (; k < count; ++k) {
                word |= std::uint64_t{test.template operator()<1>(first + k)} << k;
            }
            words_[first / bits] = word;
        }
    }

    /// Marks one more element. Pre: `mark` has been called for all elements.
    void add(std::int32_t i) { words_[at(i) / bits] |= std::uint64_t{1} << at(i) % bits; }

    /// Pre: `mark` has been called for all elements.
    [[nodiscard]] bool contains(std::int32_t i) const {
        return (words_[at(i) / bits] >> at(i) % bits & 1) != 0;
    }

    /// Lists the marked elements of [0, count).
    void list(std::int32_t count, Array<std::int32_t>& marked) const {
        marked.clear();
        for (std::size_t first = 0; first < at(count); first += bits) {
            for_each_bit(words_[first / bits],
                         [&](int i) { marked.push_back(static_cast<std::int32_t>(first) + i); });
        }
    }

    void list_members(auto& archive) { archive(*this, words_); }

private:
    static constexpr std::size_t bits = 64;
    Scratch<std::uint64_t> words_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
