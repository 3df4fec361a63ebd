// SPDX-License-Identifier: MIT
// World: bodies that fall, collide, stack, slide and bounce, in fixed steps.
//
// A World is a value: copying it saves it, assigning the copy back rolls it back, and both continue
// with the same bits. It has no globals and no limits on counts; there may be any number of worlds,
// each used by one thread at a time. Bodies can be created, destroyed and changed at any time
// between steps. Invalid arguments are errors that change nothing (core/error.hpp). A visitor that
// must not change the world gets undefined behaviour if it does.
#pragma once

#include <type_traits>
#include <utility>

#include <phys2d/core/short_list.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/stages/world_step.hpp>
#include <phys2d/world/cast_search.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/fields.hpp>
#include <phys2d/world/lifetime.hpp>
#include <phys2d/world/origin.hpp>
#include <phys2d/world/saved_bytes.hpp>
#include <phys2d/world/saved_world.hpp>
#include <phys2d/world/state_hash.hpp>
#include <phys2d/world/surface.hpp>
#include <phys2d/world/touches.hpp>

namespace phys2d::inline PHYS2D_ABI {

class World;
struct Mover;

namespace detail {
/// The default `before_step` of `World::advance`.
struct DoNothing {
    constexpr void operator()() const {}
};
template <int Width>
Vec2 move(World& world, Mover& mover, Vec2 velocity, float dt);
class MoverSurroundings;
}  // namespace detail

/// Bodies, terrain, contacts and events: everything that moves in steps of the same length. A
/// value: a copy continues with the same bits.
class World {
public:
    /// Visits of what is found allocate only when there is more than this.
    static constexpr std::size_t few_found = detail::few_found;

    World() = default;
    explicit World(const WorldConfig& config) : state_{.config = detail::checked(config)} {}
    World(const World& other) : state_(other.unlocked("copying a World")) {}
    /// Leaves an empty World with the default config behind. Terminates if either World is inside
    /// its own step. Move assignment does the same.
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

    /// Replaces the contents of a container of bytes, such as std::vector<std::byte> or
    /// std::string, by the whole world, to be written to a file or to be sent: see `load`. Equal
    /// worlds are the same bytes, on every machine of one byte order. Piles take 500 to 900 bytes a
    /// body, depending on how many neighbours it has, and any world 58 for the most bodies that it
    /// ever had. User data is saved as the number that it is: as a pointer it means nothing
    /// elsewhere. A player who joins needs the world and each mover (Mover::save), saved between
    /// the same two steps. What `advance` keeps is in it: the time owed, and the events of all
    /// steps of the frame. So machines with other frames compare what they save in worlds that they
    /// `step`. Other threads may query, copy and save the world meanwhile.
    template <class Bytes>
    void save(Bytes& bytes) const {
        detail::save("world", unlocked("save"), bytes);
    }
    /// Becomes the world that was saved as these bytes, and goes on with the same bits, also on
    /// another machine; ids and events are those of that world. The functions of the config, and
    /// the context of `pair_filter`, stay. Damaged bytes, and those of another version of phys2d or
    /// of another byte order, are errors that change nothing. A sum tells accidents, not attacks:
    /// load only what you trust.
    template <class Bytes>
    void load(const Bytes& bytes) {
        state_.require_unlocked("load");
        detail::WorldState loaded{.config = state_.config};
        detail::load("world", detail::contents_of(bytes), loaded);
        state_ = std::move(loaded);
    }

    // ------------------------------------------------------------------------------- bodies

    /// Adds a body with one collider; its shape's center is relative to the body's position [m].
    BodyId create_body(const BodyDef& def, const Shape& shape, const Material& material = {},
                       const ColliderDef& collider = {}) {
        return detail::create_body(state_, def, shape, material, collider);
    }

    /// Adds a static or kinematic body made of a Segment, Polygon, Chain or HalfSpace, in
    /// coordinates relative to the body's position [m]. Its mass is 0 unless `def.mass` is given. A
    /// dynamic type is an error.
    BodyId create_body(const BodyDef& def, const Outline& outline, const Material& material = {},
                       const ColliderDef& collider = {}) {
        return detail::create_body(state_, def, outline, material, collider);
    }

    /// Adds a map of tiles, empty at first: see `tile_map`.
    BodyId create_tile_map(const TileMapDef& def = {}) {
        return detail::create_tile_map(state_, def);
    }

    /// Adds a collider to a body, any number of them; its shape's center is relative to the body's
    /// position [m]. Colliders of one body never collide with each other. A body's mass that
    /// follows from density grows by the collider's mass, unless the collider is a sensor. It
    /// begins with the user data of the body: see ColliderRef::set_user_data. Where that changes
    /// the mass of a dynamic body, adding, changing or destroying a collider takes longer the more
    /// its body has: 3 to 11 µs for a thousand of them.
    ColliderId add_collider(BodyId body, const Shape& shape, const Material& material = {},
                            const ColliderDef& def = {}) {
        return detail::add_collider(state_, body, shape, material, def);
    }

    /// The same with terrain. A dynamic body is an error.
    ColliderId add_collider(BodyId body, const Outline& outline, const Material& material = {},
                            const ColliderDef& def = {}) {
        return detail::add_collider(state_, body, outline, material, def);
    }

    /// Removes a collider that `add_collider` has added; its id becomes stale. A body's first
    /// collider lives as long as the body: removing it is an error. O(colliders of the body).
    void destroy_collider(ColliderId id) { detail::destroy_collider(state_, id); }

    /// Calls visit(ColliderId) for each collider of a body, its first collider first. `visit` may
    /// change the world: colliders that it destroys are not visited.
    template <class Visit>
    void for_each_collider(BodyId body, Visit visit) const {
        (void)state_.slot_of(body, "for_each_collider");
        visit_living<ColliderId>(visit, [&](auto found) {
            state_.bodies.for_each_of(body,
                                      [&](std::int32_t slot) { found(state_.bodies.ids[slot]); });
        });
    }

    /// Calls visit(ColliderId) for each collider of the world, in the order of the indices of their
    /// ids. `visit` may change the world: colliders that it destroys are not visited; those that it
    /// creates are only if they get the index of one that was destroyed.
    template <class Visit>
    void for_each_collider(Visit visit) const {
        for_each_id([&](ColliderId id, BodyId) { visit(id); });
    }

    /// The same for each body: calls visit(BodyId).
    template <class Visit>
    void for_each_body(Visit visit) const {
        for_each_id([&](ColliderId id, BodyId owner) {
            if (id == first_collider(owner)) visit(owner);
        });
    }

    /// Destroys a body and its colliders. Their ids become stale.
    void destroy_body(BodyId id) { detail::destroy_body(state_, id); }

    /// Applies an impulse away from a point to each dynamic body within reach, also behind walls. A
    /// body that contains the point is pushed away from its side nearest to the point: to the left
    /// if that is its right side, from its middle up or to the right. Of several colliders the one
    /// counts that the point is deepest in, also at its joints with the others. Wakes them.
    /// O(bodies within reach).
    void explode(const Explosion& explosion) { detail::explode(state_, explosion); }

    /// Accelerates each dynamic body that overlaps `region`, for the next step only, in addition to
    /// gravity [m/s²]: wind, currents. Several calls add up; with `advance` their place is
    /// before_step, as for forces. Wakes the bodies, unless it is zero. O(bodies in the region).
    void apply_acceleration(const Shape& region, Vec2 acceleration,
                            const QueryFilter& filter = {}) {
        detail::accelerate(state_, region, acceleration, filter);
    }

    /// Disables collisions between two bodies until `stop_ignoring`. O(ignored pairs). For what
    /// ignores a static box or map, the ground that abuts it has sides there.
    void ignore(BodyId a, BodyId b) { ignore(a, b, false, "ignore"); }
    /// The same until the two are further apart than `WorldConfig::contact_margin`: for something
    /// that has just been thrown or dropped. Who stops right beside what he has left may go back
    /// in; where that matters, as with bombs in corridors, call `stop_ignoring` once the two no
    /// longer overlap.
    void ignore_until_apart(BodyId a, BodyId b) { ignore(a, b, true, "ignore_until_apart"); }
    /// Enables collisions between two bodies again. No effect on pairs that are not ignored.
    /// O(log(ignored pairs)).
    void stop_ignoring(BodyId a, BodyId b) {
        require_two(a, b, "stop_ignoring");
        if (state_.ignored.erase(a, b)) wake_both(a, b);
    }

