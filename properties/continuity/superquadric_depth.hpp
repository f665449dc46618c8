// Continuity search for superquadric_depth: i is at rest, and j moves rigidly. Lengths are in units of a, the largest
// semi-axis of i.
//
// The depth is the distance of a point from the surface of a convex body. Therefore it changes by at most the motion.
// The answered depth jumps if a search ends in another local minimum.
#pragma once

#include "properties/family/superquadric_laboratory.hpp"
#include "reference/spec/superquadric_depth.hpp"

namespace demeter::superquadric_depth::continuity {

using namespace without_contacts;

using superquadric::laboratory::Path, superquadric::laboratory::simpler, superquadric::laboratory::within_search,
    superquadric::laboratory::families;

template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  return {path.i, superquadric::laboratory::moved_body(path, t)};
}

// -------------------------------------------------------------------------------------------------------- observation

inline constexpr std::array<Quantity, 1> quantities{{{"depth", "a", 0, 1}}};
inline constexpr std::string_view excluded =
    "the direction is not compared: it jumps on the medial axis, where two directions are equally short";

template <class Scalar>
Observation<Scalar, 1, 1> observe(Input<Scalar> const& in, Output<Scalar> const& out) {
  Observation<Scalar, 1, 1> result;
  result.numbers[0] = out.depth / in.i.semi_axes.maxCoeff();
  result.counts = {out.depth == out.depth};
  return result;
}

// --------------------------------------------------------------------------------------------------------- geometry

inline std::uint32_t state(Input<double> const& in) { return superquadric::laboratory::octants<double>(in.i, in.j); }

/// Returns the change of the depth that the contract's budgets allow as rounding.
inline std::array<double, 1> rounding(Input<double> const& in) {
  Contract::Output<long double> const scale = Contract::scale(in);
  return {static_cast<double>(Contract::budgets[0].units * unit_roundoff * scale.depth) / in.i.semi_axes.maxCoeff()};
}

inline double motion(Input<double> const& a, Input<double> const& b) {
  return superquadric::laboratory::motion(a.j, b.j, a.i.semi_axes.maxCoeff());
}

template <class Scalar>
std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
  return superquadric::laboratory::transition<Scalar>(a.i, a.j, b.j);
}

}  // namespace demeter::superquadric_depth::continuity
