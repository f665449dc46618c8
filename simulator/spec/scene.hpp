// A scene as a record. Every key of a scene file is a field of this record or of a record in it.
#pragma once

#include "reference/spec/contact_force.hpp"
#include "reference/spec/family/nonsmooth.hpp"
#include "simulator/spec/number.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace demeter::simulator {

/// Returns a zero vector of any scalar that can be made from a double.
template <class Scalar>
Vector3<Scalar> zero3() {
  return {Scalar(0.0), Scalar(0.0), Scalar(0.0)};
}

using contact_force::ForceLaw;
using contact_force::Tension;

/// The rule that sets the step dt.
enum class StepRule { fixed, stiffness, p_wave, woo };
constexpr std::array<std::string_view, 4> labels(StepRule) { return {"fixed", "stiffness", "p-wave", "woo"}; }

/// The time of the velocities that a scene gives: time 0, or half a step earlier.
enum class Start { half_step, raw };
constexpr std::array<std::string_view, 2> labels(Start) { return {"half-step", "raw"}; }

enum class Dynamics { smooth, nonsmooth };
constexpr std::array<std::string_view, 2> labels(Dynamics) { return {"smooth", "nonsmooth"}; }

/// The method that computes the impulses of a step in non-smooth dynamics.
enum class SolverMethod { nlgs, jacobi, mass_splitting_jacobi, apgd, documented, documented_jacobi };
constexpr std::array<std::string_view, 6> labels(SolverMethod) {
  return {"nlgs", "jacobi", "mass_splitting_jacobi", "apgd", "documented", "documented_jacobi"};
}

/// The rule that decides whether the end of a segment is a contact in addition to the segment.
enum class BoundaryRule { joint, documented };
constexpr std::array<std::string_view, 2> labels(BoundaryRule) { return {"joint", "documented"}; }

/// The code whose formula computes the relative velocity at a contact.
enum class Kinematics { demeter, woo, yade, lammps, liggghts };
constexpr std::array<std::string_view, 5> labels(Kinematics) {
  return {"demeter", "woo", "yade", "lammps", "liggghts"};
}

/// Returns whether the kinematics are those of a code for spheres: arms along the normal instead of a contact point.
constexpr bool is_of_spheres(Kinematics kinematics) {
  return kinematics == Kinematics::yade || kinematics == Kinematics::lammps || kinematics == Kinematics::liggghts;
}

/// The length of the arms with which spins contribute to the velocity at a contact of spheres.
enum class VelocityArms { kinematics, radius, middle };
constexpr std::array<std::string_view, 3> labels(VelocityArms) { return {"kinematics", "radius", "middle"}; }

/// Whether the tangential velocity of the centres of spheres is multiplied by the factor against ratcheting.
enum class Ratcheting { kinematics, on, off };
constexpr std::array<std::string_view, 3> labels(Ratcheting) { return {"kinematics", "on", "off"}; }

/// Whether the spring of bodies that touch at the start moves in the first evaluation of the forces.
enum class FirstForces { move, rest };
constexpr std::array<std::string_view, 2> labels(FirstForces) { return {"move", "rest"}; }

/// The source of the stiffness of a contact in the linear laws.
enum class Stiffness { given, series, woo, woo_at_creation, yade, liggghts_hooke };
constexpr std::array<std::string_view, 6> labels(Stiffness) {
  return {"given", "series", "woo", "woo-at-creation", "yade", "liggghts-hooke"};
}

/// Returns whether the stiffness comes from kn of the materials.
constexpr bool is_from_kn(Stiffness stiffness) {
  return stiffness == Stiffness::given || stiffness == Stiffness::series;
}

/// The formula for the damping that gives a coefficient of restitution.
enum class RestitutionRule { exact, tsuji_fit, thornton_fit };
constexpr std::array<std::string_view, 3> labels(RestitutionRule) { return {"exact", "tsuji-fit", "thornton-fit"}; }

