// SPDX-License-Identifier: MIT
// ChainedList: a list of records, any number for each index. Those of one index form a chain, so
// that finding one does not depend on how many there are of others.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/span.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template <class Record>
class ChainedList {
public:
    /// Makes room for so many records, of indices below `end`.
    void reserve(std::size_t count, std::size_t end) {
        records_.reserve(count);
        links_.reserve(count);
        if (end > newest_.size()) newest_.resize(end);
    }

    void add(std::uint32_t index, const Record& record) {
        newest_.grow_to_hold(index);
        records_.push_back(record);
        links_.push_back({index, newest_[index]});
        newest_[index] = static_cast<std::int32_t>(records_.size());
    }

    /// The newest record of an index for which test(record) is true; null if there is none. Valid
    /// until the next call that changes the list.
    [[nodiscard]] const Record* find(std::uint32_t index, auto test) const {
        std::int32_t place = index < newest_.size() ? newest_[index] : none;
        while (place != none && !test(records_[place - 1])) place = links_[place - 1].before;
        return place == none ? nullptr : &records_[place - 1];
    }

    /// In the order in which they were added.
    [[nodiscard]] Span<const Record> all() const { return records_; }

    void clear() {
        for (const Link& link : links_) newest_[link.index] = none;
        records_.clear();
        links_.clear();
    }

    void list_members(auto& archive) { archive(*this, records_, links_, newest_); }

private:
    static constexpr std::int32_t none = 0;

    struct Link {
        std::uint32_t index;
        std::int32_t before;  // as in newest_
    };
    Array<Record> records_;
    Array<Link> links_;           // per record
    Array<std::int32_t> newest_;  // per index: 1 + the place of its last record, or `none`
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
