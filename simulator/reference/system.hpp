// The constant properties of the bodies of a scene, in the form that the steps use. Source:
// docs/mathematics/simulator.md#model.
#pragma once

#include "simulator/reference/exact_number.hpp"
#include "simulator/reference/formulas.hpp"
#include "simulator/reference/masses.hpp"
#include "simulator/reference/quaternion.hpp"
#include "simulator/spec/scene.hpp"
#include "simulator/spec/state.hpp"

namespace demeter::simulator::reference {

/// The constant properties of a body: mass and moments, and its blocked directions.
template <class Scalar>
struct Rigid {
  std::string name;
  Form form;
  bool fixed, spherical, any_blocked, torqued;
  std::array<bool, 6> blocked;  ///< blocked translations along x, y, z, then blocked rotations about x, y, z
  Scalar mass;
  Vector3<Scalar> moments, torque;
};

/// A shape: a wall, or a sphere or capsule in the frame of the principal axes of its body.
template <class Scalar>
struct Shape {
  std::size_t body, material;
  bool wall, sphere;
  Vector3<Scalar> centre, half;
  Scalar radius;
  Index axis;
  int sense;
};

/// A shape in the global frame, and its bounding box, which is rounded outward.
template <class Scalar>
struct Placed {
  Vector3<Scalar> centre, half, low, high;
};

/// Properties of a pair of materials.
template <class Scalar>
struct Pair {
  Scalar friction, kt_over_kn, kn;     ///< kn: 0 if not given
  Scalar young, shear;                 ///< E* and G* of Hertz and Mindlin
  Scalar damping, tangential_damping;  ///< damping: fraction of 2 sqrt(m kn); tangential_damping: ct / cn
  Scalar kn_hertz{0};                  ///< normal force / ((R overlap)^(1/2) overlap), instead of young; 0 if not given
  Scalar normal_damping{0}, damping_rate{0};  ///< cn, or cn / mass, instead of `damping`; 0 if not given
};

template <class Scalar>
struct System {
  Settings<Scalar> settings;
  Model<Scalar> model;
  std::vector<Rigid<Scalar>> bodies;
  std::vector<Shape<Scalar>> shapes;
  std::vector<Scalar> young, density;  ///< one value per material; 0 if not given
  std::vector<Pair<Scalar>> pairs;     ///< index: material 1 times the number of materials, plus material 2
  CapsuleFormula<Scalar> capsule_contact;
  WallFormula<Scalar> wall_contact;
  bool two_springs = false;  ///< the wall formula has a spring at each end of a capsule, and the energy is the sum of
                             ///< both
  ForceFormula<Scalar> contact_force;
  ForceFormula<Scalar> first_contact_force;  ///< for bodies that touch at the start, in the first evaluation
  bool twists_about_old_normal = false;      ///< the spring is twisted about the normal of the step before