/// The source of the tangential damping coefficient: a ratio of the materials, or the ratio of the stiffnesses.
enum class TangentialDamping { ratio, stiffness };
constexpr std::array<std::string_view, 2> labels(TangentialDamping) { return {"ratio", "stiffness"}; }

/// The time at which velocities and spins of bodies are shown: that of the positions, or half a step earlier.
enum class ShownVelocity { step, half_step };
constexpr std::array<std::string_view, 2> labels(ShownVelocity) { return {"step", "half-step"}; }

/// The method that computes the orientation after a step from the angular momentum.
enum class Rotation { dlm, midpoint, fincham, delvalle, woo };
constexpr std::array<std::string_view, 5> labels(Rotation) { return {"dlm", "midpoint", "fincham", "delvalle", "woo"}; }

/// The point of a body at which the force of a contact acts.
enum class Arms { kinematics, contact, radius, middle };
constexpr std::array<std::string_view, 4> labels(Arms) { return {"kinematics", "contact", "radius", "middle"}; }

/// The point where the force of a wall acts: on the plane, or midway between the plane and the deepest point.
enum class WallPoint { plane, middle };
constexpr std::array<std::string_view, 2> labels(WallPoint) { return {"plane", "middle"}; }

/// The normal velocity that a force law uses. lagged: the velocity half a step before the force. extrapolated: this
/// velocity plus half a step of acceleration.
enum class LawVelocity { lagged, extrapolated };
constexpr std::array<std::string_view, 2> labels(LawVelocity) { return {"lagged", "extrapolated"}; }

enum class Form { sphere, capsule, clump, wall, none, disc, polyline };
constexpr std::array<std::string_view, 7> labels(Form) {
  return {"sphere", "capsule", "clump", "wall", "none", "disc", "polyline"};
}
/// Returns whether a body of this form has no mass and no position of its own. Such a body comes first in every
/// contact.
constexpr bool is_boundary(Form form) { return form == Form::wall || form == Form::polyline; }

/// The source of the mass of a body: the sum over its members by density, the union of its members by density, or
/// values in the scene.
enum class MassRule { sum, joined, given };
constexpr std::array<std::string_view, 3> labels(MassRule) { return {"sum", "union", "given"}; }

enum class OutputKind { csv, dump, contacts, vtk, checkpoint };
constexpr std::array<std::string_view, 5> labels(OutputKind) {
  return {"csv", "dump", "contacts", "vtk", "checkpoint"};
}

/// The time step of a scene. A scene file may give a number instead of a table. This number is then `dt`.
template <class Scalar>
struct TimeStep {
  std::optional<Scalar> dt;
  Scalar safety{0.5};
  StepRule rule = StepRule::fixed;
  std::uint64_t period = 100;

  static constexpr std::string_view shorthand = "dt";
  static constexpr auto fields() {
    return std::tuple{
        field("dt", &TimeStep::dt, unit::second, "the step, or the first step of the rule woo; > 0"),
        field("safety", &TimeStep::safety, unit::none, "factor for the step of the rule; > 0"),
        field("rule", &TimeStep::rule, unit::none,
              "fixed: dt; stiffness: smallest sqrt(2 m / K) of all bodies, where K is the stiffness of a contact of "
              "two such bodies; p-wave: r / sqrt(E / rho); woo: begins with dt or the step of p-wave, grows by the "
              "factor 1.0001 per step up to the critical step, and falls to the critical step at once"),
        field("period", &TimeStep::period, unit::none, "rule woo: number of steps after which dt may change"),
    };
  }
};

template <class Scalar>
struct Settings {
  std::string title;
  Vector3<Scalar> gravity = zero3<Scalar>();
  std::optional<Scalar> duration;
  std::uint64_t steps = 0;
  TimeStep<Scalar> dt;
  Start start = Start::half_step;
  ShownVelocity shown_velocity = ShownVelocity::step;
  std::string oracle;

  static constexpr auto fields() {
    return std::tuple{
        field("title", &Settings::title, unit::none, "one line about the scene"),
        field("gravity", &Settings::gravity, "m/s^2", Kind::vector, "acceleration; zero if not given"),
        field("duration", &Settings::duration, unit::second, "simulated time; give either duration or steps"),
        field("steps", &Settings::steps, unit::none, "number of steps, at the dt of the scene"),
        field("dt", &Settings::dt, unit::none, "the time step: seconds, or a table of the keys below"),
        field("start", &Settings::start, unit::none,
              "half-step: the velocities are at the time 0, so the first kick takes dt/2 (as in LAMMPS and LIGGGHTS); "
              "raw: the velocities are half a step earlier, so the first kick takes dt (as in YADE and Woo), which "
              "reduces the order to 1"),
        field(
            "shown_velocity", &Settings::shown_velocity, unit::none,
            "time of the velocities and spins of bodies in all output; step: that of the positions; half-step: half a "
            "step earlier, as in YADE"),
        field("oracle", &Settings::oracle, unit::none,
              "exact solution for --refine: rotation (bodies without contact) or impact (spheres on walls), in "
              "continuous time; if not given, the limit of the refinement"),
    };
  }
};

template <class Scalar>
struct Model {
  Dynamics dynamics = Dynamics::smooth;
  Kinematics kinematics = Kinematics::demeter;
  ForceLaw law = ForceLaw::linear;
  Stiffness stiffness = Stiffness::given;
  Rotation rotation = Rotation::dlm;
  Arms arms = Arms::kinematics;
  WallPoint wall_point = WallPoint::plane;
  LawVelocity velocity = LawVelocity::lagged;
  Tension tension = Tension::cut;
  Scalar damping{0.0};
  VelocityArms velocity_arms = VelocityArms::kinematics;
  Ratcheting ratcheting_factor = Ratcheting::kinematics;
  FirstForces first_forces = FirstForces::move;
  RestitutionRule restitution = RestitutionRule::exact;
  TangentialDamping tangential_damping = TangentialDamping::ratio;
  std::optional<Scalar> characteristic_velocity;

  static constexpr auto fields() { return std::tuple_cat(main_fields(), fields_of_codes()); }

 private:
  static constexpr auto main_fields() {
    return std::tuple{
        field("dynamics", &Model::dynamics, unit::none,
              "smooth: forces from overlaps; nonsmooth: discs in the plane that do not overlap, with impulses, without "
              "friction, perfectly inelastic"),
        field("kinematics", &Model::kinematics, unit::none,
              "formula of the relative velocity at a contact; yade, lammps and liggghts: spheres only"),
        field("law", &Model::law, unit::none, "the force law of the kernel contact_force"),
        field(
            "stiffness", &Model::stiffness, unit::none,
            "for the laws linear and dashpot; given: kn of the materials, for two materials 2/(1/kn1 + 1/kn2); series: "
            "1/(1/kn1 + 1/kn2), half of that; woo (lengths r), woo-at-creation (lengths r + uN/2 of the first step), "
            "yade: from young and the radii; liggghts-hooke: from young, poisson, radii, masses and "
            "characteristic_velocity"),
        field("rotation", &Model::rotation, unit::none,
              "for bodies that are not spheres; second order: dlm (keeps |L|), midpoint, fincham, delvalle; first "
              "order: woo"),
        field("arms", &Model::arms, unit::none,
              "lever arms of torques; kinematics: of the formula of the kinematics; contact: to the contact point; "
              "radius, middle: along the normal, with the length of the radius, or the radius minus half the overlap"),
        field("wall_point", &Model::wall_point, unit::none,
              "point where the force of a wall acts; plane: on the plane; middle: halfway between the plane and the "
              "deepest point"),
        field("velocity", &Model::velocity, unit::none,
              "velocity for damping; lagged: half a step earlier; extrapolated: extrapolated to the end of the step"),
        field("tension", &Model::tension, unit::none,
              "allowed: damping may make bodies attract each other; cut: attraction is set to 0"),
        field("damping", &Model::damping, unit::none, "Cundall's non-viscous damping, 0 to below 1"),
    };
  }
  /// Choices in which codes differ.
  static constexpr auto fields_of_codes() {
    return std::tuple{
        field(
            "velocity_arms", &Model::velocity_arms, unit::none,
            "arms with which spins contribute to the velocity at a contact of spheres; kinematics: radius for yade and "
            "lammps, middle for liggghts; radius: the radius; middle: the radius minus half the overlap"),
        field("ratcheting_factor", &Model::ratcheting_factor, unit::none,
              "on: the tangential velocity of the centres of spheres is multiplied by (r1 + r2)/(r1 + r2 - overlap); "
              "kinematics: on for yade, otherwise off"),
        field(
            "first_forces", &Model::first_forces, unit::none,
            "bodies that touch at the start; rest: their springs do not move in the first evaluation of the forces, as "
            "in LAMMPS and LIGGGHTS; move: as in every other step"),
        field(
            "restitution", &Model::restitution, unit::none,
            "damping from the coefficient of restitution e; exact: for a contact that may pull; tsuji-fit: polynomial "
            "of LAMMPS, granular tsuji; thornton-fit: for law hertz without tension, of YADE, MindlinPhys"),
        field(
            "tangential_damping", &Model::tangential_damping, unit::none,
            "tangential damping coefficient; ratio: tangential_damping of the materials times the normal one; "
            "stiffness: times the root of kt over the slope of the normal force, as in LIGGGHTS and YADE, MindlinPhys"),
        field("characteristic_velocity", &Model::characteristic_velocity, unit::velocity,
              "velocity of the stiffness liggghts-hooke, > 0"),
    };
  }
};