    /// True for the id of an existing body.
    [[nodiscard]] bool contains(BodyId id) const {
        const std::int32_t slot = state_.bodies.slots.slot_of(id);
        return slot != detail::SlotMap::no_slot && !state_.bodies.is_limb(slot);
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
    /// Whether a body was made by `create_tile_map`.
    [[nodiscard]] bool is_tile_map(BodyId id) const {
        return state_.bodies.is_tile_map(state_.slot_of(id, "is_tile_map"));
    }
    /// The tiles of a body made by `create_tile_map`; any other body is an error.
    [[nodiscard]] TileMapRef tile_map(BodyId id) {
        (void)detail::slot_of_map(state_, id, "tile_map");
        return {state_, id};
    }
    [[nodiscard]] ConstTileMapRef tile_map(BodyId id) const {
        (void)detail::slot_of_map(state_, id, "tile_map");
        return {state_, id};
    }

    /// True for the id of an existing collider.
    [[nodiscard]] bool contains(ColliderId id) const { return state_.bodies.slots.contains(id); }

    /// All bodies, also those asleep or switched off; a tile map is one.
    [[nodiscard]] std::size_t body_count() const {
        return state_.bodies.ids.size() - state_.bodies.limb_count;
    }

    // Columns: one entry per collider, all in the same order; ids()[i] is the body of entry i, so a
    // body with several colliders is in them several times. Order and spans are valid until the
    // next step, until the world is assigned to, or until a body or collider is created, destroyed,
    // woken, switched off or on, changes its type, or its mass becomes infinite or finite again.
    [[nodiscard]] Span<const BodyId> ids() const { return state_.bodies.owners; }
    /// The first `moving_count()` entries are awake and not static; the others are asleep, static
    /// or switched off.
    [[nodiscard]] std::size_t moving_count() const {
        return detail::at(state_.bodies.ranges.moving_count);
    }
    /// Of the bodies [m, world].
    [[nodiscard]] Span<const Vec2> positions() const { return state_.bodies.positions; }
    /// Before the last step, or where a body has been teleported to since: see
    /// BodyRef::interpolated_position.
    [[nodiscard]] Span<const Vec2> previous_positions() const {
        return state_.bodies.previous_positions;
    }
    /// [m/s]. Of a body with several colliders, the entry of its first one; the others follow in
    /// the next step.
    [[nodiscard]] Span<const Vec2> velocities() const { return state_.bodies.velocities; }
    /// To steer many bodies at once [m/s]. Nothing checks the values: write finite numbers only.
    /// Entries of static and sleeping bodies have no effect: call `body(id).wake()` first. For a
    /// body with several colliders the entry of its first collider counts.
    [[nodiscard]] Span<Vec2> velocities() {
        state_.require_unlocked("velocities");
        return state_.bodies.velocities;
    }
    /// Relative to the bodies' positions [m]. Meaningless for terrain.
    [[nodiscard]] Span<const Shape> shapes() const { return state_.bodies.shapes; }
    [[nodiscard]] Span<const BodyType> types() const { return state_.bodies.types; }

    // --------------------------------------------------------------------------------- time

    /// Takes exactly one step of `config().time_step` seconds, paused or not. `Lanes` is the SIMD
    /// width (1, 4 or 8); it does not affect the result.
    template <int Lanes = PHYS2D_LANES>
    void step() {
        begin_step();
        step_once<Lanes>();
    }

    /// The same on the threads of an executor. executor(n, task) must call task(i) once for every i
    /// in [0, n), in any order and on any threads, and return when all calls have returned. The
    /// result has the same bits for any number of threads. Mix functions and pair filters run on
    /// one of them; exceptions that they throw propagate out of that task.
    template <int Lanes = PHYS2D_LANES, class Executor>
    void step(Executor&& executor) {
        static_assert(!std::is_arithmetic_v<std::remove_reference_t<Executor>>,
                      "step takes config().time_step seconds: call step(), or advance(seconds)");
        begin_step();
        step_on<Lanes>(executor);
    }

    /// Takes the steps that are due after another `frame_seconds` * time_scale(), at most
    /// `WorldConfig::max_steps_per_advance`. Returns alpha in [0, 1), for `interpolated_position`.
    /// While paused it takes no step and alpha stays. Range of `frame_seconds`: [0, 1e9].
    ///
    /// The time owed belongs to the world, and goes back with it: a game that rolls back while it
    /// runs counts its time with a FixedStepper of its own, and calls `step`.
    ///
    /// Calls before_step() before each step: the place for forces, which last one step; and
    /// after_step() after each: the place to `move` characters and to act on events. If one of them
    /// pauses the world or throws, the remaining steps of the frame are dropped.
    template <class BeforeStep = detail::DoNothing, class AfterStep = detail::DoNothing>
    float advance(double frame_seconds, BeforeStep before_step = {}, AfterStep after_step = {}) {
        return advance_by(frame_seconds, before_step, after_step, [this] { step_once(); });
    }
    /// The same on the threads of an executor: see `step`.
    template <class BeforeStep = detail::DoNothing, class AfterStep = detail::DoNothing,
              class Executor>
    float advance(double frame_seconds, BeforeStep before_step, AfterStep after_step,
                  Executor&& executor) {
        return advance_by(frame_seconds, before_step, after_step, [&] { step_on(executor); });
    }

    /// What happened during the last `step`, or during all steps of the last `advance`; while that
    /// goes on, in its after_step, during the step just taken: read them in after_step or behind
    /// `advance`, not in both. The spans are valid until the next step, or until the world is
    /// assigned to.
    [[nodiscard]] Events events() const { return state_.events.told(); }

    /// Speed of simulated time in `advance`: 1 is real time, 0.1 is slow motion along the same
    /// path, 0 stops. Range [0, inf).
    void set_time_scale(float scale) {
        state_.require_unlocked("set_time_scale");
        detail::require_not_negative(scale, "set_time_scale", "time scale");
        state_.time_scale = static_cast<double>(scale);
    }
    [[nodiscard]] float time_scale() const { return static_cast<float>(state_.time_scale); }
    /// While paused, `advance` takes no steps; `step` does.
    void set_paused(bool paused) {
        state_.require_unlocked("set_paused");
        state_.is_paused = paused;
    }
    [[nodiscard]] bool is_paused() const { return state_.is_paused; }

    /// [m/s²] Wakes all bodies if it differs. O(bodies).
    void set_gravity(Vec2 gravity) {
        state_.require_unlocked("set_gravity");
        detail::require_moderate(gravity, "set_gravity", "gravity");
        for (const detail::BodyDynamics& body : state_.bodies.dynamics) {
            detail::require_valid_gravity(gravity, body.gravity_scale, "set_gravity");
        }
        if (gravity != state_.config.gravity) detail::wake_all(state_);
        state_.config.gravity = gravity;
    }
    /// Makes a place the new (0, 0) [m, world]: subtracts it from the positions of all bodies and
    /// from the targets of `move_to`. Nothing else happens to them: what sleeps sleeps on, contacts
    /// and visits go on. For worlds without an end, whose players would come to where coordinates
    /// are coarse: do it every few hundred metres, for the `Mover`s too (`Mover::shift_origin`),
    /// and for places that the game keeps. Events of the last step keep theirs.
    ///
    /// Multiples of a power of two, such as 256 m, are subtracted exactly from coordinates that do
    /// not get larger by it; others may be rounded. Tiles keep their coordinates in their map: it
    /// is fine wherever the world's origin is, a million tiles from its own, too. The next step
    /// finds all pairs again, and until then queries search bodies one by one: see `index_changes`.
    /// O(bodies).
    void shift_origin(Vec2 origin) { detail::shift_origin(state_, origin); }

    /// Calls `WorldConfig::pair_filter` again for all pairs; needed when its answers have changed.
    /// Wakes all bodies.
    void filter_again() {
        state_.require_unlocked("filter_again");
        detail::wake_all(state_);
        state_.broad_phase.forget_pairs();
    }
    [[nodiscard]] const WorldConfig& config() const { return state_.config; }
    /// Steps since the world was made.
    [[nodiscard]] std::uint64_t step_count() const { return state_.step_count; }

    // ------------------------------------------------------------------------------ queries
    // Exact at any time between steps, and safe to call from several threads at once; an error
    // during a step. Shapes are in world coordinates [m]. Bodies created or changed since the last
    // step are searched one by one: after building a large level, take one step before you query it
    // often, or call `index_changes`. Where a query takes `accepts`, it sees only bodies for which
    // accepts(BodyId) is true, asked of those that `filter` sees, in any order and perhaps several
    // times; it must not change the world.

    /// Lets later queries find the bodies created or changed since the last step as fast as the
    /// others: for callers that change and query by turns. Queries give the same answers, those
    /// that visit several perhaps in another order, and steps have the same bits. But what `save`
    /// writes differs: on machines that compare that, call it at the same times. It does less work
    /// per call the more has changed: n changes, each with a query, cost O(n^1.5). `move` does it.
    void index_changes() { index_changes_for("index_changes"); }

    /// The first collider hit by the ray from `origin` to `origin + translation` [m, world], of
    /// several hit at once the one with the lowest index; see `phys2d::ray_cast`. There are no gaps
    /// between the tiles of a map or the pieces of an outline: a ray that misses the end of one by
    /// at most 1e-5 m at length unit 1, plus rounding, hits it. Shapes are hit separately: a ray
    /// along the joint of two boxes may hit either of them or pass between them. Use terrain for
    /// ground without seams. One-way colliders are hit from all sides. A translation of length zero
    /// hits only what contains the origin.
    template <class Accepts = detail::AnyBody>
    [[nodiscard]] QueryHit ray_cast(Vec2 origin, Vec2 translation, const QueryFilter& filter = {},
                                    Accepts accepts = {}) const {
        detail::require_finite(origin, "ray_cast", "the origin");
        detail::require_finite(translation, "ray_cast", "the translation");
        return detail::first_hit<PHYS2D_LANES>(unlocked("ray_cast"), Circle{0.0f, origin},
                                               translation, {filter, accepts});
    }

    /// The first collider hit by a shape that moves by `translation` [m]; see `phys2d::shape_cast`:
    /// what it overlaps at the start it hits only if it would get deeper into it. A shape whose
    /// center is in a tile with tiles on all sides hits at fraction 0, with a normal opposite to
    /// `translation`. One-way colliders stop it from in front alone, as they stop bodies.
    template <class Accepts = detail::AnyBody>
    [[nodiscard]] QueryHit shape_cast(const Shape& shape, Vec2 translation,
                                      const QueryFilter& filter = {}, Accepts accepts = {}) const {
        detail::require_valid(shape, "shape_cast");
        detail::require_finite(translation, "shape_cast", "the translation");
        return detail::first_hit<PHYS2D_LANES>(unlocked("shape_cast"), shape, translation,
                                               {filter, accepts});
    }

    /// Calls visit(const QueryHit&) for every point where the ray enters a collider, nearest first,
    /// and so several times for a body with several colliders; but not where it gets from a tile
    /// into the next one with an equal filter. `visit` may change the world: colliders that it
    /// destroys are not visited. Allocates.
    template <class Visit>
    void for_each_on_ray(Vec2 origin, Vec2 translation, Visit visit,
                         const QueryFilter& filter = {}) const {
        detail::require_finite(origin, "for_each_on_ray", "the origin");
        detail::require_finite(translation, "for_each_on_ray", "the translation");
        visit_hits(Circle{0.0f, origin}, translation, visit, filter, "for_each_on_ray");
    }

    /// The same for every collider that `shape_cast` would hit if the others were not there, each
    /// once, where the shape meets it first; of a tile map, each kind: what a sword sweeps over, or
    /// a thick beam. What it leaves at the start `for_each_overlap` finds. Allocates.
    template <class Visit>
    void for_each_on_cast(const Shape& shape, Vec2 translation, Visit visit,
                          const QueryFilter& filter = {}) const {
        detail::require_valid(shape, "for_each_on_cast");
        detail::require_finite(translation, "for_each_on_cast", "the translation");
        visit_hits(shape, translation, visit, filter, "for_each_on_cast");
    }

    /// Calls visit(BodyId), or visit(BodyId, ColliderId) if `visit` takes both, for each collider
    /// that overlaps or touches a shape, in a deterministic order; of a tile map, for each kind of
    /// its tiles that does; a body with several colliders is visited several times. A body touches
    /// the ground that it stands on: whether there is room for a larger shape, `shape_cast` tells.
    /// A point is a circle of radius 0. `visit` may change the world: colliders that it destroys
    /// are not visited. Allocates if it finds more than `few_found` colliders.
    template <class Visit>
    void for_each_overlap(const Shape& shape, Visit visit, const QueryFilter& filter = {}) const {
        detail::require_no_negative_size(shape, "for_each_overlap");
        const auto tell = [&](ColliderId id) {
            const BodyId body = collider(id).body();
            if constexpr (std::is_invocable_v<Visit&, BodyId, ColliderId>) {
                visit(body, id);
            } else {
                visit(body);
            }
        };
        visit_living<ColliderId>(tell, [&](auto found) {
            detail::for_each_overlap<PHYS2D_LANES>(unlocked("for_each_overlap"), shape, filter,
                                                   found);
        });
    }
    /// The same for a box, which may have size 0.
    template <class Visit>
    void for_each_overlap(const AABB& box, Visit visit, const QueryFilter& filter = {}) const {
        detail::require_valid(box, "for_each_overlap");
        for_each_overlap(Shape(box), visit, filter);
    }
    /// Whether there is such a collider, of a body that passes a test: whether a shape has no room.
    /// To ask for room on the ground, make it smaller by some millimetres.
    template <class Accepts = detail::AnyBody>
    [[nodiscard]] bool any_overlap(const Shape& shape, const QueryFilter& filter = {},
                                   Accepts accepts = {}) const {
        detail::require_no_negative_size(shape, "any_overlap");
        const detail::Bodies& bodies = unlocked("any_overlap").bodies;
        bool any = false;
        detail::for_each_overlap<PHYS2D_LANES>(state_, shape, filter, [&](ColliderId id) {
            any = any || accepts(bodies.owner_of(id));
        });
        return any;
    }

    /// The body whose surface is nearest to a point, at most `within` [m, finite] away; if the
    /// point is inside bodies, the body in which it is deepest: `within` 0 finds that alone, say
    /// under a mouse pointer. Of several, that of the collider with the lowest index. Each tile of
    /// a map counts separately.
    template <class Accepts = detail::AnyBody>
    [[nodiscard]] NearestBody nearest(Vec2 point, float within, const QueryFilter& filter = {},
                                      Accepts accepts = {}) const {
        detail::require_finite(point, "nearest", "point");
        detail::require_not_negative(within, "nearest", "within");
        return detail::nearest<PHYS2D_LANES>(unlocked("nearest"), point, within, {filter, accepts});
    }

    /// Calls visit(const Surface&) for each shape that may overlap a box [m, world], each face of
    /// terrain in it, and the corner at each open end of terrain, in a deterministic order. Faces
    /// that leave the box may be clipped to it, and a long edge of a tile map may come in several
    /// faces. `visit` must not change the world.
    template <class Visit>
    void for_each_surface(const AABB& box, Visit visit, const QueryFilter& filter = {}) const {
        detail::require_valid(box, "for_each_surface");
        detail::for_each_surface<PHYS2D_LANES>(unlocked("for_each_surface"), box, filter, visit);
    }

    // ------------------------------------------------------------------------- looking inside

    /// Timings and sizes of the last step.
    [[nodiscard]] const StepStats& stats() const { return state_.stats; }

    /// A hash of the ids of all colliders and of the positions and velocities of their bodies, bit
    /// for bit, in the order of the ids. Contact impulses, forces and timers are not included, so
    /// that a divergence may show a few steps late. For tiles see TileGrid::hash. O(colliders).
    [[nodiscard]] std::uint64_t state_hash() const {
        const detail::Bodies& bodies = state_.bodies;
        StateHash hash;
        for_each_id([&](ColliderId id, BodyId owner) {
            hash.add(std::uint64_t{id.index} << 32 | id.generation);
            hash.add(bodies.positions[bodies.slots.slot_of(id)]);
            hash.add(bodies.velocity(bodies.slots.slot_of(owner)));
        });
        return hash.value();
    }

    /// Calls visit(const WorldContact&) for each contact of the last step whose bodies still exist,
    /// in solving order, then for the contacts of sleeping bodies, with the impulses that they had
    /// when these fell asleep. Those that are only about to touch are among them, with a negative
    /// penetration: see `WorldContact::is_touching`. After a step that a filter or mix function has
    /// left by throwing some may be missing. `visit` must not change the world. O(contacts).
    template <class Visit>
    void for_each_contact(Visit visit) const {
        detail::ContactSearch(state_).for_each_contact(visit);
    }
    /// The same for the contacts of one body, which is their `a`, whatever its type: normals point
    /// away from it, down to the ground that it stands on. In a deterministic order. O(its
    /// contacts) for a dynamic body that was awake in the last step and still is, else O(contacts
    /// in the world).
    ///
    ///   world.for_each_contact(crate, [&](const WorldContact& contact) {
    ///       if (contact.is_touching) load += contact.normal_impulse;
    ///   });
    template <class Visit>
    void for_each_contact(BodyId body, Visit visit) const {
        (void)state_.slot_of(body, "for_each_contact");
        detail::ContactSearch(state_, body).for_each_contact(visit);
    }

    /// Calls visit(AABB) for the range of each moving collider after the last step: no pair can be
    /// missing while the body's position stays inside (shapes are not included), but where bodies
    /// burst apart: there pairs that pass each other are left out. For debugging.
    template <class Visit>
    void for_each_range(Visit visit) const {
        for (const AABB& range : state_.broad_phase.ranges()) visit(range);
    }

    /// Calls visit(BodyId other) for each contact of `body` that is touching: between its began and
    /// its ended event, awake or asleep, or without events. What has been destroyed is left out;
    /// a body with several contacts is visited several times. Order and cost as for the contacts of
    /// one body. `visit` may change the world: bodies that it destroys are not visited.
    template <class Visit>
    void for_each_touching(BodyId body, Visit visit) const {
        (void)state_.slot_of(body, "for_each_touching");
        visit_living<BodyId>(visit, [&](auto found) {
            detail::ContactSearch(state_, body).for_each_touching(found);
        });
    }
    /// Whether two bodies touch, in the same sense.
    [[nodiscard]] bool are_touching(BodyId a, BodyId b) const {
        (void)state_.slot_of(a, "are_touching");
        (void)state_.slot_of(b, "are_touching");
        return detail::are_touching(state_, a, b);
    }
    /// Whether something touches a body on the side that a direction of any length leads to, up to
    /// 45 degrees from it: with {0, -1} whether the body is on the ground. Cost as for the contacts
    /// of one body. A direction that is zero or not finite is an error.
    [[nodiscard]] bool is_touching(BodyId body, Vec2 direction) const {
        (void)state_.slot_of(body, "is_touching");
        detail::require(is_finite(direction) && direction != Vec2{},
                        "is_touching: the direction is (%g, %g), expected a finite one that is not "
                        "zero",
                        direction.x, direction.y);
        return detail::is_touching(state_, body, normalized(direction));
    }

    /// Calls visit(BodyId visitor) for each collider that the last step found in the sensors of a
    /// body, also if it only passed through in that step, sensor by sensor, in the order of the
    /// visitors' indices: several times for a visitor with several colliders. Destroyed visitors
    /// are left out. `visit` may change the world: visitors that it destroys are not visited.
    /// O(its visitors + log(visitors of all sensors)).
    template <class Visit>
    void for_each_visitor(BodyId sensor, Visit visit) const {
        (void)state_.slot_of(sensor, "for_each_visitor");
        const detail::Bodies& bodies = state_.bodies;
        visit_living<BodyId>(visit, [&](auto found) {
            bodies.for_each_of(sensor, [&](std::int32_t slot) {
                detail::for_each_visitor(state_, bodies.ids[slot],
                                         [&](ColliderId id) { found(bodies.owner_of(id)); });
            });
        });
    }
    /// The same for one sensor collider: calls visit(ColliderId visitor).
    template <class Visit>
    void for_each_visitor(ColliderId sensor, Visit visit) const {
        (void)state_.slot_of(sensor, "for_each_visitor");
        visit_living<ColliderId>(
            visit, [&](auto found) { detail::for_each_visitor(state_, sensor, found); });
    }

    template <class Worlds, class Executor>
    friend void step_many(Worlds&& worlds, Executor&& executor);
    template <int Width>
    friend Vec2 detail::move(World& world, Mover& mover, Vec2 velocity, float dt);
    friend class detail::MoverSurroundings;

private:
    void begin_step() {
        state_.require_unlocked("step");
        state_.events.clear();
    }
    template <int Lanes = PHYS2D_LANES>
    void step_once(detail::Timing timing = detail::Timing::On) {
        detail::Alone alone;
        detail::step<Lanes>(state_, alone, timing);
    }
    void step_untimed() {
        begin_step();
        step_once(detail::Timing::Off);
    }

    /// Steps worlds [begin, end), also those behind one that throws.
    template <class Worlds>
    static void step_range(Worlds& worlds, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
#if PHYS2D_EXCEPTIONS
            try {
                worlds[i].step_untimed();
            } catch (...) {
                step_range(worlds, i + 1, end);
                throw;
            }
#else
            worlds[i].step_untimed();
#endif
        }
    }