  Pair<Scalar> const& pair(std::size_t material1, std::size_t material2) const {
    return pairs[material1 * density.size() + material2];
  }
};

/// Position and motion of a body at the start time of the scene.
template <class Scalar>
struct Beginning {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Vector3<Scalar> velocity, spin;
};

template <class Scalar>
struct Built {
  System<Scalar> system;
  std::vector<Beginning<Scalar>> beginnings;
};

/// Returns the members of a body. A sphere or capsule has one member: itself.
template <turning_scalar Scalar>
std::vector<Member<Scalar>> members_of(Body<Scalar> const& body) {
  if (body.shape == Form::clump) return body.members;
  if (body.shape != Form::sphere && body.shape != Form::capsule) return {};
  Member<Scalar> only;
  only.shape = body.shape;
  only.radius = body.radius;
  only.shaft = body.shaft;
  return {only};
}

/// Appends a body, its shapes, and its position and motion at the start.
template <turning_scalar Scalar>
void append_body(Built<Scalar>& built, Body<Scalar> const& body, std::string const& name, std::size_t material,
                 std::optional<Scalar> const& density, Vector3<Scalar> const& shift) {
  Scalar const zero(0);
  auto const members = members_of<Scalar>(body);
  Inertia<Scalar> const is = inertia_of<Scalar>(body, members, density);
  Rigid<Scalar> rigid;
  rigid.name = name;
  rigid.form = body.shape;
  rigid.fixed = body.fixed || body.shape == Form::wall;
  rigid.mass = is.mass;
  rigid.moments = is.moments;
  rigid.torque = body.torque;
  rigid.torqued = zero < body.torque.dot(body.torque);
  auto const equal = [](Scalar const& x, Scalar const& y) { return !(x < y) && !(y < x); };
  rigid.spherical = equal(is.moments[0], is.moments[1]) && equal(is.moments[1], is.moments[2]);
  std::string_view const letters = "xyzXYZ";
  for (std::size_t k = 0; k < 6; ++k) rigid.blocked[k] = body.blocked.find(letters[k]) != std::string::npos;
  rigid.any_blocked = !body.blocked.empty();

  Quaternion<Scalar> const frame = quaternion_of<Scalar>(body.orientation);
  Matrix3<Scalar> const to_global = rotation_matrix<Scalar>(frame), axes = rotation_matrix<Scalar>(is.axes);
  std::size_t const index = built.system.bodies.size();
  built.system.bodies.push_back(rigid);
  built.beginnings.push_back({body.position + shift + to_global * is.centroid,
                              normalised<Scalar>(product<Scalar>(frame, is.axes)), body.velocity, body.spin});
  Shape<Scalar> shape{index, material, false, false, zero3<Scalar>(), zero3<Scalar>(), zero, 0, 1};
  for (auto const& member : members) {
    Vector3<Scalar> const along(Scalar(member.shaft / Scalar(2)), zero, zero);
    shape.centre = axes.transpose() * Vector3<Scalar>(member.position - is.centroid);
    shape.half = axes.transpose() * (rotation_matrix<Scalar>(quaternion_of<Scalar>(member.orientation)) * along);
    shape.radius = *member.radius;
    shape.sphere = !(zero < member.shaft);
    built.system.shapes.push_back(shape);
  }
  if (body.shape != Form::wall) return;
  shape.wall = true;
  shape.axis = static_cast<Index>(body.axis);
  shape.sense = static_cast<int>(body.sense);
  built.system.shapes.push_back(shape);
}

/// Returns the polynomial with these coefficients, the constant first.
template <turning_scalar Scalar, std::size_t count>
Scalar polynomial(std::array<double, count> const& coefficients, Scalar const& x) {
  Scalar sum(0), power(1);
  for (double const coefficient : coefficients) {
    sum = sum + Scalar(coefficient) * power;
    power = power * x;
  }
  return sum;
}

/// Returns the fraction of the damping coefficient 2 sqrt(m kn) that gives the restitution e. For Hertz's law, kn is
/// the stiffness at an overlap of one radius.
template <turning_scalar Scalar>
Scalar damping_of(Model<Scalar> const& model, Scalar const& e) {
  using std::exp;
  using std::log;
  using std::sqrt;
  Scalar const one(1), two(2);
  switch (model.restitution) {
    case RestitutionRule::exact:
      break;
    case RestitutionRule::tsuji_fit:
      // LAMMPS manual, pair_style granular, damping tsuji. The coefficient of the manual is twice this fraction.
      return polynomial<Scalar, 7>({1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218}, e) / two;
    case RestitutionRule::thornton_fit: {
      // Thornton, Cummins, Cleary 2013, for a contact that cannot pull.
      Scalar const fit = polynomial<Scalar, 11>(
          {0, -6.918798, -16.41105, 146.8049, -796.4559, 2928.711, -7206.864, 11494.29, -11342.18, 6276.757, -1489.915},
          e);
      Scalar const square = one / (one - (one + e) * (one + e) * Scalar(exp(fit))) - one;
      return Scalar(sqrt(Scalar(square * Scalar(3) / two)));
    }
  }
  Scalar const of_e = Scalar(log(e)), ratio = -of_e / Scalar(sqrt(Scalar(of_e * of_e + pi<Scalar>() * pi<Scalar>())));
  // Tsuji's damping coefficient is alpha sqrt(m kn) with alpha = sqrt(5) ratio and kn = 4/3 E* sqrt(R delta). The
  // fraction is alpha / 2.
  return model.law == ForceLaw::hertz ? Scalar(Scalar(sqrt(Scalar(5))) / two * ratio) : ratio;
}

template <turning_scalar Scalar>
Pair<Scalar> pair_of(Model<Scalar> const& model, Material<Scalar> const& a, Material<Scalar> const& b) {
  Scalar const zero(0), one(1), two(2);
  auto const least = [](Scalar const& x, Scalar const& y) { return y < x ? y : x; };
  Pair<Scalar> pair{least(a.tan_phi, b.tan_phi),
                    Scalar((a.kt_over_kn + b.kt_over_kn) / two),
                    zero,
                    zero,
                    zero,
                    least(a.damping_ratio, b.damping_ratio),
                    least(a.tangential_damping, b.tangential_damping),
                    zero,
                    zero,
                    zero};
  auto const combined = [&](std::optional<Scalar> const& x, std::optional<Scalar> const& y) {
    return x && y ? Scalar(two * *x * *y / (*x + *y)) : zero;
  };
  pair.kn = combined(a.kn, b.kn);
  if (model.stiffness == Stiffness::series) pair.kn = pair.kn / two;
  pair.kn_hertz = combined(a.kn_hertz, b.kn_hertz);
  pair.normal_damping = combined(a.normal_damping, b.normal_damping);
  if (a.damping_rate && b.damping_rate) pair.damping_rate = least(*a.damping_rate, *b.damping_rate);
  if (a.young && b.young) {
    Scalar const flexible = (one - a.poisson * a.poisson) / *a.young + (one - b.poisson * b.poisson) / *b.young;
    // The shear modulus is G = E / (2 (1 + nu)).
    Scalar const sheared =
        (two - a.poisson) * two * (one + a.poisson) / *a.young + (two - b.poisson) * two * (one + b.poisson) / *b.young;
    if (zero < flexible) pair.young = one / flexible;
    if (zero < sheared) pair.shear = one / sheared;
  }
  if ((a.restitution || b.restitution) && model.law != ForceLaw::linear) {
    Scalar const e = least(a.restitution ? *a.restitution : one, b.restitution ? *b.restitution : one);
    pair.damping = damping_of<Scalar>(model, e);
  }
  return pair;
}

/// Builds the system of a valid scene.
template <turning_scalar Scalar>
Built<Scalar> build(Scene<Number> const& written) {
  Scene<Scalar> const scene = cast<Scene<Scalar>>(written);
  Built<Scalar> built;
  System<Scalar>& system = built.system;
  system.settings = scene.scene;
  system.model = scene.model;
  for (auto const& a : scene.material) {
    system.density.push_back(a.density ? *a.density : Scalar(0));
    system.young.push_back(a.young ? *a.young : Scalar(0));
    for (auto const& b : scene.material) system.pairs.push_back(pair_of<Scalar>(scene.model, a, b));
  }
  for (std::size_t k = 0; k < scene.body.size(); ++k) {
    auto const& body = scene.body[k];
    std::size_t material = 0;
    for (std::size_t i = 0; i < scene.material.size(); ++i)
      if (scene.material[i].name == body.material) material = i;
    std::optional<Scalar> const density =
        scene.material.empty() ? std::optional<Scalar>() : scene.material[material].density;
    std::string const name = body.name.empty() ? "body" + std::to_string(k + 1) : body.name;
    for (std::uint64_t copy = 0; copy < body.copies; ++copy)
      append_body<Scalar>(built, body, body.copies > 1 ? name + std::to_string(copy + 1) : name, material, density,
                          Vector3<Scalar>(Scalar(copy) * body.shift));
  }
  system.capsule_contact = capsule_formula<Scalar>(scene.use.capsule_contact);
  system.two_springs = scene.use.wall_capsule_contact == "conservative";
  system.wall_contact = wall_formula<Scalar>(scene.use.wall_capsule_contact);
  contact_force::Choices law = written.use.law;
  system.contact_force = force_formula<Scalar>(law);
  system.twists_about_old_normal = law.transport == contact_force::Transport::old_normal;
  law.first_step = without_slip(law.first_step);
  system.first_contact_force =
      scene.model.first_forces == FirstForces::rest ? force_formula<Scalar>(law) : system.contact_force;
  return built;
}

}  // namespace demeter::simulator::reference