/// Non-smooth dynamics only: the solver for the impulses of a step.
template <class Scalar>
struct Solver {
  SolverMethod method = SolverMethod::nlgs;
  Scalar tolerance{1e-6};
  std::uint64_t itmax = 1000;
  std::optional<Scalar> alert;
  BoundaryRule boundary = BoundaryRule::joint;
  bool warm = true;

  static constexpr auto fields() {
    return std::tuple{
        field("method", &Solver::method, unit::none,
              "nlgs: Gauss-Seidel with accumulated impulses; jacobi: with the relaxation 1.9 / (largest eigenvalue of "
              "the sum of n n^T per disc); mass_splitting_jacobi; apgd: accelerated projected gradient with mass "
              "splitting; documented, documented_jacobi: as printed in a course, without accumulated impulses: they "
              "converge to other velocities, or do not converge"),
        field("tolerance", &Solver::tolerance, unit::none,
              "the sweeps of a step end when the natural residual max |min(W p, w)| is at most this, in units of "
              "|gravity| dt, or in m/s without gravity; documented methods: largest correction of a sweep; > 0; 1e-6 "
              "if not given"),
        field("itmax", &Solver::itmax, unit::none,
              "largest number of sweeps per step; a step that uses all of them and misses the tolerance counts as "
              "capped; 0: no limit"),
        field("alert", &Solver::alert, unit::metre,
              "surfaces that are nearer than this are a potential contact; at least the largest speed times dt"),
        field("boundary", &Solver::boundary, unit::none,
              "joint: the end of a segment is a contact only if the centre of the disc projects into no segment at "
              "this vertex; documented: as printed in a course, every end is a contact, which causes ghost collisions"),
        field("warm", &Solver::warm, unit::none,
              "true: a contact starts with its impulse of the previous step; not used by the documented methods"),
    };
  }
};

/// The line at which discs are counted when they pass.
template <class Scalar>
struct Orifice {
  Vector2<Scalar> position = {Scalar(0.0), Scalar(0.0)}, direction = {Scalar(0.0), Scalar(-1.0)};

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Orifice::position, unit::metre, Kind::position, "a point of the line; (0, 0) if not given"),
        field("direction", &Orifice::direction, unit::none, Kind::vector,
              "direction in which discs pass the line; (0, -1) if not given"),
    };
  }
};

/// The formulas of the kernels: a printed formula by its name, or the reference.
template <class Scalar>
struct Use {
  std::string capsule_contact = "reference", wall_capsule_contact = "reference", contact_force = "reference";
  contact_force::Choices law = {};  ///< the law that `contact_force` names. This field is not a key of a scene.

  static constexpr auto fields() {
    return std::tuple{
        field("capsule_contact", &Use::capsule_contact, unit::none, "contact of spheres and capsules"),
        field("wall_capsule_contact", &Use::wall_capsule_contact, unit::none, "contact with a wall"),
        field("contact_force", &Use::contact_force, unit::none,
              "one step of the force law: a name or choices, such as lammps-hooke-history or textbook,limit=sum; see "
              "`demeter list contact_force --choices`"),
    };
  }
};

template <class Scalar>
struct View {
  Vector3<Scalar> direction = {Scalar(0.0), Scalar(-1.0), Scalar(0.0)};
  Vector3<Scalar> up = {Scalar(0.0), Scalar(0.0), Scalar(1.0)};
  bool contacts = true;
  Scalar speed{1.0};

  static constexpr auto fields() {
    return std::tuple{
        field("direction", &View::direction, unit::none, Kind::vector, "direction from the scene to the viewer"),
        field("up", &View::up, unit::none, Kind::vector, "upward direction in the picture"),
        field("contacts", &View::contacts, unit::none, "true: contact forces are drawn"),
        field("speed", &View::speed, unit::none, "seconds of simulated time per second of the film"),
    };
  }
};

template <class Scalar>
struct Material {
  std::string name;
  std::optional<Scalar> density, young, kn, kn_hertz, normal_damping, damping_rate;
  Scalar poisson{0.0}, kt_over_kn{0.0}, tan_phi{0.0}, damping_ratio{0.0}, tangential_damping{0.0};
  std::optional<Scalar> restitution;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &Material::name, unit::none, "name that bodies refer to"),
        field("density", &Material::density, unit::density, "> 0; not needed if the body is fixed or has a given mass"),
        field("young", &Material::young, "N/m^2", "Young's modulus, > 0; \"inf\": rigid", may_be_infinite),
        field("poisson", &Material::poisson, unit::none, "Poisson's ratio, above -1 and at most 1/2; law hertz"),
        field("kn", &Material::kn, "N/m",
              "normal stiffness of a contact between two bodies of this material; for two materials 2/(1/kn1 + 1/kn2)"),
        field("kn_hertz", &Material::kn_hertz, "N/m^2",
              "law hertz, instead of young: the normal force is kn_hertz (R overlap)^(1/2) overlap; for two materials "
              "2/(1/k1 + 1/k2)"),
        field("kt_over_kn", &Material::kt_over_kn, unit::none,
              "tangential over normal stiffness; for two materials the mean; not used with law hertz and young"),
        field("tan_phi", &Material::tan_phi, unit::none, "friction coefficient; for two materials the smaller value"),
        field(
            "normal_damping", &Material::normal_damping, "kg/s",
            "damping coefficient of a contact between two bodies of this material; for two materials 2/(1/c1 + 1/c2); "
            "law dashpot, instead of damping_ratio"),
        field(
            "damping_rate", &Material::damping_rate, "1/s",
            "damping coefficient divided by the effective mass; for two materials the smaller value; law dashpot; law "
            "hertz: in 1/(m s), and multiplied by R (overlap / R) to the power of the law's choice of damping"),
        field("damping_ratio", &Material::damping_ratio, unit::none,
              "fraction of critical damping; for two materials the smaller value; law dashpot"),
        field("restitution", &Material::restitution, unit::none,
              "coefficient of restitution if tension is allowed, above 0 and at most 1; for two materials the smaller "
              "value; laws dashpot (instead of damping_ratio) and hertz"),
        field("tangential_damping", &Material::tangential_damping, unit::none,
              "tangential over normal damping coefficient; for two materials the smaller value"),
    };
  }
};

/// An orientation. A scene file may give a list instead of a table. This list is then the quaternion.
template <class Scalar>
struct Orientation {
  Quaternion<Scalar> quaternion = {Scalar(1.0), Scalar(0.0), Scalar(0.0), Scalar(0.0)};
  std::optional<Vector3<Scalar>> axis;
  Scalar angle{0.0};

  static constexpr std::string_view shorthand = "quaternion";
  static constexpr auto fields() {
    return std::tuple{
        field("quaternion", &Orientation::quaternion, unit::none, Kind::quaternion,
              "w, x, y, z; rotates the local frame into the global frame; any length except 0"),
        field("axis", &Orientation::axis, unit::none,
              "instead of a quaternion: axis of a rotation, any length except 0"),
        field("angle", &Orientation::angle, "rad", "angle of this rotation"),
    };
  }
};

/// The mass of a body. A scene file may give a word instead of a table. This word is then the rule.
template <class Scalar>
struct Mass {
  MassRule rule = MassRule::sum;
  std::optional<Scalar> mass;
  std::optional<Vector3<Scalar>> moments;
  Vector3<Scalar> centroid = zero3<Scalar>();
  Orientation<Scalar> orientation;

  static constexpr std::string_view shorthand = "rule";
  static constexpr auto fields() {
    return std::tuple{
        field("rule", &Mass::rule, unit::none,
              "sum: sum over the members; union: of spheres, overlaps count once; given: mass and moments of the keys "
              "below (this rule need not be named)"),
        field("mass", &Mass::mass, unit::kilogram, "> 0"),
        field("moments", &Mass::moments, unit::inertia,
              "principal moments, > 0, each at most the sum of the other two"),
        field("centroid", &Mass::centroid, unit::metre, "centre of mass, in the frame of the body"),
        field("orientation", &Mass::orientation, unit::none,
              "orientation of the principal axes, in the frame of the body"),
    };
  }
};

template <class Scalar>
struct Member {
  Form shape = Form::sphere;
  Vector3<Scalar> position = zero3<Scalar>();
  Orientation<Scalar> orientation;
  std::optional<Scalar> radius;
  Scalar shaft{0.0};

  static constexpr auto fields() {
    return std::tuple{
        field("shape", &Member::shape, unit::none, "sphere or capsule"),
        field("position", &Member::position, unit::metre, Kind::position, "of the centre, in the frame of the clump"),
        field("orientation", &Member::orientation, unit::none, "orientation in the frame of the clump"),
        field("radius", &Member::radius, unit::metre, "> 0"),
        field("shaft", &Member::shaft, unit::metre, "of a capsule: distance between the centres of its ends"),
    };
  }
};

/// Discs in rows above an orifice. Row k is at the height y = first + k rows. The half width of a row is half =
/// min(half_width, opening + slope y) - clearance. The row has floor(2 half / pitch) + 1 discs with the distance
/// `pitch`. The row is centred and then shifted by a quarter of the pitch: even rows to the left, odd rows to the
/// right. Each disc draws three random numbers u, for x, y and its radius. (u - 1/2) jitter is added to x and y, and
/// the radius is radius_least + u (radius_most - radius_least). A number u is the upper 53 bits of a number of the
/// 64-bit Mersenne twister, divided by 2^53. All calculations use exact rationals.
template <class Scalar>
struct Fill {
  std::uint64_t count = 0, seed = 0;
  Scalar radius_least{0.0}, radius_most{0.0}, first{0.0}, rows{0.0}, pitch{0.0}, half_width{0.0}, opening{0.0},
      slope{0.0}, clearance{0.0}, jitter{0.0};

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("count", &Fill::count, unit::none, "number of discs, named name1, name2, ..."),
            field("seed", &Fill::seed, unit::none, "seed of the random jitter and radii"),
            field("radius_least", &Fill::radius_least, unit::metre,
                  "smallest radius, > 0; radii are uniformly distributed"),
            field("radius_most", &Fill::radius_most, unit::metre, "largest radius"),
            field("first", &Fill::first, unit::metre, "height of the first row"),
            field("rows", &Fill::rows, unit::metre, "distance between rows, > 0"),
            field("pitch", &Fill::pitch, unit::metre, "distance between discs in a row, > 0"),
        },
        std::tuple{
            field("half_width", &Fill::half_width, unit::metre, "largest half-width of the container"),
            field("opening", &Fill::opening, unit::metre, "half-width at the height 0"),
            field("slope", &Fill::slope, unit::none,
                  "increase of the half-width per metre of height, up to half_width"),
            field("clearance", &Fill::clearance, unit::metre, "distance from the ends of a row to the container"),
            field("jitter", &Fill::jitter, unit::metre, "width of the uniform random shift in both directions"),
        });
  }
};

