// SPDX-License-Identifier: MIT
// SavedWorld: the members of what a World stores that has gaps between them, in which there may be
// anything. They are listed (core/archive.hpp), so that what is in the gaps is not saved. All else
// lists its own members, or is plain data without gaps.
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

void list_members(WorldConfig& config, auto& archive) {
    archive(config, config.gravity, config.time_step, config.substeps, config.length_unit,
            config.contact_hertz, config.contact_damping_ratio, config.contact_push_speed,
            config.restitution_threshold, config.contact_margin, config.time_to_sleep,
            config.sleep_speed, config.hit_speed, config.pair_filter, config.pair_filter_context,
            config.max_steps_per_advance, config.mix_friction, config.mix_restitution);
}
void list_members(ColliderDef& def, auto& archive) {
    archive(def, def.filter, def.is_sensor, def.sees_sensors, def.has_events, def.one_way);
}
void list_members(Filter& filter, auto& archive) {
    archive(filter, filter.category, filter.mask, filter.group);
}
void list_members(CrushEvent& event, auto& archive) {
    archive(event, event.body, event.by, event.against, event.depth, event.user_data);
}
void list_members(Face& face, auto& archive) {
    archive(face, face.start, face.normal, face.before, face.after, face.length, face.begin,
            face.end, face.lean_begin, face.lean_end, face.half_thickness, face.feature,
            face.corner);
}
void list_members(FaceList::Entry& entry, auto& archive) {
    archive(entry, entry.face, entry.slot, entry.order, entry.is_used);
}
void list_members(TileKind::Side& side, auto& archive) {
    archive(side, side.edge, side.normal, side.half_thickness, side.border);
}
void list_members(TileKind& kind, auto& archive) {
    archive(kind, kind.shape, kind.sides, kind.covers, kind.group, kind.is_full, kind.hides,
            kind.seen_beside);
}
void list_members(GridAxis& axis, auto& archive) {
    archive(axis, axis.origin, axis.per_metre, axis.pitch, axis.count);
}
void list_members(GridLevel& level, auto& archive) {
    archive(level, level.rows, level.columns, level.bounds, level.first_key);
}
void list_members(ColourRange& colours, auto& archive) {
    archive(colours, colours.begin, colours.end, colours.order);
}
void list_members(PairMemory& memory, auto& archive) {
    archive(memory, memory.feature, memory.side, memory.normal_impulse, memory.tangent_impulse,
            memory.is_touching, memory.is_heir, memory.has_events);
}
void list_members(StoredContact& contact, auto& archive) {
    archive(contact, contact.a, contact.b, contact.memory, contact.face, contact.impact,
            contact.next);
}
void list_members(PartedPair& parted, auto& archive) {
    archive(parted, parted.pair, parted.has_events);
}
template <class Id>
void list_members(IgnoredPair<Id>& pair, auto& archive) {
    archive(pair, pair.a, pair.b, pair.until_apart, pair.offset, pair.is_over);
}
/// Without the times, which are those of a machine.
void list_members(StepStats& stats, auto& archive) {
    archive.add(stats.bodies), archive.add(stats.moving_bodies), archive.add(stats.sleeping_bodies);
    archive.add(stats.pairs), archive.add(stats.contacts), archive.add(stats.colours);
    archive.add(stats.pairs_rebuilt);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail
