// A scene as plain data. Every key of a scene file is a field of one of these records.
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

/// The time of the velocities of a scene at its start: time 0, or half a step before.
enum class Start { half_step, raw };
constexpr std::array<std::string_view, 2> labels(Start) { return {"half-step", "raw"}; }

enum class Dynamics { smooth, nonsmooth };
constexpr std::array<std::string_view, 2> labels(Dynamics) { return {"smooth", "nonsmooth"}; }

/// The method that computes the impulses of a step in non-smooth dynamics.
enum class SolverMethod { nlgs, jacobi, mass_splitting_jacobi, apgd, documented, documented_jacobi };
constexpr std::array<std::string_view, 6> labels(SolverMethod) {
  return {"nlgs", "jacobi", "mass_splitting_jacobi", "apgd", "documented", "documented_jacobi"};
}

/// When the end of a segment is a contact of its own.
enum class BoundaryRule { joint, documented };
constexpr std::array<std::string_view, 2> labels(BoundaryRule) { return {"joint", "documented"}; }

/// The code whose relative velocity at a contact is used.
enum class Kinematics { demeter, woo, yade, lammps };
constexpr std::array<std::string_view, 4> labels(Kinematics) { return {"demeter", "woo", "yade", "lammps"}; }

/// The source of the stiffness of a contact in a linear law.
enum class Stiffness { given, woo, woo_at_creation, yade };
constexpr std::array<std::string_view, 4> labels(Stiffness) { return {"given", "woo", "woo-at-creation", "yade"}; }

/// The method that moves an orientation by an angular momentum.
enum class Rotation { dlm, midpoint, fincham, delvalle, woo };
constexpr std::array<std::string_view, 5> labels(Rotation) { return {"dlm", "midpoint", "fincham", "delvalle", "woo"}; }

/// The point of a body at which the force of a contact acts.
enum class Arms { kinematics, contact, radius, middle };
constexpr std::array<std::string_view, 4> labels(Arms) { return {"kinematics", "contact", "radius", "middle"}; }

/// The point of a contact with a wall: on the plane, or midway between the plane and the capsule.
enum class WallPoint { plane, middle };
constexpr std::array<std::string_view, 2> labels(WallPoint) { return {"plane", "middle"}; }

/// The velocity that a force law uses.
enum class LawVelocity { lagged, extrapolated };
constexpr std::array<std::string_view, 2> labels(LawVelocity) { return {"lagged", "extrapolated"}; }

enum class Form { sphere, capsule, clump, wall, none, disc, polyline };
constexpr std::array<std::string_view, 7> labels(Form) {
  return {"sphere", "capsule", "clump", "wall", "none", "disc", "polyline"};
}
/// Returns whether a body of this form has no mass and no position of its own. Such a body comes first in every
/// contact.
constexpr bool is_boundary(Form form) { return form == Form::wall || form == Form::polyline; }

/// The source of the mass of a body: the density (member by member, or of the union), or the scene.
enum class MassRule { sum, joined, given };
constexpr std::array<std::string_view, 3> labels(MassRule) { return {"sum", "union", "given"}; }

enum class OutputKind { csv, dump, contacts, vtk, checkpoint };
constexpr std::array<std::string_view, 5> labels(OutputKind) {
  return {"csv", "dump", "contacts", "vtk", "checkpoint"};
}

/// The time step of a scene. A bare number is `dt`.
template <class Scalar>
struct TimeStep {
  std::optional<Scalar> dt;
  Scalar safety{0.5};
  StepRule rule = StepRule::fixed;
  std::uint64_t period = 100;

