#include "simulator/reference/masses.hpp"

#include "reference/capsule_mass_properties.hpp"
#include "reference/clump_mass_properties.hpp"
#include "reference/clump_union_mass_properties.hpp"

#include <tuple>
#include <utility>

namespace demeter::simulator::reference {

namespace {

/// Returns the mass and the principal moments of a sphere or capsule whose axis is x.
template <turning_scalar Scalar>
std::pair<Scalar, Vector3<Scalar>> mass_of(Scalar const& radius, Scalar const& shaft, Scalar const& density) {
  auto const is = capsule_mass_properties::reference::evaluate<Scalar>({radius, shaft, density});
  return {is.mass, {is.ixx, is.iyy, is.iyy}};
}

/// Returns the same principal axes with signs that do not depend on the arithmetic. In the first axis, the second axis
/// and the quaternion, the first component that is not small is positive. Small components are skipped, because a
/// component of 0 has a random sign after rounding.
template <turning_scalar Scalar>
Quaternion<Scalar> with_settled_signs(Quaternion<Scalar> const& q) {
  Scalar const zero(0), one(1), small(0x1p-20);
  auto const negative = [&](auto const& v) {
    for (Index k = 0; k < v.size(); ++k)
      if (small < v[k] || v[k] < -small) return v[k] < zero;
    return false;
  };
  Matrix3<Scalar> const R = rotation_matrix<Scalar>(q);
  bool const first = negative(Vector3<Scalar>(R.col(0))), second = negative(Vector3<Scalar>(R.col(1)));
  // Half a turn about the axis whose sign does not change.
  Quaternion<Scalar> half(one, zero, zero, zero);
  if (first || second) half[0] = zero;
  if (!first && second) half[1] = one;
  if (first && !second) half[2] = one;
  if (first && second) half[3] = one;
  Quaternion<Scalar> const settled = product<Scalar>(q, half);
  return negative(settled) ? Quaternion<Scalar>(-settled) : settled;
}

}  // namespace

template <turning_scalar Scalar>
Inertia<Scalar> inertia_of(Body<Scalar> const& body, std::vector<Member<Scalar>> const& members,
                           std::optional<Scalar> const& density) {
  Scalar const zero(0), one(1);
  Inertia<Scalar> is{one, zero3<Scalar>(), {one, one, one}, {one, zero, zero, zero}};
  if (body.mass.rule == MassRule::given) {
    is.mass = *body.mass.mass;
    is.moments = *body.mass.moments;
    is.centroid = body.mass.centroid;
    is.axes = quaternion_of<Scalar>(body.mass.orientation);
    return is;
  }
  if (body.fixed || members.empty()) return is;
  if (body.shape != Form::clump) {
    std::tie(is.mass, is.moments) = mass_of<Scalar>(*body.radius, body.shaft, *density);
  } else if (body.mass.rule == MassRule::joined) {
    clump_union_mass_properties::Input<Scalar> in{*density, {}};
    for (auto const& member : members) in.balls.push_back({member.position, *member.radius});
    auto const out = clump_union_mass_properties::reference::evaluate<Scalar>(in);
    is = {out.mass, out.centroid, out.principal, with_settled_signs<Scalar>(out.orientation)};
  } else {
    clump_mass_properties::Input<Scalar> in;
    for (auto const& member : members) {
      auto const [mass, moments] = mass_of<Scalar>(*member.radius, member.shaft, *density);
      in.members.push_back({member.position, quaternion_of<Scalar>(member.orientation), mass, moments});
    }
    auto const out = clump_mass_properties::reference::evaluate<Scalar>(in);
    is = {out.mass, out.centroid, out.principal, with_settled_signs<Scalar>(out.orientation)};
  }
  return is;
}

template Inertia<double> inertia_of(Body<double> const&, std::vector<Member<double>> const&,
                                    std::optional<double> const&);
template Inertia<long double> inertia_of(Body<long double> const&, std::vector<Member<long double>> const&,
                                         std::optional<long double> const&);
template Inertia<Multiprecision> inertia_of(Body<Multiprecision> const&, std::vector<Member<Multiprecision>> const&,
                                            std::optional<Multiprecision> const&);

}  // namespace demeter::simulator::reference
