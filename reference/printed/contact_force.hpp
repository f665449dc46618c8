// One step of a force law with the rules of other codes for the spring.
#pragma once

#include "reference/contact_force.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

namespace demeter::contact_force::printed {

using namespace reference;

/// Returns the slip velocity of the recommended formula: the part of the velocity perpendicular to both normals.
template <turning_scalar Scalar>
Vector3<Scalar> slip(Step<Scalar> const& step, Vector3<Scalar> const& velocity) {
  return across<Scalar>(across<Scalar>(velocity, step.mean), step.n);
}

/// Returns Woo's rotation vector r = n_before x n + angle n. Woo stores the force in axes of the contact, which rotate
/// about r by the angle whose sine is |r|.
template <turning_scalar Scalar>
Vector3<Scalar> axes_rotation(Step<Scalar> const& step) {
  return step.before.cross(step.n) + step.angle * step.n;
}
template <turning_scalar Scalar>
Vector3<Scalar> with_the_axes(Step<Scalar> const& step, Vector3<Scalar> const& t) {
  using std::sqrt;
  Vector3<Scalar> const r = axes_rotation<Scalar>(step);
  Scalar const one(1), square = r.dot(r);
  Scalar const cosine = square < one ? Scalar(sqrt(Scalar(one - square))) : Scalar(0);
  return cosine * t + r.cross(t) + Scalar(r.dot(t) / (one + cosine)) * r;
}
/// Woo's rule: the velocity is measured in axes rotated by half of the step. These axes are a_k + r/2 x a_k. They are
/// correct to first order only and are not normalised.
template <turning_scalar Scalar>
Output<Scalar> woo(Input<Scalar> const& in) {
  return evaluate_with<Scalar>(
      in,
      [](Step<Scalar> const& step, Vector3<Scalar> const& spring) {
        return with_the_axes<Scalar>(step, across<Scalar>(spring, step.before));
      },
      rescaled<Scalar>,
      [](Step<Scalar> const& step, Vector3<Scalar> const& velocity) {
        Vector3<Scalar> const r = axes_rotation<Scalar>(step), half = velocity.cross(r) / Scalar(2);
        return with_the_axes<Scalar>(step, across<Scalar>(Vector3<Scalar>(velocity + half), step.before));
      });
}

/// YADE's rule: the spring is rotated by cross products only. This lengthens it. The relative change is of the order of
/// the square of the angle.
template <turning_scalar Scalar>
Output<Scalar> yade(Input<Scalar> const& in) {
  return evaluate_with<Scalar>(
      in,
      [](Step<Scalar> const& step, Vector3<Scalar> const& spring) {
        Vector3<Scalar> const bend = step.before.cross(step.n), turn = step.angle * step.n;
        Vector3<Scalar> const t = spring - spring.cross(bend);
        return Vector3<Scalar>(t - t.cross(turn));
      },
      rescaled<Scalar>,
      [](Step<Scalar> const& step, Vector3<Scalar> const& velocity) { return across<Scalar>(velocity, step.n); });
}

/// LAMMPS's rule: the spring is projected on the new tangent plane and not rotated. If the sum of the spring force and
/// the damping force exceeds Coulomb's limit, it is shortened to the limit. The spring is then computed from the
/// shortened sum minus the damping force.
template <turning_scalar Scalar>
Output<Scalar> lammps(Input<Scalar> const& in) {
  return evaluate_with<Scalar>(
      in, [](Step<Scalar> const& step, Vector3<Scalar> const& spring) { return across<Scalar>(spring, step.n); },
      rescaled<Scalar>,
      [](Step<Scalar> const& step, Vector3<Scalar> const& velocity) { return across<Scalar>(velocity, step.n); },
      Cut::sum);
}

/// The tangential force is the current stiffness times the whole spring: a change of stiffness does not change the
/// spring.
template <turning_scalar Scalar>
Output<Scalar> hertz_total(Input<Scalar> const& in) {
  return evaluate_with<Scalar>(
      in, turned<Scalar>, [](Step<Scalar> const&, Vector3<Scalar> const& spring) { return spring; }, slip<Scalar>);
}

/// The tangential force changes by the current stiffness times the change of the spring: a change of stiffness does not
/// change the force.
template <turning_scalar Scalar>
Output<Scalar> hertz_increment(Input<Scalar> const& in) {
  return evaluate_with<Scalar>(
      in, turned<Scalar>,
      [](Step<Scalar> const& step, Vector3<Scalar> const& spring) {
        return Vector3<Scalar>(Scalar(step.stiffer_before / step.stiffer) * spring);
      },
      slip<Scalar>);
}

inline auto formulas() {
  return std::tuple{
      Formula{"woo",
              "the spring turns with axes of the contact, to first order; Woo",
              FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return woo(in); },
              {"dissipated"}},
      Formula{"yade",
              "the spring is turned by cross products; YADE",
              FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return yade(in); },
              {"dissipated"}},
      Formula{"lammps",
              "the spring is projected and shares Coulomb's bound with damping; LAMMPS, gran/hooke/history",
              FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return lammps(in); },
              {"stored", "dissipated"}},
      Formula{"hertz_total", "hertz: the whole spring at the stiffness of the moment", FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return hertz_total(in); }},
      Formula{"hertz_increment", "hertz: the force changes at the stiffness of the moment", FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return hertz_increment(in); }},
  };
}

