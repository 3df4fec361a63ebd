// SPDX-License-Identifier: MIT
// World: bodies that fall, collide, stack, slide and bounce, in fixed steps.
//
// A World is a value: copying it saves it, assigning the copy back rolls it back, and both go on to
// the same bits. It has no globals and no caps; any number of worlds, each used by one thread at a
// time. Bodies can be created, destroyed and changed at any time between steps. Calls with bad values
// are errors that change nothing (core/error.hpp).
#pragma once

#include <utility>

#include <phys2d/collision/collide.hpp>
#include <phys2d/core/short_list.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/world/cast_search.hpp>
#include <phys2d/world/fields.hpp>
#include <phys2d/world/lifetime.hpp>
#include <phys2d/world/state_hash.hpp>
#include <phys2d/world/surface.hpp>
#include <phys2d/world/touches.hpp>
#include <phys2d/world/world_step.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What `World::advance` does before a step unless it is told otherwise.
struct DoNothing {
    constexpr void operator()() const {}
};

class World {
public:
    /// So many colliders `for_each_overlap` lists without allocating.
    static constexpr std::size_t few_found = 64;

    World() = default;
    explicit World(const WorldConfig& config) : state_{.config = detail::checked(config)} {}
    World(const World& other) : state_(other.unlocked("copying a World")) {}
    /// What is left behind is an empty World with the default config. Moving a World from inside its own step is an
    /// error that nothing can catch.
    World(World&& other) noexcept : state_(std::exchange(other.unlocked("moving a World"), {})) {}
    World& operator=(const World& other) {
        state_.require_unlocked("assigning to a World");
        state_ = other.unlocked("copying a World");
        return *this;
    }
    World& operator=(World&& other) noexcept {
        if (this != &other)
            unlocked("assigning to a World") = std::exchange(other.unlocked("moving a World"), {});
        return *this;
    }
    ~World() = default;

    // ------------------------------------------------------------------------------- bodies

    /// Adds a body with one collider; its shape's center is an offset from the position.
    BodyId create_body(const BodyDef& def, const Shape& shape, const Material& material = {},
                       const ColliderDef& collider = {}) {
        return detail::create_body(state_, def, shape, material, collider);
    }

    /// The same for a static or kinematic body that is no rounded box: a Segment, Polygon, Chain or
    /// HalfSpace, around the position. It weighs nothing.
    BodyId create_body(const BodyDef& def, const Outline& outline, const Material& material = {},
                       const ColliderDef& collider = {}) {
        return detail::create_body(state_, def, outline, material, collider);
    }

    /// Adds a map of tiles, all empty: see `tile_map`.
    BodyId create_tile_map(const TileMapDef& def = {}) {
        return detail::create_tile_map(state_, def);
    }

    /// Gives a body one more collider, which moves with it; its shape's center is an offset from the body's
    /// position. Colliders of one body never touch each other. A mass that follows from density grows by
    /// the collider's. Any number.
    ColliderId add_collider(BodyId body, const Shape& shape, const Material& material = {},
                            const ColliderDef& def = {}, std::uint64_t user_data = 0) {
        return detail::add_collider(state_, body, shape, material, def, user_data);
    }

    /// The same for a static or kinematic body.
    ColliderId add_collider(BodyId body, const Outline& outline, const Material& material = {},
                            const ColliderDef& def = {}, std::uint64_t user_data = 0) {
        return detail::add_collider(state_, body, outline, material, def, user_data);
    }

    /// Removes a collider that was added to a body; its id is stale from now on. The first one stays as
    /// long as the body.
    void destroy_collider(ColliderId id) { detail::destroy_collider(state_, id); }

    /// Calls visit(ColliderId) for each collider of a body, the first one first. `visit` must not change the world.
    template <class Visit>
    void for_each_collider(BodyId body, Visit visit) const {
        (void)state_.slot_of(body, "for_each_collider");
        state_.bodies.for_each_of(body, [&](std::int32_t slot) {
            visit(detail::as_collider(state_.bodies.ids[detail::at(slot)]));
        });
    }

    /// Calls visit(ColliderId) for each collider of the world, in the order of the columns. `visit` must not change the
    /// world.
    template <class Visit>
    void for_each_collider(Visit visit) const {
        for (const BodyId id : state_.bodies.ids) visit(detail::as_collider(id));
    }

    /// Calls visit(BodyId) for each body, in the order of the columns. `visit` must not change the world.
    template <class Visit>
    void for_each_body(Visit visit) const {
        for (std::size_t slot = 0; slot < state_.bodies.ids.size(); ++slot) {
            const BodyId id = state_.bodies.owners[slot];
            if (id == state_.bodies.ids[slot]) visit(id);
        }
    }

    /// Removes a body and its colliders; their ids are stale from now on and never used again.
    void destroy_body(BodyId id) { detail::destroy_body(state_, id); }

    /// Gives each dynamic body around a point an impulse away from it. Wakes them. O(bodies in reach).
    void explode(const Explosion& explosion) { detail::explode(state_, explosion); }

    /// Accelerates each dynamic body that overlaps a region during the next step, on top of gravity [m/s²]:
    /// wind, currents, lifts. Call it before each step. Wakes them. O(bodies in the region).
    void apply_acceleration(const Shape& region, Vec2 acceleration,
                            const QueryFilter& filter = {}) {
        detail::accelerate(state_, region, acceleration, filter);
    }

    /// Lets two bodies pass through each other, for ever.
    void ignore(BodyId a, BodyId b) { ignore(a, b, false, "ignore"); }
    /// The same until they are apart: for what has just been thrown, dropped or stepped off.
    void ignore_until_apart(BodyId a, BodyId b) { ignore(a, b, true, "ignore_until_apart"); }
    /// Has two bodies meet again; no effect on those that do.
    void stop_ignoring(BodyId a, BodyId b) {
        require_two(a, b, "stop_ignoring");
        if (state_.ignored.erase(a, b)) rouse_both(a, b);
    }

    /// True for the id of a living body.
    [[nodiscard]] bool contains(BodyId id) const {
        return lives(id) && !state_.bodies.is_limb(state_.bodies.slots.slot_of(id));
    }

    /// A stale id is an error.
    [[nodiscard]] BodyRef body(BodyId id) {
        (void)state_.slot_of(id, "body");
        return {state_, id};
    }
    [[nodiscard]] ConstBodyRef body(BodyId id) const {
        (void)state_.slot_of(id, "body");
        return {state_, id};
    }

    /// A stale id is an error.
    [[nodiscard]] ColliderRef collider(ColliderId id) {
        (void)state_.slot_of(id, "collider");
        return {state_, id};
    }
    [[nodiscard]] ConstColliderRef collider(ColliderId id) const {
        (void)state_.slot_of(id, "collider");
        return {state_, id};
    }
    /// The tiles of a body that was made by `create_tile_map`; any other is an error.
    [[nodiscard]] TileMapRef tile_map(BodyId id) {
        require_tile_map(id);
        return {state_, id};
    }
    [[nodiscard]] ConstTileMapRef tile_map(BodyId id) const {
        require_tile_map(id);
        return {state_, id};
    }

    /// True for the id of a living collider.
    [[nodiscard]] bool contains(ColliderId id) const { return lives(detail::as_body(id)); }

    [[nodiscard]] std::size_t body_count() const {
        return state_.bodies.ids.size() - state_.bodies.limb_count;
    }

    // Columns over all colliders, and so over all bodies where each has one: entry i of each belongs to
    // the same collider, that of the body ids()[i]. The order and the spans last until the next step,
    // or until a body or collider is created, destroyed, woken or changes its type.
    [[nodiscard]] Span<const BodyId> ids() const { return state_.bodies.owners; }
    /// The first so many entries are those that a step may move; the rest is asleep or static.
    [[nodiscard]] std::size_t moving_count() const {
        return detail::at(state_.bodies.ranges.moving_count);
    }
    [[nodiscard]] Span<const Vec2> positions() const { return state_.bodies.positions; }
    [[nodiscard]] Span<const Vec2> previous_positions() const {
        return state_.bodies.previous_positions;
    }
    [[nodiscard]] Span<const Vec2> velocities() const { return state_.bodies.velocities; }
    /// To steer many bodies at once. Write finite numbers only; nothing checks them. Static and sleeping
    /// bodies stay at rest whatever is written for them: `body(id).wake()` first. Of a body with several
    /// colliders the entry of the first counts.
    [[nodiscard]] Span<Vec2> velocities() {
        state_.require_unlocked("velocities");
        return state_.bodies.velocities;
    }
    [[nodiscard]] Span<const Shape> shapes() const { return state_.bodies.shapes; }
    [[nodiscard]] Span<const BodyType> types() const { return state_.bodies.types; }

    // --------------------------------------------------------------------------------- time

    /// Exactly one step of `config().time_step` seconds, paused or not. `Lanes` (1, 4, 8) is how many
    /// contacts are worked on at once; every width gives the same bits.
    template <int Lanes = PHYS2D_LANES>
    void step() {
        state_.require_unlocked("step");
        state_.events.clear();
        step_once<Lanes>();
    }

    /// The same step on the threads of an executor: executor(n, task) is to call task(i) for each i in
    /// [0, n), in any order, on any threads, at once or one after the other, and to return when all are
    /// done. The result has the same bits whoever helps. Mix functions are called on one of its threads;
    /// an exception of theirs leaves the task.
    template <int Lanes = PHYS2D_LANES, class Executor>
    void step(Executor&& executor) {
        state_.require_unlocked("step");
        state_.events.clear();
        step_on<Lanes>(executor);
    }

    /// As many steps as a frame of that many seconds owes, at the time scale, and at most
    /// `max_steps_per_advance`. Returns alpha, for `interpolated_position`. While paused it takes no
    /// step and alpha stays.
    ///
    /// Calls before_step() ahead of each step: the place for forces, which act for one step. One that pauses the world
    /// or throws ends the frame: nothing makes up for what is left of it.
    template <class BeforeStep = DoNothing>
    float advance(double frame_seconds, BeforeStep before_step = {}) {
        return advance_by(frame_seconds, before_step, [this] { step_once(); });
    }
    /// The same on threads: see `step`.
    template <class BeforeStep, class Executor>
    float advance(double frame_seconds, BeforeStep before_step, Executor&& executor) {
        return advance_by(frame_seconds, before_step, [&] { step_on(executor); });
    }

    /// What has happened in the last `step`, or in all steps of the last `advance`; nothing where it took
    /// none. The spans last until the next of these calls.
    [[nodiscard]] Events events() const { return state_.events.told(); }

    /// 1 is real time, 0.1 slow motion along the same path, 0 stands still. >= 0.
    void set_time_scale(float scale) {
        state_.require_unlocked("set_time_scale");
        detail::require_not_negative(scale, "set_time_scale", "time scale");
        state_.time_scale = static_cast<double>(scale);
    }
    [[nodiscard]] float time_scale() const { return static_cast<float>(state_.time_scale); }
    void set_paused(bool paused) {
        state_.require_unlocked("set_paused");
        state_.is_paused = paused;
    }
    [[nodiscard]] bool is_paused() const { return state_.is_paused; }

    /// [m/s²] O(bodies).
    void set_gravity(Vec2 gravity) {
        state_.require_unlocked("set_gravity");
        detail::require_finite(gravity, "set_gravity", "gravity");
        for (const detail::BodyDynamics& body : state_.bodies.dynamics) {
            detail::require_valid_weight(gravity, body.gravity_scale, "set_gravity");
        }
        if (gravity != state_.config.gravity) detail::wake_all(state_);
        state_.config.gravity = gravity;
    }
    /// Has `WorldConfig::pair_filter` asked anew for all pairs.
    void filter_again() {
        state_.require_unlocked("filter_again");
        detail::wake_all(state_);
        state_.broad_phase.forget_pairs();
    }
    [[nodiscard]] const WorldConfig& config() const { return state_.config; }
    [[nodiscard]] std::uint64_t step_count() const { return state_.step_count; }

    // ------------------------------------------------------------------------------ queries
    // Exact at any moment between two steps, for many threads at once; an error inside of one. Shapes are placed in
    // the world. Bodies that came or were changed since the last step are looked at one by one: who builds a level only to
    // ask about it takes one step first.

    /// The first body on the way from `origin` to `origin + way`. See `phys2d::ray_cast`. Between tiles of one map, and
    /// pieces of one outline, there is no gap: a ray that passes the end of one by no more than 1e-5 m at length unit 1,
    /// and what rounding adds, meets it. Shapes are met each for itself: along the joint of two boxes that abut a ray
    /// may meet either of them at its side, or pass between them by rounding. Ground without seams is terrain.
    [[nodiscard]] QueryHit ray_cast(Vec2 origin, Vec2 translation,
                                    const QueryFilter& filter = {}) const {
        require_way(origin, translation, "ray_cast");
        return detail::CastSearch(unlocked("ray_cast"), Circle{0.0f, origin}, translation, filter)
            .first();
    }

    /// The first body that a shape meets when it moves by `way`. See `phys2d::shape_cast`. One whose middle is in a tile
    /// that has tiles all around is stopped at once, with a normal against the way.
    [[nodiscard]] QueryHit shape_cast(const Shape& shape, Vec2 translation,
                                      const QueryFilter& filter = {}) const {
        detail::require_valid(shape, "shape_cast");
        require_way(shape.center, translation, "shape_cast");
        return detail::CastSearch(unlocked("shape_cast"), shape, translation, filter).first();
    }

    /// Calls visit(const QueryHit&) for each collider on a ray, from near to far: once for each place where it is entered,
    /// so of a body with several colliders it may tell of each. `visit` may change the world: colliders that it destroys
    /// are not visited any more. Allocates for the list.
    template <class Visit>
    void for_each_on_ray(Vec2 origin, Vec2 translation, Visit visit,
                         const QueryFilter& filter = {}) const {
        require_way(origin, translation, "for_each_on_ray");
        detail::CastSearch search(unlocked("for_each_on_ray"), Circle{0.0f, origin}, translation,
                                  filter);
        for (const QueryHit& hit : search.all()) {
            if (contains(hit.collider)) visit(hit);
        }
    }

    /// Calls visit(BodyId) for each collider that overlaps or touches a shape, in an order that is the same
    /// on all machines. A point is a circle of radius 0. `visit` may change the world: bodies that
    /// it destroys are not visited any more. Allocates for more than `few_found`.
    template <class Visit>
    void for_each_overlap(const Shape& shape, Visit visit, const QueryFilter& filter = {}) const {
        detail::require_no_negative_size(shape, "for_each_overlap");
        detail::ShortList<BodyId, few_found> found;
        detail::for_each_overlap(unlocked("for_each_overlap"), shape, filter,
                                 [&](BodyId id) { found.push_back(id); });
        found.for_each([&](BodyId id) {
            if (contains(id)) visit(id);
        });
    }
    /// The same for a box, which may have no size.
    template <class Visit>
    void for_each_overlap(const AABB& box, Visit visit, const QueryFilter& filter = {}) const {
        detail::require_valid(box, "for_each_overlap");
        for_each_overlap(Shape(box), visit, filter);
    }

    /// The body whose surface is nearest to a point, if it is no further away than `within` [m]; of those
    /// that the point is in, the one in which it is deepest. Of a tile map each tile counts by itself: inside of many,
    /// the answer is about the one that the point is in.
    [[nodiscard]] NearestBody nearest(Vec2 point, float within,
                                      const QueryFilter& filter = {}) const {
        detail::require_finite(point, "nearest", "point");
        detail::require_not_negative(within, "nearest", "within");
        return detail::nearest(unlocked("nearest"), point, within, filter);
    }

    /// Calls visit(const Surface&) for each shape that may be in a box [m], and each straight piece of terrain and corner
    /// at its open end, in an order that is the same on all machines. Pieces that leave the box may be cut there. An
    /// edge of a tile map that runs through many tiles may come in several pieces. `visit` must not change the world.
    template <class Visit>
    void for_each_surface(const AABB& box, Visit visit, const QueryFilter& filter = {}) const {
        detail::require_valid(box, "for_each_surface");
        detail::for_each_surface(unlocked("for_each_surface"), box, filter, visit);
    }

    // ------------------------------------------------------------------------- looking inside

    /// Of the last step.
    [[nodiscard]] const StepStats& stats() const { return state_.stats; }

    /// Ids, positions and velocities of all bodies, bit for bit, in the order of the ids. Tiles are not in it: see
    /// TileGrid::hash.
    [[nodiscard]] std::uint64_t state_hash() const {
        const detail::Bodies& bodies = state_.bodies;
        StateHash hash;
        for (std::size_t index = 0; index < bodies.slots.size(); ++index) {
            const std::int32_t slot = bodies.slots.slot_at(index);
            if (slot == detail::SlotMap::no_slot) continue;
            hash.add(std::uint64_t{index} << 32 | bodies.slots.generation_at(index));
            hash.add(bodies.positions[detail::at(slot)]);
            hash.add(bodies.velocity(bodies.body_slot(slot)));
        }
        return hash.value();
    }

    /// Calls visit(const WorldContact&) for each contact of the last step whose bodies still live, in
    /// the order in which they were solved, then for those of sleeping bodies, as they were when these
    /// fell asleep. Some only were about to touch: their penetration is negative. `visit` must not change
    /// the world. O(contacts).
    template <class Visit>
    void for_each_contact(Visit visit) const {
        detail::ContactSearch(state_).for_each_contact(visit);
    }
    /// The same for the contacts of one body, in an order that is the same on all machines. O(its contacts) for a
    /// dynamic body that was awake in the last step and still is, else O(contacts in the world).
    template <class Visit>
    void for_each_contact(BodyId body, Visit visit) const {
        (void)state_.slot_of(body, "for_each_contact");
        detail::ContactSearch(state_, body).for_each_contact(visit);
    }

    /// Calls visit(AABB) for the range of each collider that may move, as the last step left them: as long as the
    /// body's position stays in there, the list of pairs is complete.
    template <class Visit>
    void for_each_range(Visit visit) const {
        for (const AABB& range : state_.broad_phase.ranges()) visit(range);
    }

    /// Calls visit(BodyId other) for each contact of a body with another that touches it: from a beginning to its
    /// end, as `events()` tell them, awake or asleep, but for bodies that are gone. Contacts of colliders without
    /// events, of which `events()` do not tell, are among them. Order and cost as for the contacts of one body. `visit`
    /// must not change the world.
    template <class Visit>
    void for_each_touching(BodyId body, Visit visit) const {
        (void)state_.slot_of(body, "for_each_touching");
        detail::ContactSearch(state_, body).for_each_touching(visit);
    }
    /// Whether two bodies touch, in the same sense.
    [[nodiscard]] bool are_touching(BodyId a, BodyId b) const {
        (void)state_.slot_of(a, "are_touching");
        (void)state_.slot_of(b, "are_touching");
        return detail::are_touching(state_, a, b);
    }

    /// Calls visit(BodyId visitor) for each collider that the last step has found in the sensors of a body, sensor by
    /// sensor, in the order of their indices, but for those that are gone. `visit` must not change the world.
    /// O(its visitors), and the logarithm of all.
    template <class Visit>
    void for_each_visitor(BodyId sensor, Visit visit) const {
        (void)state_.slot_of(sensor, "for_each_visitor");
        const detail::Bodies& bodies = state_.bodies;
        bodies.for_each_of(sensor, [&](std::int32_t slot) {
            detail::for_each_visitor(state_, bodies.ids[detail::at(slot)], [&](BodyId visitor) {
                visit(bodies.owners[detail::at(bodies.slots.slot_of(visitor))]);
            });
        });
    }
    /// The same for one sensor of a body of several: calls visit(ColliderId visitor).
    template <class Visit>
    void for_each_visitor(ColliderId sensor, Visit visit) const {
        (void)state_.slot_of(sensor, "for_each_visitor");
        detail::for_each_visitor(state_, detail::as_body(sensor),
                                 [&](BodyId visitor) { visit(detail::as_collider(visitor)); });
    }

private:
    template <int Lanes = PHYS2D_LANES>
    void step_once() {
        detail::Alone alone;
        detail::step<Lanes>(state_, alone);
    }

    template <int Lanes = PHYS2D_LANES, class Executor>
    void step_on(Executor& executor) {
        detail::Crew crew;
        executor(detail::Crew::tasks, [&](int) {
            crew.join([&](detail::Crew& team) { detail::step<Lanes>(state_, team); });
        });
    }

    template <class BeforeStep, class Step>
    float advance_by(double frame_seconds, BeforeStep& before_step, Step take_step) {
        state_.require_unlocked("advance");
        detail::require(frame_seconds >= 0.0 && frame_seconds <= 1e9,
                        "advance: the frame is %g s long, expected a number from 0 to 1e+09",
                        frame_seconds);
        state_.events.clear();
        if (state_.is_paused) return state_.stepper.alpha();
        for (int steps = state_.stepper.advance(frame_seconds, state_.time_scale); steps > 0;
             --steps) {
            before_step();
            state_.require_unlocked("advance");
            if (state_.is_paused) break;
            take_step();
        }
        return state_.stepper.alpha();
    }

    void require_tile_map(BodyId id) const {
        detail::require(state_.bodies.is_tile_map(state_.slot_of(id, "tile_map")),
                        "tile_map: body %u has no tiles, expected one from create_tile_map",
                        id.index);
    }

    void require_two(BodyId a, BodyId b, const char* call) const {
        state_.require_unlocked(call);
        (void)state_.slot_of(a, call);
        (void)state_.slot_of(b, call);
        detail::require(a != b, "%s: both are body %u, expected two bodies", call, a.index);
    }

    void ignore(BodyId a, BodyId b, bool until_apart, const char* call) {
        require_two(a, b, call);
        state_.ignored.insert(a, b, until_apart);
        rouse_both(a, b);
    }

    void rouse_both(BodyId a, BodyId b) {
        detail::rouse(state_, a);
        detail::rouse(state_, b);
        state_.broad_phase.forget_pairs();
    }

    [[nodiscard]] const detail::WorldState& unlocked(const char* call) const {
        state_.require_unlocked(call);
        return state_;
    }
    [[nodiscard]] detail::WorldState& unlocked(const char* call) {
        state_.require_unlocked(call);
        return state_;
    }

    /// By the id of a slot.
    [[nodiscard]] bool lives(BodyId id) const { return state_.bodies.slots.contains(id); }

    static void require_way(Vec2 origin, Vec2 translation, const char* call) {
        detail::require_finite(origin, call, "the origin");
        detail::require_finite(translation, call, "the translation");
    }

    detail::WorldState state_;
};

/// One step of each of many worlds, each by one of an executor's threads (see World::step). `worlds` is
/// anything with size() and [] that gives World&.
template <class Worlds, class Executor>
void step_many(Worlds& worlds, Executor&& executor) {
    constexpr std::size_t most_tasks = 256;
    const std::size_t count = worlds.size();
    const std::size_t tasks = count < most_tasks ? count : most_tasks;
    executor(static_cast<int>(tasks), [&](int task) {
        const std::size_t i = static_cast<std::size_t>(task);
        for (std::size_t k = i * count / tasks; k < (i + 1) * count / tasks; ++k) worlds[k].step();
    });
}

}  // namespace phys2d::inline PHYS2D_ABI
