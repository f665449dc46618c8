// Laws that are shared by all kernels with a mass, a centroid and a tensor of inertia.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "reference/spec/family/clump.hpp"

#include <array>
#include <type_traits>

namespace demeter {

using WideVector = Vector3<long double>;
using WideTensor = Tensor<long double>;

/// An answer with a mass, a centroid and a tensor of inertia.
template <class Output>
concept body_answer = record<Output> && requires(Output const& out) {
  out.mass;
  out.centroid;
  out.inertia;
};

// --------------------------------------------------------------------------------------------------------- arithmetic

template <body_answer Sizing>
Sizing operator+(Sizing a, Sizing const& b) {
  for_each_field<Sizing>([&](auto const& field) { a.*field.member += b.*field.member; });
  return a;
}
template <body_answer Sizing>
Sizing operator-(Sizing a, Sizing const& b) {
  for_each_field<Sizing>([&](auto const& field) { a.*field.member -= b.*field.member; });
  return a;
}

/// Returns the parallel-axis term m (d.d 1 - d d^T).
inline WideTensor transferred(long double mass, WideVector const& d) {
  WideTensor tensor{d[1] * d[1] + d[2] * d[2],
                    d[0] * d[0] + d[2] * d[2],
                    d[0] * d[0] + d[1] * d[1],
                    -d[0] * d[1],
                    -d[0] * d[2],
                    -d[1] * d[2]};
  return mass * tensor;
}

/// Returns R diag(moments) R^T. R is the matrix of the quaternion, whose length is not made 1 first.
inline WideTensor composed(WideVector const& moments, Quaternion<long double> const& q) {
  Matrix3<long double> const R = matrix_of(q), I = R * moments.asDiagonal() * R.transpose();
  return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
}

/// Returns the largest ratio of an error to its tolerance. Compares only fields that all answers contain. Does not
/// compare the orientation, because it is not unique.
template <body_answer Sizing, body_answer Answer>
double worst_field(Sizing const& error, Sizing const& tolerance, std::span<Answer const> outputs) {
  double worst = 0;
  for_each_answered<Sizing>(outputs, [&](auto const& field, bool there) {
    auto const &off = error.*field.member, &allowed = tolerance.*field.member;
    using Value = std::remove_cvref_t<decltype(off)>;
    if (!there) return;
    if constexpr (std::is_same_v<Value, Quaternion<long double>>)
      return;
    else if constexpr (fixed_vector<Value>)
      worst = std::max(worst, worst_component(off, allowed));
    else
      worst = std::max(worst, in_tolerances(std::fabs(off), allowed));
  });
  return worst;
}

/// Returns how laws judge answers that are not finite. They are wrong unless `factor` times the scales of the case can
/// overflow.
template <class Contract, class Case = typename Contract::template Input<double>,
          class Answer = typename Contract::template Output<double>>
Unusable unusable_unless_large(std::span<Case const> inputs, std::span<Answer const> outputs, int factor) {
  return unusable_unless(inputs, outputs, [factor](Case const& in) {
    auto const size = Contract::scale(in);
    long double largest = std::max({size.mass, size.centroid.maxCoeff(), size.inertia[0]});
    if constexpr (requires { size.volume; }) largest = std::max(size.volume, largest);
    return !(factor * largest <= largest_double);
  });
}

// --------------------------------------------------------------------------------------------------------------- laws

/// Builds the laws of a kernel whose bodies consist of parts with positions. `Body` has these members: `Contract`;
/// `parts` and `place`, pointers to the members with the parts and with the position of a part; `outputs()`, the
/// compared outputs; and `unusable(inputs, outputs)`.
template <class Body>
struct TensorLaws {
  using Contract = typename Body::Contract;
  using Case = typename Contract::template Input<double>;
  using Answer = typename Contract::template Output<double>;
  using Sizing = typename Contract::template Output<long double>;
  using Inputs = std::span<Case const>;
  using Outputs = std::span<Answer const>;
  using Violation = std::optional<double>;
  using Rule = Law<Case, Answer>;

  /// Checks that the centroids of two answers differ by `shift` and that all other outputs are equal, within both
  /// budgets.
  static Violation same_but_for(Inputs inputs, Outputs outputs, Tolerance const& held, WideVector const& shift) {
    if (auto const bad = Body::unusable(inputs, outputs); bad.decided) return bad.verdict;
    Sizing error = cast<Sizing>(outputs[1]) - cast<Sizing>(outputs[0]);
    error.centroid -= shift;
    return worst_field(error, allowance<Contract>(held, inputs.first(2), outputs.first(2)), outputs.first(2));
  }
  static Violation same(Inputs inputs, Outputs outputs, Tolerance const& held) {
    return same_but_for(inputs, outputs, held, WideVector::Zero());
  }

  static void derive_permutation(Case const& in, Random& random, std::vector<Case>& inputs) {
    if ((in.*Body::parts).size() < 2) return;
    Case permuted = in;
    shuffle(permuted.*Body::parts, random);
    inputs.push_back(std::move(permuted));
  }
  static Rule permutation(std::string_view doc) {
    return {.name = "permutation",
            .doc = doc,
            .tolerance = "both budgets",
            .compares = Body::outputs(),
            .derive = derive_permutation,
            .violation = same};
  }

