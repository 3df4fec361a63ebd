// SPDX-License-Identifier: MIT
// IndexSet: a set of indices, in the order in which they were added.
#pragma once

#include <phys2d/core/array.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class IndexSet {
public:
    [[nodiscard]] std::size_t size() const { return list_.size(); }
    [[nodiscard]] bool empty() const { return list_.empty(); }
    [[nodiscard]] const std::uint32_t* begin() const { return list_.begin(); }
    [[nodiscard]] const std::uint32_t* end() const { return list_.end(); }
    [[nodiscard]] bool contains(std::size_t index) const {
        return !empty() && index < is_in_.size() && is_in_[index];
    }

    void add(std::size_t index) {
        is_in_.grow_to_hold(index);
        if (!is_in_[index]) list_.push_back(static_cast<std::uint32_t>(index));
        is_in_[index] = true;
    }

    /// Makes room for so many, all below `end`.
    void reserve(std::size_t count, std::size_t end) {
        list_.reserve(count);
        if (end > 0) is_in_.grow_to_hold(end - 1);
    }

    void clear() {
        for (const std::uint32_t index : list_) is_in_[index] = false;
        list_.clear();
    }

    void list_members(auto& archive) { archive(*this, list_, is_in_); }

private:
    Array<std::uint32_t> list_;
    Array<bool> is_in_;  // per index
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
