// SPDX-License-Identifier: MIT
// Layers: which of the moving bodies may touch each other, however near they are?
//
// Bodies that touch the same others are in one layer, known by a byte. So the grid can leave out
// the pairs that will never touch, eight at a time: a thousand bullets that pass through each other
// are no million pairs.
#pragma once

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/core/bits.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Answers for a RowGrid, as AnyPair does. May leave pairs that will not touch.
class Layers {
public:
    static constexpr std::size_t most = 64;  ///< as many as a word has bits

    /// Of the first `count` slots. `layer_of`: scratch, to be kept as long as this.
    Layers(const Bodies& bodies, std::size_t count, Array<std::uint8_t>& layer_of)
        : layer_of_(layer_of) {
        layer_of_.resize_for_overwrite(count);
        std::size_t last = 0;
        for (std::size_t i = 0; i < count; ++i) {
            last = place_of(layer_at(bodies, i), last);
            layer_of_[i] = static_cast<std::uint8_t>(last);
        }
        fill_table();
    }

    /// Whether all bodies are in one layer and may touch, as in most worlds.
    [[nodiscard]] bool are_one() const { return count_ == 1 && met_by_[0] != 0; }

    [[nodiscard]] bool operator()(std::int32_t a, std::int32_t b) const {
        return (met_by_[layer_of_[a]] >> layer_of_[b] & 1) != 0;
    }

    /// Up to eight bodies that are asked about together.
    class Group {
    public:
        Group(const Layers& layers, const std::int32_t* slots, int count)
            : layer_of_(layers.layer_of_) {
            for (int k = 0; k < count; ++k) {
                for_each_bit(layers.met_by_[layer_of_[slots[k]]], [&](int layer) {
                    lanes_with_[layer] |= static_cast<std::uint8_t>(1u << k);
                });
            }
        }
        /// One bit for each that may touch a body.
        [[nodiscard]] unsigned lanes_with(std::int32_t slot) const {
            return lanes_with_[layer_of_[slot]];
        }

    private:
        const Array<std::uint8_t>& layer_of_;
        std::uint8_t lanes_with_[most] = {};
    };

private:
    struct Layer {
        Filter filter;
        bool is_dynamic = true;
        bool meets_all = true;  ///< whatever the filter: terrain, whose parts have their own

        friend bool operator==(const Layer& a, const Layer& b) = default;
    };

    [[nodiscard]] static Layer layer_at(const Bodies& bodies, std::size_t slot) {
        const auto i = static_cast<std::int32_t>(slot);
        const ContactTraits& traits = bodies.traits[slot];
        const bool is_sensor = (traits.marks & ContactTraits::sensor) != 0;
        return {is_sensor ? Filter{.category = 0, .mask = 0} : traits.filter(),
                bodies.ranges.is_dynamic(i), !bodies.has_shape(i)};
    }

    [[nodiscard]] static bool may_touch(const Layer& a, const Layer& b) {
        return (a.is_dynamic || b.is_dynamic) &&
               (a.meets_all || b.meets_all || can_collide(a.filter, b.filter));
    }

    /// The place of a layer, which may be `last` again; new ones share the last place when there
    /// are too many.
    [[nodiscard]] std::size_t place_of(const Layer& layer, std::size_t last) {
        if (last < count_ && layers_[last] == layer) return last;
        for (std::size_t i = 0; i < count_; ++i) {
            if (layers_[i] == layer) return i;
        }
        if (count_ == most) return most - 1;
        count_ += 1;
        layers_[count_ - 1] = count_ == most ? Layer{} : layer;
        return count_ - 1;
    }

    void fill_table() {
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < count_; ++j) {
                if (may_touch(layers_[i], layers_[j])) met_by_[i] |= std::uint64_t{1} << j;
            }
        }
    }

    Array<std::uint8_t>& layer_of_;
    Layer layers_[most];
    std::uint64_t met_by_[most] = {};  // a bit for each layer
    std::size_t count_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
