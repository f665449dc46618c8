// The distance of two segments in integers: shared by the oracles of capsules.
#pragma once

#include "oracles/core/dyadic.hpp"
#include "reference/spec/core/fields.hpp"

#include <array>
#include <type_traits>

namespace demeter::capsule::oracle {

template <class Integer>
using IntegerVector = std::array<Integer, 3>;

template <class Integer>
IntegerVector<Integer> operator-(IntegerVector<Integer> const& x, IntegerVector<Integer> const& y) {
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}
template <class X, class Y>
auto dot(IntegerVector<X> const& x, IntegerVector<Y> const& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
template <class X>
auto cross(IntegerVector<X> const& x, IntegerVector<X> const& y) {
  using Product = decltype(x[0] * y[0]);
  return IntegerVector<Product>{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}
template <class Integer>
bool is_zero_vector(IntegerVector<Integer> const& x) {
  return is_zero(x[0]) && is_zero(x[1]) && is_zero(x[2]);
}

/// A squared distance as a fraction with a denominator > 0.
template <class Numerator, class Denominator>
struct Ratio {
  Numerator numerator;
  Denominator denominator;

  friend bool operator<(Ratio const& x, Ratio const& y) {
    return x.numerator * y.denominator < y.numerator * x.denominator;
  }
};

/// Returns the squared distance of the origin from the segment from w to w + B.
template <class Integer>
auto point_segment(IntegerVector<Integer> const& w, IntegerVector<Integer> const& B) {
  auto const BB = dot(B, B), ww = dot(w, w);
  using Denominator = std::remove_cvref_t<decltype(BB)>;
  using Numerator = std::remove_cvref_t<decltype(ww * BB)>;
  using Squared = Ratio<Numerator, Denominator>;
  auto const k = -dot(w, B);
  if (is_zero(BB) || !(Denominator(0) < k)) return Squared{ww, 1};
  if (!(k < BB)) {
    IntegerVector<Integer> const end{w[0] + B[0], w[1] + B[1], w[2] + B[2]};
    return Squared{dot(end, end), 1};
  }
  return Squared{ww * BB - k * k, BB};
}

/// Returns whether 0 <= numerator / denominator <= 1, for a denominator > 0.
template <class Integer>
bool in_unit_interval(Integer const& numerator, Integer const& denominator) {
  return !is_negative(numerator) && !(denominator < numerator);
}

template <class Integer>
IntegerVector<Integer> vector_on_grid(Vector3<double> const& x, int exponent) {
  return {on_grid<Integer>(x[0], exponent), on_grid<Integer>(x[1], exponent), on_grid<Integer>(x[2], exponent)};
}

/// Returns the distance by the recommended formula (docs/mathematics/capsules.md#segment_distance-recommended-formula),
/// on a grid of 2^exponent.
///
/// With WideInteger<L>, coordinates below 2^K and K <= 64 L - 3, nothing overflows. By Cauchy-Schwarz and Hadamard
/// every quantity is at most the product of the lengths of its factors, each below sqrt(3) 2^(K+1):
///   A, B, w < 2^(K+1): L limbs, 64 L - 1 bits and a sign
///   N, w.B, |w|^2 < 3 2^(2K+2): 2 L limbs
///   w.N < 3^1.5 2^(3K+3): 3 L limbs
///   N.N, (w x B).N, |w|^2 B.B < 9 2^(4K+4): 4 L limbs
///   (w.N)^2, and each side of the comparison of two ratios < 27 2^(6K+6): 6 L limbs
/// Partial sums of two or three products need at most one more bit.
///
/// `root(numerator, denominator, exponent)` must return an enclosure of sqrt(numerator / denominator) 2^exponent.
/// `ends` are p0, p1, q0, q1.
template <class Integer, class Root>
auto distance(std::array<IntegerVector<Integer>, 4> const& ends, int exponent, Root const& root) {
  auto const& [p0, p1, q0, q1] = ends;
  IntegerVector<Integer> const A = p1 - p0, B = q1 - q0, w = q0 - p0;
  auto const N = cross(A, B);

  if (!is_zero_vector(N)) {
    auto const NN = dot(N, N);
    if (in_unit_interval(dot(cross(w, B), N), NN) && in_unit_interval(dot(cross(w, A), N), NN)) {
      auto const wN = dot(w, N);
      return root(wN * wN, NN, exponent);
    }
  }

  auto least = point_segment(w, B);                        // p0 to q
  for (auto const& other : {point_segment(q0 - p1, B),     // p1 to q
                            point_segment(p0 - q0, A),     // q0 to p
                            point_segment(p0 - q1, A)}) {  // q1 to p
    if (other < least) least = other;
  }
  return root(least.numerator, least.denominator, exponent);
}

}  // namespace demeter::capsule::oracle