  /// Returns the largest magnitude of a coordinate of any part.
  static double reach(Case const& in) {
    double largest = 0;
    for (auto const& part : in.*Body::parts) largest = std::max(largest, (part.*Body::place).cwiseAbs().maxCoeff());
    return largest;
  }
  static void round_places(Case& in, double grid) {
    for (auto& part : in.*Body::parts)
      for (double& x : part.*Body::place) x = grid * std::round(x / grid);
  }
  static void move(Case& in, Vector3<double> const& shift) {
    for (auto& part : in.*Body::parts) part.*Body::place += shift;
  }
  /// Rounds all positions to 30 bits of the largest coordinate. Returns the rounding step, or nothing if the
  /// coordinates are out of range.
  static std::optional<double> to_grid(Case& in) {
    double const largest = reach(in);
    if (!(largest > 0x1p-900 && largest < 0x1p900)) return std::nullopt;
    double const grid = std::ldexp(1.0, std::ilogb(largest) - 30);
    round_places(in, grid);
    return grid;
  }

  /// Checks the answers to two bodies a and b and to the union of both, in this order. Volume, surface and mass add.
  /// The inertia is I = I_a + I_b + (m_a m_b / m) (d.d 1 - d d^T), where d is the vector between the centroids.
  static Violation two_as_one(Inputs inputs, Outputs outputs, Tolerance const& held) {
    if (auto const bad = Body::unusable(inputs, outputs); bad.decided) return bad.verdict;
    Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]), whole = cast<Sizing>(outputs[2]);
    Sizing const first = allowance<Contract>(held, inputs[0], outputs[0]),
                 second = allowance<Contract>(held, inputs[1], outputs[1]);
    Sizing tolerance = allowance<Contract>(held, inputs[2], outputs[2]) + (first + second);
    long double const mass = a.mass + b.mass;
    bool const has_mass = answered(outputs, &Answer::mass),
               has_centroid = answered(outputs, &Answer::mass, &Answer::centroid);
    bool const has_inertia = answered(outputs, &Answer::mass, &Answer::centroid, &Answer::inertia);
    if (has_mass && !(a.mass > 0 && b.mass > 0)) return infinite;
    long double const share_a = a.mass / mass, share_b = b.mass / mass, reduced = share_a * b.mass;
    WideVector const arm = b.centroid - a.centroid;
    // A mass may be as small as half of the smallest subnormal number: its relative error counts too. The sums of this
    // law have eight long double roundings of 2^-64. `roundings(8)` is more than a thousand times as large.
    long double const relative = (first.mass / a.mass + second.mass / b.mass) + roundings(8);
    WideVector const off = first.centroid + second.centroid, reach = arm.cwiseAbs() + off;
    tolerance.inertia += WideTensor::Constant(reduced * (2 * off.sum() * reach.sum() + relative * reach.squaredNorm()));
    tolerance.centroid += relative * reach;
    WideVector const centroid = share_a * a.centroid + share_b * b.centroid;
    WideTensor const inertia = a.inertia + b.inertia + transferred(reduced, arm);
    double worst = worst_answered({{has_mass, in_tolerances(std::fabs(whole.mass - mass), tolerance.mass)},
                                   {has_centroid, worst_component(whole.centroid - centroid, tolerance.centroid)},
                                   {has_inertia, worst_component(whole.inertia - inertia, tolerance.inertia)}});
    if constexpr (requires { whole.volume, whole.surface_area; }) {
      long double const volume = whole.volume - a.volume - b.volume;
      long double const surface_area = whole.surface_area - a.surface_area - b.surface_area;
      worst = std::max(
          worst,
          worst_answered({{answered(outputs, &Answer::volume), in_tolerances(std::fabs(volume), tolerance.volume)},
                          {answered(outputs, &Answer::surface_area),
                           in_tolerances(std::fabs(surface_area), tolerance.surface_area)}}));
    }
    return worst;
  }

  /// Checks that the moments and the axes give the inertia. In a cluster of nearly equal moments, the allowed error is
  /// as large as the differences of the moments.
  static Violation composes_the_inertia(Inputs inputs, Outputs outputs, Tolerance const& held) {
    if (auto const bad = Body::unusable(inputs, outputs); bad.decided) return bad.verdict;
    Sizing const out = cast<Sizing>(outputs[0]), tolerance = allowance<Contract>(held, inputs[0], outputs[0]);
    long double open = 0;
    for (Index k = 0; k < 2; ++k) {
      long double const step = std::fabs(out.principal[k + 1] - out.principal[k]);
      if (step <= 2 * cluster_step * out.principal[2] + 2 * tolerance.principal[k]) open += step;
    }
    // An entry of the tensor is the sum of three products of a moment and two components of axes. Its error contains
    // three errors of a moment and six errors of an axis.
    WideTensor const size =
        tolerance.inertia + WideTensor::Constant(3 * tolerance.principal[0] + 6 * tolerance.orientation[0] + 2 * open);
    return worst_component(out.inertia - composed(out.principal, out.orientation), size);
  }
  static Rule composition() {
    return {.name = "composition",
            .doc = "moments and axes give the inertia",
            .tolerance = "the budgets of inertia, moments and axes, plus the spread of nearly equal moments",
            .uses = {"inertia", "principal", "orientation"},
            .violation = composes_the_inertia};
  }
  /// Checks that the moments are in ascending order and that none is negative.
  static Violation ascend(Inputs inputs, Outputs outputs, Tolerance const& held) {
    if (auto const bad = Body::unusable(inputs, outputs); bad.decided) return bad.verdict;
    WideVector const moments = wide(outputs[0].principal);
    long double const tolerance = allowance<Contract>(held, inputs[0], outputs[0]).principal[0];
    return std::max({in_tolerances(-moments[0], tolerance), in_tolerances(moments[0] - moments[1], 2 * tolerance),
                     in_tolerances(moments[1] - moments[2], 2 * tolerance)});
  }
};

}  // namespace demeter
