// SPDX-License-Identifier: MIT
// SlotMoves: which colliders have come, gone, or moved to other slots since the pairs were made?
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/slot_map.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct SlotMove {
    std::int32_t from, to;
};

class SlotMoves {
public:
    Scratch<SlotMove> moved;        ///< of bodies that were there and still are
    Scratch<std::int32_t> gone;     ///< slots that bodies had
    Scratch<std::int32_t> arrived;  ///< slots that new bodies have
    Array<std::int32_t> now;        ///< per slot that bodies had: the present one, or `no_slot`

    [[nodiscard]] bool is_gone(std::int32_t slot) const { return now[slot] == SlotMap::no_slot; }

    void clear() {
        moved.clear();
        gone.clear();
        arrived.clear();
    }

    /// Moves the records of a column along, which then has `count`; new bodies get `fresh`.
    template <class T>
    void apply(Array<T>& column, std::int32_t count, const T& fresh) {
        const std::size_t count_before = column.size();
        taken_.make_room(moved.size() * sizeof(T));
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const std::size_t from = at(moved[i].from);
            if (from < count_before) std::memcpy(&taken_[i * sizeof(T)], &column[from], sizeof(T));
        }
        column.resize_for_overwrite(at(count));
        for (const std::int32_t slot : arrived) {
            if (slot < count) column[slot] = fresh;
        }
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const std::int32_t to = moved[i].to;
            if (to < count) std::memcpy(&column[to], &taken_[i * sizeof(T)], sizeof(T));
        }
    }

    void list_members(auto& archive) { archive(*this, moved, gone, arrived, now, taken_); }

private:
    Scratch<unsigned char> taken_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
