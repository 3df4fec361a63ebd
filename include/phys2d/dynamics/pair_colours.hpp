// SPDX-License-Identifier: MIT
// PairColours: gives each pair the lowest colour that neither of its bodies has yet.
//
// A pair with an immovable body only has to avoid the colours of the other body, so counting is
// enough. A pair that finds no colour goes to the overflow: those with faces of terrain apart,
// since they do not share blocks with others.
#pragma once

#include <bit>
#include <cstdint>

#include <phys2d/dynamics/contacts.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class PairColours {
public:
    static constexpr std::uint32_t overflow = 0;
    static constexpr std::uint32_t first_dynamic = 1;
    static constexpr std::uint32_t dynamic_colours = 64;
    static constexpr std::uint32_t first_static = first_dynamic + dynamic_colours;
    static constexpr std::uint32_t static_colours = 32;
    static constexpr std::uint32_t first_face = first_static + static_colours;
    static constexpr std::uint32_t face_colours = 32;
    static constexpr std::uint32_t face_overflow = first_face + face_colours;
    static constexpr std::uint32_t count = face_overflow + 1;

    [[nodiscard]] static SolvingOrder order_of(std::uint32_t colour) {
        if (colour == overflow || colour == face_overflow) return SolvingOrder::Overflow;
        return colour < first_static ? SolvingOrder::Dynamic : SolvingOrder::Immovable;
    }

    /// Starts with `dynamic_count` bodies without colours.
    void begin(std::int32_t dynamic_count) { had_.assign(at(dynamic_count), {}); }
    /// Changes the number of bodies; if it does, or their slots have, forget them before they take
    /// any.
    void resize(std::int32_t dynamic_count) { had_.resize(at(dynamic_count)); }
    /// Clears the colours of one body, for pairs that follow in separate blocks.
    void forget(std::int32_t body) { had_[body] = {}; }

    /// For a pair of two dynamic bodies.
    std::uint32_t take(std::int32_t a, std::int32_t b) {
        std::uint64_t& by_a = had_[a].dynamic;
        std::uint64_t& by_b = had_[b].dynamic;
        const auto colour = static_cast<std::uint32_t>(std::countr_one(by_a | by_b));
        if (colour == dynamic_colours) return overflow;
        by_a |= std::uint64_t{1} << colour;
        by_b |= std::uint64_t{1} << colour;
        return first_dynamic + colour;
    }
    /// For a pair with an immovable body.
    std::uint32_t take_static(std::int32_t a) {
        const std::uint32_t colour = had_[a].statics++;
        return colour < static_colours ? first_static + colour : overflow;
    }
    /// For a pair with a face of terrain.
    std::uint32_t take_face(std::int32_t a) {
        const std::uint32_t colour = had_[a].faces++;
        return colour < face_colours ? first_face + colour : face_overflow;
    }

    void list_members(auto& archive) { archive(*this, had_); }

private:
    struct Had {
        std::uint64_t dynamic = 0;  // one bit per colour
        std::uint32_t statics = 0;
        std::uint32_t faces = 0;
    };
    Array<Had> had_;  // per dynamic body
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