template <class Scalar>
struct Body {
  std::string name;
  Form shape = Form::sphere;
  std::string material;
  Vector3<Scalar> position = zero3<Scalar>();
  Orientation<Scalar> orientation;
  Vector3<Scalar> velocity = zero3<Scalar>();
  Vector3<Scalar> spin = zero3<Scalar>();
  Vector3<Scalar> torque = zero3<Scalar>();
  std::optional<Scalar> radius;
  Scalar shaft{0.0};
  std::vector<Member<Scalar>> members;
  Mass<Scalar> mass;
  bool fixed = false;
  std::string blocked;
  std::uint64_t axis = 2;
  std::int64_t sense = 1;
  std::uint64_t copies = 1;
  Vector3<Scalar> shift = zero3<Scalar>();
  std::vector<Vector2<Scalar>> points;
  bool closed = false;
  std::string file;
  std::optional<Fill<Scalar>> fill;
  /// The lines of the mesh in `file`. This field is not a key of a scene.
  std::vector<std::array<Vector2<Scalar>, 2>> lines;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("name", &Body::name, unit::none, "name in observables; body1, body2, ... if not given"),
            field("shape", &Body::shape, unit::none,
                  "sphere, capsule (along its own x), clump, wall, none; in non-smooth dynamics disc and polyline"),
            field("material", &Body::material, unit::none,
                  "name of the material; may be omitted if the scene has one material"),
            field(
                "position", &Body::position, unit::metre, Kind::position,
                "sphere, capsule, disc: centre; clump: origin of its frame; wall: any point of the wall. In non-smooth "
                "dynamics, a vector may have two numbers: its z is then 0"),
            field("orientation", &Body::orientation, unit::none, "a list w, x, y, z, or a table of axis and angle"),
            field("velocity", &Body::velocity, unit::velocity, Kind::vector, "of the centre of mass"),
            field("spin", &Body::spin, unit::spin, Kind::axial,
                  "angular velocity, global frame; of a disc: about z, constant"),
            field("torque", &Body::torque, unit::newton_metre, Kind::axial,
                  "constant torque in the principal axes of the body; rotates with the body"),
            field("radius", &Body::radius, unit::metre, "radius of a sphere, capsule or disc, > 0"),
            field("shaft", &Body::shaft, unit::metre, "of a capsule: distance between the centres of its ends, >= 0"),
        },
        std::tuple{
            field("members", &Body::members, unit::none, "of a clump: tables of the keys below"),
            field("mass", &Body::mass, unit::none,
                  "sum, union, or a table of the keys below; for a disc only { mass = ... }, otherwise area times "
                  "density"),
            field("fixed", &Body::fixed, unit::none, "true: the body does not move; a wall is always fixed"),
            field("blocked", &Body::blocked, unit::none,
                  "blocked degrees of freedom: letters of xyz (translation) and XYZ (rotation about the global axes)"),
            field("axis", &Body::axis, unit::none, "of a wall: the axis perpendicular to the wall, 0 to 2"),
            field("sense", &Body::sense, unit::none, "of a wall: its free side; 1: above, -1: below"),
            field("copies", &Body::copies, unit::none, "number of copies, named name1, name2, ..."),
            field("shift", &Body::shift, unit::metre, Kind::vector, "shift from one copy to the next"),
            field("points", &Body::points, unit::metre, "of a polyline: a list of [x, y]"),
        },
        std::tuple{
            field("closed", &Body::closed, unit::none, "of a polyline: true joins the last point to the first"),
            field("file", &Body::file, unit::none,
                  "of a polyline, instead of points: the lines of a gmsh mesh (format 2.2, text)"),
            field("fill", &Body::fill, unit::none,
                  "of a disc: fills a container with many discs, a table of the keys below"),
        });
  }
};

