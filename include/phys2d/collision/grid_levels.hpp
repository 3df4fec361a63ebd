// SPDX-License-Identifier: MIT
// GridLevels: which size class, row and column of a grid does a box belong to?
//
// The largest box sets the row height of level 0; each further level is an eighth as high. A box
// belongs to the finest level whose rows are at least as high and as wide as the box. There are few
// levels, since each is searched by each of the others and by each ray: that costs more than rows
// that are too high. Where sizes differ too much for so few levels, the median size is put in the
// middle of them: all larger boxes share level 0, all smaller ones the finest level. A key numbers
// the cells: level by level, row by row, column by column.
// Rounding is monotone and rows are slightly higher than any box in them, so boxes that touch are
// at most one row, and one row height of columns, apart.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include <phys2d/core/array.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The cells along one axis. The first and the last one include everything further out.
struct GridAxis {
    double origin;
    double per_metre;
    double pitch;  ///< 1 / per_metre [m]
    std::int32_t count;

    /// How many cells x is beyond the origin.
    [[nodiscard]] double places_to(float x) const {
        return mul(static_cast<double>(x) - origin, per_metre);
    }
    [[nodiscard]] std::int32_t place(float x) const {
        const double from_zero = larger_of(places_to(x), 0.0);
        return from_zero < count ? static_cast<std::int32_t>(from_zero) : count - 1;
    }
};

/// Rows and columns of one size class.
struct GridLevel {
    GridAxis rows;
    GridAxis columns;
    AABB bounds;  ///< of all boxes of the level
    std::uint64_t first_key;

    [[nodiscard]] std::uint64_t key_of_row(std::int32_t row) const {
        return first_key +
               static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(columns.count);
    }
    [[nodiscard]] std::int32_t row_of_key(std::uint64_t key) const {
        return static_cast<std::int32_t>((key - first_key) /
                                         static_cast<std::uint64_t>(columns.count));
    }
};

class GridLevels {
public:
    /// Columns per row height. More: tighter windows, more bits to sort.
    static constexpr int columns_per_row_height = 4;

    /// Lays out levels for these boxes, with keys below 2^most_key_bits. Pre: valid boxes.
    void measure(Span<const AABB> boxes, int most_key_bits) {
        levels_.clear();
        if (boxes.empty()) return;
        AABB bounds[limit];
        for (AABB& box : bounds) box = no_box;
        AABB all = no_box;
        float smallest = std::numeric_limits<float>::infinity();
        largest_ = std::numeric_limits<float>::min();
        for (const AABB& box : boxes) {
            const float size = extent(box);
            largest_ = max(size, largest_);
            smallest = min(size, smallest);
            all = merge(box, all);
        }
        set_first_class(boxes, smallest);
        if (level_of(smallest) == 0) {
            bounds[0] = all;
        } else {
            for (const AABB& box : boxes) {
                AABB& level = bounds[level_of(extent(box))];
                level = merge(box, level);
            }
        }
        lay_out(bounds, boxes, (most_key_bits - level_bits) / 2);
    }

    [[nodiscard]] const Array<GridLevel>& all() const { return levels_; }
    [[nodiscard]] int key_bits() const { return key_bits_; }

    [[nodiscard]] std::uint64_t key_of(const AABB& box) const {
        const GridLevel& level =
            levels_.size() == 1 ? levels_[0] : levels_[index_of_[level_of(extent(box))]];
        return level.key_of_row(level.rows.place(box.min.y)) +
               static_cast<std::uint64_t>(level.columns.place(box.min.x));
    }

    void list_members(auto& archive) {
        archive(*this, levels_, index_of_, largest_, first_class_, key_bits_);
    }

private:
    static constexpr int level_bits = 4;
    static constexpr int limit = 1 << level_bits;
    static constexpr int halvings_per_level = 3;

    [[nodiscard]] static float extent(const AABB& box) {
        const Vec2 size = phys2d::size(box);
        return max(size.x, size.y);
    }