  static constexpr std::string_view shorthand = "dt";
  static constexpr auto fields() {
    return std::tuple{
        field("dt", &TimeStep::dt, unit::second, "the step, or the first one of rule woo; > 0"),
        field("safety", &TimeStep::safety, unit::none, "the share of the rule's step that is taken; > 0"),
        field(
            "rule", &TimeStep::rule, unit::none,
            "fixed: dt; stiffness: sqrt(2 m / K) of the stiffest body, K its stiffness if it touches one of its kind; "
            "p-wave: r / sqrt(E / rho); woo: dt or the p-wave's, grows by 1.0001 a step up to the critical step, and "
            "falls to it at once"),
        field("period", &TimeStep::period, unit::none, "rule woo: after how many steps dt may change"),
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
  std::string oracle;

  static constexpr auto fields() {
    return std::tuple{
        field("title", &Settings::title, unit::none, "one line about the scene"),
        field("gravity", &Settings::gravity, "m/s^2", Kind::vector, "acceleration; zero if not given"),
        field("duration", &Settings::duration, unit::second, "how long it lasts; this or steps"),
        field("steps", &Settings::steps, unit::none, "how many steps it lasts, at the dt of the scene"),
        field("dt", &Settings::dt, unit::none, "the time step: seconds, or a table of the keys below"),
        field("start", &Settings::start, unit::none,
              "half-step: velocities are those at the time 0; raw: those of half a step before, as other codes take "
              "them, which makes everything of first order"),
        field(
            "oracle", &Settings::oracle, unit::none,
            "what --refine compares with: rotation (of bodies that nothing touches) or impact (of spheres on walls) in "
            "continuous time, or, if not given, the limit of the refinement itself"),
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

  static constexpr auto fields() {
    return std::tuple{
        field("dynamics", &Model::dynamics, unit::none,
              "smooth: forces from overlaps; nonsmooth: discs in the plane that do not overlap, by impulses, without "
              "friction and perfectly inelastic"),
        field("kinematics", &Model::kinematics, unit::none,
              "the relative velocity at a contact: demeter, or as woo, yade or lammps have it"),
        field("law", &Model::law, unit::none, "the force law, as the kernel contact_force has it"),
        field("stiffness", &Model::stiffness, unit::none,
              "of the laws linear and dashpot: given by the materials' kn, or from young and the radii as woo (lengths "
              "r), woo-at-creation (lengths r + uN/2 of the first step) or yade have it"),
        field("rotation", &Model::rotation, unit::none,
              "of bodies that are no spheres: dlm (keeps |L|), midpoint, fincham, delvalle (of second order), woo (of "
              "first)"),
        field(
            "arms", &Model::arms, unit::none,
            "of torques: as the kinematics has them; to the contact point; along the normal, as long as the radius or "
            "as the radius less half the overlap"),
        field("wall_point", &Model::wall_point, unit::none,
              "where a wall's force acts: on its plane, or midway from the plane to the deepest point"),
        field("velocity", &Model::velocity, unit::none,
              "what damping sees: lagged by half a step, or extrapolated to the end of it"),
        field("tension", &Model::tension, unit::none, "whether damping may make bodies attract each other"),
        field("damping", &Model::damping, unit::none, "Cundall's non-viscous damping, 0 to below 1"),
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
              "nlgs: Gauss and Seidel, impulses summed; jacobi: relaxed by 1.9 over the largest eigenvalue of the sum "
              "of n "
              "n^T of a disc; mass_splitting_jacobi; apgd: accelerated projected gradients, masses split; documented, "
              "documented_jacobi: as a course prints them, without sums, which end at other velocities or nowhere"),
        field("tolerance", &Solver::tolerance, unit::none,
              "the natural residual max |min(W p, w)| at which the sweeps of a step end, over |gravity| dt, or in m/s "
              "where there is no gravity; of the documented methods the largest correction of a sweep; > 0; 1e-6 if "
              "not given"),
        field("itmax", &Solver::itmax, unit::none, "after how many sweeps a step is capped; 0: never"),
        field("alert", &Solver::alert, unit::metre,
              "surfaces nearer than this are a potential contact; at least the greatest speed times dt"),
        field("boundary", &Solver::boundary, unit::none,
              "joint: the end of a segment counts only where no segment of the vertex has the foot of the disc's "
              "centre inside; documented: as a course prints it, with every end, which gives ghost collisions"),
        field("warm", &Solver::warm, unit::none,
              "whether a contact begins with its impulse of the step before; not of the documented methods"),
    };
  }
};

/// The line that counts the discs that have passed.
template <class Scalar>
struct Orifice {
  Vector2<Scalar> position = {Scalar(0.0), Scalar(0.0)}, direction = {Scalar(0.0), Scalar(-1.0)};

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Orifice::position, unit::metre, Kind::position, "a point of the line; (0, 0) if not given"),
        field("direction", &Orifice::direction, unit::none, Kind::vector,
              "across the line, to where discs pass; (0, -1) if not given"),
    };
  }
};