    template <int Lanes = PHYS2D_LANES, class Executor>
    void step_on(Executor& executor) {
        detail::Crew crew;
        executor(detail::Crew::tasks, [&](int) {
            crew.join([&](detail::Crew& team) { detail::step<Lanes>(state_, team); });
        });
    }

    template <class BeforeStep, class AfterStep, class Step>
    float advance_by(double frame_seconds, BeforeStep& before_step, AfterStep& after_step,
                     Step take_step) {
        state_.require_unlocked("advance");
        detail::require_between(frame_seconds, 0.0, 1e9, "advance", "frame_seconds");
        state_.events.clear();
        if (state_.is_paused) return state_.stepper.alpha();
        detail::FrameOfEvents frame(state_.events);
        int steps = state_.stepper.advance(frame_seconds, state_.time_scale);
        for (; steps > 0 && !state_.is_paused; --steps) {
            before_step();
            state_.require_unlocked("advance");
            if (state_.is_paused) break;
            frame.tell_from_here();
            take_step();
            after_step();
        }
        return state_.stepper.alpha();
    }

    /// Calls visit(id) for each id that list(found) hands to found(id), if it exists by then.
    template <class Id, class Visit, class List>
    void visit_living(Visit& visit, List list) const {
        detail::ShortList<Id> ids;
        list([&](Id id) { ids.push_back(id); });
        ids.for_each([&](Id id) {
            if (contains(id)) visit(id);
        });
    }

