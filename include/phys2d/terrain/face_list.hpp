// SPDX-License-Identifier: MIT
// FaceList: which faces of terrain are near a shape? Those that continue each other are one.
#pragma once

#include <cstdint>

#include <phys2d/collision/face.hpp>
#include <phys2d/core/array.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/core/span.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The faces near a shape, and the slots of their colliders.
class FaceList {
public:
    struct Entry {
        Face face;
        std::int32_t slot;
        std::int32_t order;  // in which it was added
        bool is_used;
    };

    void clear() { entries_.clear(); }
    [[nodiscard]] Span<Entry> entries() { return entries_; }

    /// Adds a face; merges it with one that it continues.
    void add(const Face& face, std::int32_t slot) {
        for (Entry& entry : entries_) {
            if (is_alike(entry, face, slot) && join(entry.face, face)) return;
        }
        push_back(face, slot);
    }

    /// Adds a face, in place of one with its feature and normal if there is one.
    void put(const Face& face, std::int32_t slot) {
        for (Entry& entry : entries_) {
            if (!is_alike(entry, face, slot)) continue;
            entry.face = face;
            return;
        }
        push_back(face, slot);
    }

    /// Brings faces that point up to the front, and those that point down to the end, so that the
    /// solving order is the same in a mirrored world.
    void sort() {
        shell_sort(entries_, [](const Entry& a, const Entry& b) {
            if (a.face.normal.y != b.face.normal.y) return a.face.normal.y > b.face.normal.y;
            return a.order < b.order;
        });
    }

    void list_members(auto& archive) { archive(*this, entries_); }

private:
    [[nodiscard]] static bool is_alike(const Entry& entry, const Face& face, std::int32_t slot) {
        return entry.slot == slot && entry.face.feature == face.feature &&
               entry.face.normal == face.normal;
    }
    void push_back(const Face& face, std::int32_t slot) {
        entries_.push_back({face, slot, static_cast<std::int32_t>(entries_.size()), false});
    }

    /// Merges two faces on one line, if they meet.
    static bool join(Face& face, const Face& other) {
        if (other.length == 0.0f) return other.start == face.start;  // a corner
        const float shift = dot(other.start - face.start, perpendicular(face.normal));
        if (face.end < shift + other.begin || shift + other.end < face.begin) return false;
        face = shift + other.begin < face.begin ? joined(other, face, -shift)
                                                : joined(face, other, shift);
        return true;
    }

    /// The face from the beginning of `first` to the end of the one that extends further. `shift`:
    /// offset between their starts.
    [[nodiscard]] static Face joined(Face first, const Face& last, float shift) {
        if (first.end < shift + last.end) {
            first.end = shift + last.end;
            first.length = shift + last.length;
            first.lean_end = last.lean_end;
            first.after = last.after;
        }
        first.half_thickness = min(first.half_thickness, last.half_thickness);
        return first;
    }

    Array<Entry> entries_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