/// The formulas of the kernels: a printed formula by its name, or the reference.
template <class Scalar>
struct Use {
  std::string capsule_contact = "reference", wall_capsule_contact = "reference", contact_force = "reference";

  static constexpr auto fields() {
    return std::tuple{
        field("capsule_contact", &Use::capsule_contact, unit::none, "contact of spheres and capsules"),
        field("wall_capsule_contact", &Use::wall_capsule_contact, unit::none, "contact with a wall"),
        field("contact_force", &Use::contact_force, unit::none, "one step of the force law"),
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
        field("direction", &View::direction, unit::none, Kind::vector, "from the scene to the eye"),
        field("up", &View::up, unit::none, Kind::vector, "what is up in the picture"),
        field("contacts", &View::contacts, unit::none, "whether contact forces are drawn"),
        field("speed", &View::speed, unit::none, "seconds of the scene in a second of the film"),
    };
  }
};

template <class Scalar>
struct Material {
  std::string name;
  std::optional<Scalar> density, young, kn;
  Scalar poisson{0.0}, kt_over_kn{0.0}, tan_phi{0.0}, damping_ratio{0.0}, tangential_damping{0.0};
  std::optional<Scalar> restitution;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &Material::name, unit::none, "how bodies name it"),
        field("density", &Material::density, unit::density, "> 0; not needed where a body's mass is given or fixed"),
        field("young", &Material::young, "N/m^2", "Young's modulus, > 0; \"inf\": rigid", may_be_infinite),
        field("poisson", &Material::poisson, unit::none, "Poisson's ratio, above -1 and at most 1/2; law hertz"),
        field("kn", &Material::kn, "N/m",
              "normal stiffness of a contact between two of this material; of two materials 2/(1/kn1 + 1/kn2)"),
        field("kt_over_kn", &Material::kt_over_kn, unit::none,
              "tangential over normal stiffness, of two materials the mean; laws linear and dashpot"),
        field("tan_phi", &Material::tan_phi, unit::none, "friction coefficient, of two materials the smaller"),
        field("damping_ratio", &Material::damping_ratio, unit::none,
              "of critical damping, of two materials the smaller; law dashpot"),
        field("restitution", &Material::restitution, unit::none,
              "coefficient of restitution with tension allowed, above 0 and at most 1, of two materials the smaller; "
              "laws dashpot (in place of damping_ratio) and hertz"),
        field("tangential_damping", &Material::tangential_damping, unit::none,
              "tangential over normal damping coefficient, of two materials the smaller"),
    };
  }
};

/// An orientation. A bare list is the quaternion.
template <class Scalar>
struct Orientation {
  Quaternion<Scalar> quaternion = {Scalar(1.0), Scalar(0.0), Scalar(0.0), Scalar(0.0)};
  std::optional<Vector3<Scalar>> axis;
  Scalar angle{0.0};

  static constexpr std::string_view shorthand = "quaternion";
  static constexpr auto fields() {
    return std::tuple{
        field("quaternion", &Orientation::quaternion, unit::none, Kind::quaternion,
              "w, x, y, z, turns the local frame into the global one; of any length but 0"),
        field("axis", &Orientation::axis, unit::none, "in place of it: the axis of a rotation, of any length but 0"),
        field("angle", &Orientation::angle, "rad", "and its angle"),
    };
  }
};