inline std::vector<Erratum> errata() {
  // Figures for a spring of length 1 in a Hertzian contact of unit stiffness. The overlap grows from 1 to 4, or falls
  // from 4 to 1.
  return {
      Erratum{
          .where = "tangential force of a Hertzian contact during loading",
          .documented = "the present stiffness times the spring",
          .implemented = "the energy of a sheared contact grows, although the shear does not change",
          .codes = {demeter::lammps},
          .recommended = "the force stays, and the spring becomes shorter",
          .figures =
              {{.what = "the overlap grows from 1 to 4 radii; stored energy: 25.6 of the normal spring, and the rest "
                        "of the tangential spring, into which 0.5 was put",
                .input =
                    R"({"law":"hertz","normal_stiffness":2,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-4,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0,"spring":[1,0,0]})",
                .column = "stored",
                .values = {{"hertz_total", "26.6"}, {"reference", "25.85"}}}}},
      Erratum{
          .where = "tangential force of a Hertzian contact during unloading",
          .documented = "the change of force is the present stiffness times the change of the spring",
          .implemented = "the softer contact keeps the force of the stiffer contact, so its energy grows",
          .recommended = "the spring stays, and the force becomes smaller",
          .figures =
              {{.what = "the overlap falls from 4 radii to 1 radius; stored energy: 0.8 of the normal spring, and the "
                        "rest of the tangential spring, which stored 1 before",
                .input =
                    R"({"law":"hertz","normal_stiffness":2,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-1,"uN_before":-4,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0,"spring":[1,0,0]})",
                .column = "stored",
                .values = {{"hertz_increment", "2.8"}, {"reference", "1.3"}}}}},
      Erratum{
          .where = "tangential spring of a contact that rotates",
          .implemented = "LAMMPS projects the spring on the new plane, YADE rotates it by cross products, and Woo uses "
                         "the sine of an angle where the angle is needed",
          .codes = {demeter::lammps, demeter::yade, demeter::woo},
          .recommended = "rotate the spring with the normal, and then about the normal by the whole angle",
          .figures =
              {{.what = "a spring of 1 along x; the contact rotates by 0.1 about the normal: component along x",
                .input =
                    R"({"law":"linear","normal_stiffness":1,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-1,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0.1,"spring":[1,0,0]})",
                .column = "spring[0]",
                .values = {{"lammps", "1"}, {"yade", "1"}, {"woo", "0.994987"}, {"reference", "0.995004"}}},
               {.what = "the same spring: component along y",
                .input =
                    R"({"law":"linear","normal_stiffness":1,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-1,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0.1,"spring":[1,0,0]})",
                .column = "spring[1]",
                .values = {{"lammps", "0"}, {"yade", "0.1"}, {"woo", "0.1"}, {"reference", "0.0998334"}}}}},
      Erratum{
          .where = "viscous tangential force at the Coulomb limit",
          .documented = "the sum of the spring force and the damping force is cut to the limit",
          .implemented =
              "the spring gets the difference, also a negative one: fast sliding stretches it against the motion",
          .codes = {demeter::lammps},
          .recommended =
              "Cut the spring force alone. The damping force gets the rest of the limit, and is never stored.",
          .figures =
              {{.what = "no spring force, a limit of 0.1 and a damping force of 1",
                .input =
                    R"({"law":"dashpot","normal_stiffness":1,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":1,"friction":0.1,"tension":"cut","radius":1,"dt":0.001,"uN":-1,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[1,0,0],"twist":0,"spring":[0,0,0]})",
                .column = "spring[0]",
                .values = {{"lammps", "-0.9"}, {"reference", "0.001"}}}}},
  };
}

}  // namespace demeter::contact_force::printed
