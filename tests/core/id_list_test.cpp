// SPDX-License-Identifier: MIT
// Does an IdList have one record for each body, and forget those of bodies whose index another one
// has?
#include <iterator>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/id_list.hpp>

#include "../support/random.hpp"

namespace id_list_test {

using namespace phys2d;

namespace {

struct Note {
    BodyId body;
    int number = 0;
};

}  // namespace

TEST_CASE("records are found, added to and erased as in a std::map, through 100,000 random calls") {
    test::Random random;
    detail::IdList<Note> notes;
    std::map<std::uint32_t, Note> model;  // by index
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const BodyId id{static_cast<std::uint32_t>(random.integer(0, 50)),
                        static_cast<std::uint32_t>(random.integer(1, 2))};
        const auto known = model.find(id.index);
        const bool is_there = known != model.end() && known->second.body == id;
        const int dice = random.integer(0, 999);
        if (dice == 0) {
            notes.clear();
            model.clear();
        } else if (dice < 300) {
            if (notes.erase(id) != is_there) ++wrong;
            if (is_there) model.erase(known);
        } else {
            if (!is_there) model[id.index] = {id, 0};
            Note& note = notes.of(id);
            note.number += i;
            model[id.index].number += i;
            if (note.body != id || note.number != model[id.index].number) ++wrong;
        }
        if (notes.end() - notes.begin() != std::ssize(model)) ++wrong;
        for (const Note& note : notes) {
            const auto other = model.find(note.body.index);
            const bool is_alike = other != model.end() && other->second.body == note.body &&
                                  other->second.number == note.number;
            if (!is_alike) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

}  // namespace id_list_test
