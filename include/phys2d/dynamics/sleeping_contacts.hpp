// SPDX-License-Identifier: MIT
// SleepingContacts: what contacts know, put away while their bodies sleep.
// Each body that sleeps holds the head of a chain; links that are free form a chain too, so nothing is
// moved, and nothing is allocated once as many contacts have slept before.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/ids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct SleepingContact {
    BodyId a;
    BodyId b;
    std::uint32_t feature = 0;     ///< of the face of terrain, or 0
    float normal_impulse = 0.0f;   ///< [m/s]
    float tangent_impulse = 0.0f;  ///< [m/s]
    bool is_touching = false;
    bool has_events = false;
    std::int32_t next = -1;  ///< in its chain; -1 ends it
};

class SleepingContacts {
public:
    [[nodiscard]] const SleepingContact& contact(std::int32_t i) const { return all_[at(i)]; }

    /// Returns the new head of the chain that `contact.next` was the head of.
    std::int32_t keep(const SleepingContact& contact) {
        const std::int32_t place = first_free_;
        if (place < 0) {
            all_.push_back(contact);
            return static_cast<std::int32_t>(all_.size()) - 1;
        }
        first_free_ = all_[at(place)].next;
        all_[at(place)] = contact;
        return place;
    }

    /// Returns the next one in the chain.
    std::int32_t release(std::int32_t place) {
        SleepingContact& contact = all_[at(place)];
        const std::int32_t next = contact.next;
        contact.next = first_free_;
        first_free_ = place;
        return next;
    }

private:
    Array<SleepingContact> all_;
    std::int32_t first_free_ = -1;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
