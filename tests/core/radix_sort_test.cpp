// SPDX-License-Identifier: MIT
// Does the radix sort sort by the bits it is told, and keep the order of equals?
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/radix_sort.hpp>

#include "../support/random.hpp"

namespace radix_sort_test {

using namespace phys2d;

namespace {

/// Sorted by a multimap of the same bits, which keeps what is equal in order.
std::vector<std::uint64_t> expected(std::vector<std::uint64_t> words, int first, int count) {
    const std::uint64_t mask = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    std::multimap<std::uint64_t, std::uint64_t> by_bits;
    for (const std::uint64_t word : words) by_bits.emplace(word >> first & mask, word);
    std::transform(by_bits.begin(), by_bits.end(), words.begin(),
                   [](const auto& entry) { return entry.second; });
    return words;
}

std::vector<std::uint64_t> sorted(const std::vector<std::uint64_t>& words, int first, int count) {
    detail::Array<std::uint64_t> data, scratch;
    data.assign(words.data(), words.size());
    scratch.resize(words.size());
    detail::radix_sort(data, scratch, words.size(), first, count);
    return {data.begin(), data.begin() + words.size()};
}

}  // namespace

namespace {

/// A word of at most that many bits: nothing stands above those that are sorted by.
std::uint64_t random_word(test::Random& random, int bits) {
    return bits == 0 ? 0 : random.bits() >> random.integer(64 - bits, 63);
}

}  // namespace

TEST_CASE("words are sorted by their upper bits from any bit on, stably") {
    test::Random random;
    int wrong = 0;
    for (int bits = 0; bits <= 64; ++bits) {
        for (int first = 0; first + bits <= 64; first += 1 + first / 2) {
            std::vector<std::uint64_t> words(static_cast<std::size_t>(random.integer(0, 200)));
            for (std::uint64_t& word : words) word = random_word(random, first + bits);
            if (sorted(words, first, bits) != expected(words, first, bits)) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("many equal words and words in falling order are sorted") {
    std::vector<std::uint64_t> words;
    for (std::uint64_t i = 0; i < 5'000; ++i) words.push_back((5'000 - i) / 7 << 20 | i);
    CHECK(sorted(words, 20, 11) == expected(words, 20, 11));
    CHECK(sorted(words, 0, 40) == expected(words, 0, 40));
}

}  // namespace radix_sort_test
