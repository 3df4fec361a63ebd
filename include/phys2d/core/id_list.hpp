// SPDX-License-Identifier: MIT
// IdList: records of some bodies, at most one per body, found in one look-up. The record of a
// destroyed body stays until another body gets its index, so a list is never longer than the number
// of indices.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/ids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// `Record` is plain data whose first member is `BodyId body`.
template <class Record>
class IdList {
public:
    [[nodiscard]] const Record* begin() const { return records_.begin(); }
    [[nodiscard]] const Record* end() const { return records_.end(); }

    /// The record of a body; adds an empty one if there is none. Valid until the next call that
    /// changes the list.
    Record& of(BodyId id) {
        places_.grow_to_hold(id.index);
        if (places_[id.index] == none) {
            records_.push_back({id});
            places_[id.index] = static_cast<std::int32_t>(records_.size());
        }
        Record& record = records_[places_[id.index] - 1];
        if (record.body != id) record = {id};
        return record;
    }

    /// Removes the record of a body; returns whether there was one. The last record moves there.
    bool erase(BodyId id) {
        if (id.index >= places_.size() || places_[id.index] == none) return false;
        const std::int32_t place = places_[id.index];
        if (records_[place - 1].body != id) return false;
        places_[records_.back().body.index] = place;
        places_[id.index] = none;
        records_[place - 1] = records_.back();
        records_.pop_back();
        return true;
    }

    void clear() {
        for (const Record& record : records_) places_[record.body.index] = none;
        records_.clear();
    }

    void list_members(auto& archive) { archive(*this, records_, places_); }

private:
    static constexpr std::int32_t none = 0;

    Array<Record> records_;
    Array<std::int32_t> places_;  // per index of an id: 1 + index in records_
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