/// The mass of a body. A bare word is the rule.
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
              "sum: of the members; union: of spheres, what several cover counts once; given, which need not be said: "
              "by the "
              "keys below"),
        field("mass", &Mass::mass, unit::kilogram, "> 0"),
        field("moments", &Mass::moments, unit::inertia, "principal moments, > 0, none larger than the others' sum"),
        field("centroid", &Mass::centroid, unit::metre, "centre of mass, in the body's frame"),
        field("orientation", &Mass::orientation, unit::none, "of the axes of the moments, in the body's frame"),
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
        field("position", &Member::position, unit::metre, Kind::position, "of its centre, in the clump's frame"),
        field("orientation", &Member::orientation, unit::none, "in the clump's frame"),
        field("radius", &Member::radius, unit::metre, "> 0"),
        field("shaft", &Member::shaft, unit::metre, "of a capsule, the length between its ends' centres"),
    };
  }
};

/// Discs in rows above an orifice. Row k is at the height y = first + k rows and has the half-width half =
/// min(half_width, opening + slope y) - clearance. The row has floor(2 half / pitch) + 1 discs, centred, with the
/// distance `pitch`. Even rows are shifted by a quarter of the pitch to the left, odd rows to the right. Each disc
/// draws three numbers u, for x, y and its radius: (u - 1/2) jitter is added to x and y, and the radius is radius_least
/// + u (radius_most - radius_least). u is the upper 53 bits of a number of the 64-bit Mersenne twister, divided by
/// 2^53. All calculations use exact rationals.
template <class Scalar>
struct Fill {
  std::uint64_t count = 0, seed = 0;
  Scalar radius_least{0.0}, radius_most{0.0}, first{0.0}, rows{0.0}, pitch{0.0}, half_width{0.0}, opening{0.0},
      slope{0.0}, clearance{0.0}, jitter{0.0};

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("count", &Fill::count, unit::none, "how many discs, named name1, name2, ..."),
            field("seed", &Fill::seed, unit::none, "of their jitter and radii"),
            field("radius_least", &Fill::radius_least, unit::metre, "radii are uniform from this, > 0,"),
            field("radius_most", &Fill::radius_most, unit::metre, "to this"),
            field("first", &Fill::first, unit::metre, "height of the first row"),
            field("rows", &Fill::rows, unit::metre, "from a row to the next, > 0"),
            field("pitch", &Fill::pitch, unit::metre, "from a disc to the next in a row, > 0"),
        },
        std::tuple{
            field("half_width", &Fill::half_width, unit::metre, "of the container"),
            field("opening", &Fill::opening, unit::metre, "half-width at the height 0, which grows upward"),
            field("slope", &Fill::slope, unit::none, "by as much a metre, up to half_width"),
            field("clearance", &Fill::clearance, unit::metre, "by which a row ends before the container does"),
            field("jitter", &Fill::jitter, unit::metre, "uniform in both directions, of this width"),
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
  /// The content of the file; not a key.
  std::vector<std::array<Vector2<Scalar>, 2>> lines;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("name", &Body::name, unit::none, "how observables name it; body1, body2, ... if not given"),
            field("shape", &Body::shape, unit::none,
                  "sphere, capsule (along its own x), clump, wall, none; in non-smooth dynamics disc and polyline"),
            field("material", &Body::material, unit::none, "the name of its material; the only one if not given"),
            field("position", &Body::position, unit::metre, Kind::position,
                  "of its centre, or of the frame that a clump's members stand in; of a wall any point of it; in "
                  "non-smooth "
                  "dynamics two numbers do here and below"),
            field("orientation", &Body::orientation, unit::none, "a list w, x, y, z, or a table of axis and angle"),
            field("velocity", &Body::velocity, unit::velocity, Kind::vector, "of its centre of mass"),
            field("spin", &Body::spin, unit::spin, Kind::axial,
                  "angular velocity, global frame; of a disc about z, and nothing changes it"),
            field("torque", &Body::torque, unit::newton_metre, Kind::axial,
                  "a constant torque that turns with the body, in the axes of its moments"),
            field("radius", &Body::radius, unit::metre, "of a sphere, capsule or disc, > 0"),
            field("shaft", &Body::shaft, unit::metre, "of a capsule, the length between its ends' centres, >= 0"),
        },
        std::tuple{
            field("members", &Body::members, unit::none, "of a clump: tables of the keys below"),
            field(
                "mass", &Body::mass, unit::none,
                "sum, union, or a table of the keys below; of a disc { mass = ... } alone, otherwise that of its area"),
            field("fixed", &Body::fixed, unit::none, "true: nothing moves it; walls always are"),
            field("blocked", &Body::blocked, unit::none,
                  "letters of xyz (translation) and XYZ (rotation about the global axes) that no force changes"),
            field("axis", &Body::axis, unit::none, "of a wall: the axis it is perpendicular to, 0 to 2"),
            field("sense", &Body::sense, unit::none, "of a wall: its free side, 1 above, -1 below"),
            field("copies", &Body::copies, unit::none, "how many of it there are, named name1, name2, ..."),
            field("shift", &Body::shift, unit::metre, Kind::vector, "from a copy to the next"),
            field("points", &Body::points, unit::metre, "of a polyline: a list of [x, y]"),
        },
        std::tuple{
            field("closed", &Body::closed, unit::none, "of a polyline: whether the last point is joined to the first"),
            field("file", &Body::file, unit::none,
                  "of a polyline, in place of points: a mesh of gmsh 2.2, in text, of which the lines are taken"),
            field("fill", &Body::fill, unit::none, "of a disc: many of them, a table of the keys below"),
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
              "csv: observables; dump: trajectory and contacts, which the film shows; contacts: these at other steps; "
              "vtk; checkpoint"),
        field("every", &OutputRule::every, unit::none, "steps at the dt of the scene between two of them, > 0"),
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
        field("at", &Event::at, unit::second, "when, to the nearest step; steps that begin then or later know of it"),
        field("remove", &Event::remove, unit::none, "a polyline that is taken away, by its name"),
        field("tolerance", &Event::tolerance, unit::none, "that of the solver from then on"),
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
        field("observable", &Expect::observable, unit::none, "its name, such as sphere.velocity[2]"),
        field("at", &Expect::at, unit::second, "when, to the nearest step; at the end if not given"),
        field("value", &Expect::value, unit::none, "what it should be"),
        field("tolerance", &Expect::tolerance, unit::none, "by how much it may differ"),
        field("relative", &Expect::relative, unit::none, "by which share of the value it may differ beside that"),
        field("reason", &Expect::reason, unit::none, "where the value and the tolerance come from"),
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
        field("scene", &Scene::scene, unit::none, "what holds for all of it"),
        field("model", &Scene::model, unit::none, "the physics"),
        field("solver", &Scene::solver, unit::none, "of non-smooth dynamics"),
        field("orifice", &Scene::orifice, unit::none, "of non-smooth dynamics: the line that discs pass"),
        field("use", &Scene::use, unit::none, "which formula of each kernel: a name that `demeter list` has"),
        field("view", &Scene::view, unit::none, "of the film"),
        field("material", &Scene::material, unit::none, "materials, each by its name"),
        field("body", &Scene::body, unit::none, "bodies, in the order in which forces are summed"),
        field("event", &Scene::event, unit::none, "of non-smooth dynamics: what changes at which time"),
        field("output", &Scene::output, unit::none, "which files are written how often"),
        field("expect", &Scene::expect, unit::none, "what must come out"),
    };
  }
};

}  // namespace demeter::simulator
