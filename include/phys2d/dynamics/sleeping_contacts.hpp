// SPDX-License-Identifier: MIT
// SleepingContacts: the contacts of sleeping bodies. Each sleeping body holds the head of a chain;
// free links form a chain too, so nothing moves, and nothing is allocated once as many contacts
// have slept before.
#pragma once

#include <phys2d/core/ids.hpp>
#include <phys2d/dynamics/contacts.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Where a contact with a face of terrain is, to tell of it while its pair is in no list.
struct FacePlace {
    Vec2 normal{};       ///< of the contact, from a to b; zero without a face
    Vec2 start{};        ///< of the face, relative to b [m]
    float begin = 0.0f;  ///< see Face
    float end = 0.0f;
};

[[nodiscard]] inline FacePlace face_place_of(const Contacts& contacts, LanePlace place) {
    if (!contacts.has_face(place)) return {};
    const Face face = contacts.face(place);
    return {contacts.normal_at(place), face.start, face.begin, face.end};
}

/// A contact whose pair is in no list: of a sleeping body, or of one whose pairs are found again.
struct StoredContact {
    static constexpr std::int32_t none = -1;

    ColliderId a;
    ColliderId b;
    PairMemory memory;
    FacePlace face;
    float impact = 0.0f;       ///< impulses of bounces in the last step [m/s]
    std::int32_t next = none;  ///< in its chain, or `none`
};

class SleepingContacts {
public:
    [[nodiscard]] const StoredContact& contact(std::int32_t i) const { return all_[i]; }

    /// Adds a contact in front of the chain whose head is `contact.next`; returns the new head.
    std::int32_t keep(const StoredContact& contact) {
        const std::int32_t place = first_free_;
        if (place == StoredContact::none) {
            all_.push_back(contact);
            return static_cast<std::int32_t>(all_.size()) - 1;
        }
        first_free_ = all_[place].next;
        all_[place] = contact;
        return place;
    }

    /// Frees a contact and returns the next one in its chain.
    std::int32_t release(std::int32_t place) {
        StoredContact& contact = all_[place];
        const std::int32_t next = contact.next;
        contact.next = first_free_;
        first_free_ = place;
        return next;
    }

    void list_members(auto& archive) { archive(*this, all_, first_free_); }

private:
    Array<StoredContact> all_;
    std::int32_t first_free_ = StoredContact::none;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