    /// How often the largest extent can be divided by 8 and still be at least `size`.
    [[nodiscard]] int size_class(float size) const {
        const float normal = max(size, std::numeric_limits<float>::min());
        const std::uint32_t difference =
            __builtin_bit_cast(std::uint32_t, largest_) - __builtin_bit_cast(std::uint32_t, normal);
        const auto halvings = static_cast<int>(difference >> 23);  // floor(log2(largest / size))
        return halvings / halvings_per_level;
    }
    /// The level for boxes of a size, as if there were boxes in all levels.
    [[nodiscard]] int level_of(float size) const {
        return smaller_of(larger_of(size_class(size) - first_class_, 0), limit - 1);
    }

    /// Centres the levels on the median size if there are more size classes than levels.
    void set_first_class(Span<const AABB> boxes, float smallest) {
        const int excess = size_class(smallest) - (limit - 1);
        first_class_ = 0;
        if (excess <= 0) return;
        const int before_middle = size_class(medians_of(boxes).extent) - limit / 2;
        first_class_ = smaller_of(larger_of(before_middle, 0), excess);
    }

    /// How high the rows of a level are [m].
    [[nodiscard]] double row_height(int level) const {
        double height = mul(static_cast<double>(largest_), 1.0001);
        const int size_class = level == 0 ? 0 : first_class_ + level;
        for (int i = 0; i < size_class; ++i) height = mul(height, 1.0 / (1 << halvings_per_level));
        return height;
    }

    void lay_out(const AABB* bounds, Span<const AABB> boxes, int axis_bits) {
        const Medians middle = medians_of(boxes);
        std::uint64_t next_key = 0;
        for (int i = 0; i < limit; ++i) {
            index_of_[i] = levels_.size();
            if (bounds[i].min.x > bounds[i].max.x) continue;
            const double height = row_height(i);
            const double places = static_cast<double>(std::int32_t{1} << smaller_of(axis_bits, 30));
            GridLevel level{fit(bounds[i].min.y, bounds[i].max.y, middle.y, 1.0 / height, places),
                            fit(bounds[i].min.x, bounds[i].max.x, middle.x,
                                columns_per_row_height / height, places),
                            bounds[i], next_key};
            levels_.push_back(level);
            next_key = level.key_of_row(level.rows.count);
        }
        key_bits_ = static_cast<int>(std::bit_width(next_key));
    }

    /// Covers [low, high]; or, if that takes too many cells, as much as possible around `middle`,
    /// so that distant boxes share a cell at the edge and the others stay spread out.
    [[nodiscard]] static GridAxis fit(float low, float high, float middle, double per_metre,
                                      double most_places) {
        const double wanted = mul(static_cast<double>(high) - static_cast<double>(low), per_metre);
        if (wanted + 1.0 <= most_places) {
            return {static_cast<double>(low), per_metre, 1.0 / per_metre,
                    static_cast<std::int32_t>(wanted) + 1};
        }
        return {static_cast<double>(middle) - mul(0.5, most_places) / per_metre, per_metre,
                1.0 / per_metre, static_cast<std::int32_t>(most_places)};
    }

    struct Medians {
        float x, y;
        float extent;
    };

    /// The medians of the lower left corners and of the sizes of a sample of boxes.
    [[nodiscard]] static Medians medians_of(Span<const AABB> boxes) {
        constexpr std::size_t sample_size = 15;
        float x[sample_size];
        float y[sample_size];
        float extents[sample_size];
        for (std::size_t i = 0; i < sample_size; ++i) {
            const AABB& box = boxes[i * boxes.size() / sample_size];
            insert_sorted(x, i, box.min.x);
            insert_sorted(y, i, box.min.y);
            insert_sorted(extents, i, extent(box));
        }
        return {x[sample_size / 2], y[sample_size / 2], extents[sample_size / 2]};
    }

    static void insert_sorted(float* sorted, std::size_t count, float value) {
        for (; count > 0 && value < sorted[count - 1]; --count) sorted[count] = sorted[count - 1];
        sorted[count] = value;
    }

    Array<GridLevel> levels_;           // coarse to fine
    std::size_t index_of_[limit] = {};  // in levels_, per level as if there were boxes in all
    float largest_ = 0.0f;
    int first_class_ = 0;  // the class of the smallest boxes of level 0
    int key_bits_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
