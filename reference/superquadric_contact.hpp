// Reference: contact of two superquadrics by their growth distance.
#pragma once

#include "reference/core/binary128.hpp"
#include "reference/family/superquadric/boxes.hpp"
#include "reference/family/superquadric/touch.hpp"
#include "reference/spec/superquadric_contact.hpp"

namespace demeter::superquadric_contact::reference {

using namespace superquadric::reference;

/// Two bodies with the largest semi-axis as the unit of length and the centre of i as the origin.
template <power_scalar Scalar>
struct Pair {
  Scalar unit;
  Body<Scalar> i, j;

  explicit Pair(Input<Scalar> const& in) : i(body<Scalar>(in.i)), j(body<Scalar>(in.j)) {
    unit = i.shape.semi_axes.maxCoeff();
    if (unit < j.shape.semi_axes.maxCoeff()) unit = j.shape.semi_axes.maxCoeff();
    j.centre = (j.centre - i.centre) / unit;
    i.centre = Vector3<Scalar>::Zero();
    i.shape.semi_axes /= unit;
    j.shape.semi_axes /= unit;
  }
};

template <class Scalar>
bool concentric(Input<Scalar> const& in) {
  for (Index k = 0; k < 3; ++k)
    if (in.i.position[k] < in.j.position[k] || in.j.position[k] < in.i.position[k]) return false;
  return true;
}

/// Returns (1 - N^n) / (n N^(n-1)), which is 1 - N for n = 1. This is the part of an overlap that belongs to one body,
/// divided by the height of this body along the normal.
template <power_scalar Scalar>
Scalar depth(Scalar const& N, Scalar const& n) {
  using std::pow;
  return (pow(N, Scalar(Scalar(1) - n)) - N) / n;
}

template <power_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Scalar const zero(0), one(1);
  if (concentric(in))
    return {zero, in.i.position, std::nullopt, std::nullopt, std::nullopt, std::nullopt, Status::concentric};
  Pair<Scalar> const pair(in);
  // `previous` is not used: the start point of a solver changes only the time that it needs.
  Meeting<Scalar> const at = touch<Scalar>(pair.i, pair.j, between<Scalar>(pair.i, pair.j));
  Vector3<Scalar> const n = at.normal();
  Output<Scalar> out;
  out.sigma = at.sigma();
  out.point = in.i.position + pair.unit * at.x;
  out.normal = n;
  out.overlap_b = zero;
  if (out.sigma < one)
    out.overlap_b = pair.unit * (exit_distance<Scalar>(pair.i, at.x, -n) + exit_distance<Scalar>(pair.j, at.x, n));
  Scalar const to_i = pair.unit / at.weight_i, to_j = pair.unit / at.weight_j;
  out.overlap_n = (one - out.sigma) * (to_i + to_j);
  out.overlap_phi = depth<Scalar>(out.sigma, in.i.n1) * to_i + depth<Scalar>(out.sigma, in.j.n1) * to_j;
  out.status = one < growth_of_boxes<Scalar>(pair.i, pair.j) ? Status::far
               : out.sigma < one                             ? Status::intersect
                                                             : Status::close;
  return out;
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Output<float> evaluate(Input<float> const&);
extern template Output<double> evaluate(Input<double> const&);
extern template Output<long double> evaluate(Input<long double> const&);
extern template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
extern template Output<Binary128> evaluate(Input<Binary128> const&);

}  // namespace demeter::superquadric_contact::reference