template <class Scalar>
struct OutputRule {
  OutputKind kind = OutputKind::csv;
  std::uint64_t every = 1;

  static constexpr auto fields() {
    return std::tuple{
        field("kind", &OutputRule::kind, unit::none,
              "csv: observables; dump: trajectory and contacts for the film; contacts: only the contacts; vtk; "
              "checkpoint"),
        field("every", &OutputRule::every, unit::none,
              "number of steps between two outputs, at the dt of the scene, > 0"),
    };
  }
};

/// Non-smooth dynamics only: a change during the run.
template <class Scalar>
struct Event {
  Scalar at{0.0};
  std::string remove;
  std::optional<Scalar> tolerance;

  static constexpr auto fields() {
    return std::tuple{
        field("at", &Event::at, unit::second,
              "time of the event, rounded to the nearest step; affects steps that begin at this time or later"),
        field("remove", &Event::remove, unit::none, "name of a polyline to remove"),
        field("tolerance", &Event::tolerance, unit::none, "new tolerance of the solver"),
    };
  }
};

template <class Scalar>
struct Expect {
  std::string observable;
  std::optional<Scalar> at;
  Scalar value{0.0}, tolerance{0.0}, relative{0.0};
  std::string reason;

  static constexpr auto fields() {
    return std::tuple{
        field("observable", &Expect::observable, unit::none, "name, such as sphere.velocity[2]"),
        field("at", &Expect::at, unit::second, "time, rounded to the nearest step; at the end if not given"),
        field("value", &Expect::value, unit::none, "expected value"),
        field("tolerance", &Expect::tolerance, unit::none, "allowed absolute difference"),
        field("relative", &Expect::relative, unit::none, "allowed relative difference, added to tolerance"),
        field("reason", &Expect::reason, unit::none, "source of the value and of the tolerance"),
    };
  }
};

template <class Scalar>
struct Scene {
  Settings<Scalar> scene;
  Model<Scalar> model;
  Solver<Scalar> solver;
  Orifice<Scalar> orifice;
  Use<Scalar> use;
  View<Scalar> view;
  std::vector<Material<Scalar>> material;
  std::vector<Body<Scalar>> body;
  std::vector<Event<Scalar>> event;
  std::vector<OutputRule<Scalar>> output;
  std::vector<Expect<Scalar>> expect;

  static constexpr auto fields() {
    return std::tuple{
        field("scene", &Scene::scene, unit::none, "settings of the whole scene"),
        field("model", &Scene::model, unit::none, "the physics"),
        field("solver", &Scene::solver, unit::none, "solver of non-smooth dynamics"),
        field("orifice", &Scene::orifice, unit::none, "non-smooth dynamics: the line that discs pass"),
        field("use", &Scene::use, unit::none, "formula of each kernel, by its name in `demeter list`"),
        field("view", &Scene::view, unit::none, "view of the film"),
        field("material", &Scene::material, unit::none, "materials, each by its name"),
        field("body", &Scene::body, unit::none, "bodies, in the order in which forces are summed"),
        field("event", &Scene::event, unit::none, "non-smooth dynamics: changes during the run"),
        field("output", &Scene::output, unit::none, "files to write"),
        field("expect", &Scene::expect, unit::none, "expected results"),
    };
  }
};

}  // namespace demeter::simulator
