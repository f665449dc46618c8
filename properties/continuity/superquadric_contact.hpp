// Continuity search for superquadric_contact: i is at rest, j moves rigidly. Lengths are in units of a, the largest
// semi-axis of i.
//
// The growth distance changes by at most the motion divided by the smallest semi-axes. Point and normal are continuous
// except at equal centres. If flat faces of exponent n lie on each other, point and normal change like the power 1/(n -
// 1) of the tilt. The point of such a case has a large condition, and is not compared.
#pragma once

#include "properties/family/superquadric_laboratory.hpp"
#include "reference/spec/superquadric_contact.hpp"

#include <type_traits>

namespace demeter::superquadric_contact::continuity {

using namespace without_contacts;

using superquadric::laboratory::Path, superquadric::laboratory::simpler, superquadric::laboratory::within_search,
    superquadric::laboratory::families;

template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  return {path.i, superquadric::laboratory::moved_body(path, t), std::nullopt};
}

// -------------------------------------------------------------------------------------------------------- observation

inline constexpr std::array<Quantity, 5> quantities{{
    {"sigma", "", 0, 1},
    {"point", "a", 1, 3},
    {"normal", "rad", 4, 3, true},
    {"overlap_n", "a", 7, 1},
    {"overlap_b", "a", 8, 1},
}};
inline constexpr long double worst_compared = 1e4L;
inline constexpr std::string_view excluded =
    "point, normal and overlaps are compared where the condition of the point is at most 10,000: where flat faces lie "
    "on each other the point follows a tilt without a bound; nothing is compared at equal centres, and no normal where "
    "a "
    "formula calls its contact degenerate";

/// In double, returns whether the answered point is well conditioned. In higher precision, returns true: only steps
/// that were compared in double are examined again.
template <class Scalar>
bool well_conditioned(Input<Scalar> const& in, Output<Scalar> const& out) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (!out.point.allFinite() || in.i.position == in.j.position) return false;
    return conditioning(in, out.point.template cast<long double>()).condition <= worst_compared;
  } else {
    return true;
  }
}

template <class Scalar>
Observation<Scalar, 9, 5> observe(Input<Scalar> const& in, Output<Scalar> const& out) {
  Observation<Scalar, 9, 5> result;
  Scalar const a = in.i.semi_axes.maxCoeff(), zero(0);
  bool const compared = well_conditioned<Scalar>(in, out), directed = out.normal.has_value();
  result.numbers.fill(zero);
  result.numbers[0] = out.sigma;
  for (std::size_t k = 0; k < 3; ++k) {
    auto const axis = static_cast<Index>(k);
    result.numbers[1 + k] = (out.point[axis] - in.i.position[axis]) / a;
    if (directed) result.numbers[4 + k] = (*out.normal)[axis];
  }
  if (out.overlap_n) result.numbers[7] = *out.overlap_n / a;
  if (out.overlap_b) result.numbers[8] = *out.overlap_b / a;
  result.counts = {true, compared, compared && directed && out.status != Status::degenerate,
                   compared && out.overlap_n.has_value(), compared && out.overlap_b.has_value()};
  // A value that was not computed is NaN.
  for (std::size_t k = 0; k < quantities.size(); ++k)
    for (std::size_t i = quantities[k].first; i < quantities[k].first + quantities[k].count; ++i)
      result.counts[k] = result.counts[k] && result.numbers[i] == result.numbers[i];
  return result;
}

// --------------------------------------------------------------------------------------------------------- geometry

inline std::uint32_t state(Input<double> const& in) { return superquadric::laboratory::octants<double>(in.i, in.j); }

/// Returns, for each quantity, the change that the contract's budgets allow as rounding. Assumes the largest condition
/// that is compared.
inline std::array<double, 5> rounding(Input<double> const& in) {
  Contract::Output<long double> const scale = Contract::scale(in);
  double const a = in.i.semi_axes.maxCoeff(), least = in.i.semi_axes.minCoeff() + in.j.semi_axes.minCoeff(),
               worst = static_cast<double>(worst_compared), lengths = static_cast<double>(scale.point[0]);
  auto const of = [&](std::size_t budget, double size) {
    return Contract::budgets[budget].units * unit_roundoff * size;
  };
  double const sigma = lengths / least;
  return {of(0, sigma), of(1, worst * lengths / a), of(2, worst * lengths / least), of(4, worst * lengths / a),
          of(3, worst * lengths / a)};
}

inline double motion(Input<double> const& a, Input<double> const& b) {
  return superquadric::laboratory::motion(a.j, b.j, a.i.semi_axes.maxCoeff());
}

template <class Scalar>
std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
  return superquadric::laboratory::transition<Scalar>(a.i, a.j, b.j);
}

}  // namespace demeter::superquadric_contact::continuity
