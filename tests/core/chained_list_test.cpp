// SPDX-License-Identifier: MIT
// Does a ChainedList keep all records in their order, and find the newest one of an index?
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/chained_list.hpp>

#include "../support/random.hpp"

namespace chained_list_test {

using namespace phys2d;

namespace {

struct Note {
    std::uint32_t index;
    std::int32_t number;

    friend bool operator==(const Note& a, const Note& b) = default;
};

}  // namespace

TEST_CASE("records are listed in order, and the newest of an index found, as in a std::vector") {
    test::Random random;
    detail::ChainedList<Note> notes;
    std::vector<Note> model;
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const Note note{static_cast<std::uint32_t>(random.integer(0, 30)), random.integer(0, 4)};
        if (random.one_in(100)) {
            notes.clear();
            model.clear();
        } else if (random.one_in(2)) {
            notes.add(note.index, note);
            model.push_back(note);
        }
        const auto is_sought = [&](const Note& other) { return other.number <= note.number; };
        const Note* expected = nullptr;
        for (const Note& other : model) {
            if (other.index == note.index && is_sought(other)) expected = &other;
        }
        const Note* found = notes.find(note.index, is_sought);
        const bool is_right = expected == nullptr
                                  ? found == nullptr
                                  : found - notes.all().data() == expected - model.data();
        wrong += is_right && notes.all().size() == model.size() ? 0 : 1;
        wrong += model.empty() || notes.all().back() == model.back() ? 0 : 1;
    }
    CHECK(wrong == 0);
}

}  // namespace chained_list_test