    /// Calls visit(hit) for all hits of a moving shape, or of a ray, with colliders that exist by
    /// then.
    template <class Visit>
    void visit_hits(const Shape& moving, Vec2 way, Visit& visit, const QueryFilter& filter,
                    const char* call) const {
        constexpr detail::AnyBody any;
        const auto hits =
            detail::all_hits<PHYS2D_LANES>(unlocked(call), moving, way, {filter, any});
        for (const QueryHit& hit : hits) {
            if (contains(hit.collider)) visit(hit);
        }
    }

    /// Calls visit(collider, owner) for each collider, by ids.
    template <class Visit>
    void for_each_id(Visit visit) const {
        const detail::SlotMap& slots = state_.bodies.slots;
        const std::size_t end = slots.size();  // a visit may create more, or load fewer
        for (std::size_t index = 0; index < end && index < slots.size(); ++index) {
            const std::int32_t slot = slots.slot_at(index);
            if (slot == detail::SlotMap::no_slot) continue;
            visit(state_.bodies.ids[slot], state_.bodies.owners[slot]);
        }
    }

    void require_two(BodyId a, BodyId b, const char* call) const {
        state_.require_unlocked(call);
        (void)state_.slot_of(a, call);
        (void)state_.slot_of(b, call);
        detail::require(a != b, "%s: both are body %u, expected two bodies", call, a.index);
    }

    void index_changes_for(const char* call) {
        detail::WorldState& state = unlocked(call);
        state.broad_phase.sort_news_at_times(state.bodies);
    }

    void ignore(BodyId a, BodyId b, bool until_apart, const char* call) {
        require_two(a, b, call);
        state_.ignored.insert(a, b, until_apart);
        wake_both(a, b);
    }

    void wake_both(BodyId a, BodyId b) {
        detail::wake_with_leaning(state_, a);
        detail::wake_with_leaning(state_, b);
        detail::forget_pair(state_, a, b);
    }

    [[nodiscard]] const detail::WorldState& unlocked(const char* call) const {
        state_.require_unlocked(call);
        return state_;
    }
    [[nodiscard]] detail::WorldState& unlocked(const char* call) {
        state_.require_unlocked(call);
        return state_;
    }

    detail::WorldState state_;
};

/// Steps many worlds, each on one thread of the executor (see World::step). `worlds`, a container
/// or a view, needs size() and an operator[] that returns World&. A task steps up to 1/256 of the
/// worlds, all of them even if one throws; the executor decides which tasks follow one that throws.
/// Stages are not timed (see `StepStats`): that would take a tenth of the step of 50 bodies.
template <class Worlds, class Executor>
void step_many(Worlds&& worlds, Executor&& executor) {
    constexpr std::size_t most_tasks = 256;
    const std::size_t count = worlds.size();
    const std::size_t tasks = detail::smaller_of(count, most_tasks);
    executor(static_cast<int>(tasks), [&](int task) {
        const std::size_t i = static_cast<std::size_t>(task);
        World::step_range(worlds, i * count / tasks, (i + 1) * count / tasks);
    });
}

}  // namespace phys2d::inline PHYS2D_ABI
