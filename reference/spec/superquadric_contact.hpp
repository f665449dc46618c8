// Contract of superquadric_contact: growth distance, contact point, normal and overlaps of two superquadrics.
#pragma once

#include "reference/spec/family/superquadric_jet.hpp"

namespace demeter::superquadric_contact {

/// The relation of the bodies; the field `status` of `Output` explains the labels.
enum class Status { far, close, intersect, concentric, degenerate };
constexpr std::array<std::string_view, 5> labels(Status) {
  return {"far", "close", "intersect", "concentric", "degenerate"};
}

/// Two superquadrics in the global frame. Domain: finite numbers, semi-axes > 0, exponents 2 to 200, quaternions not
/// zero, largest semi-axes that differ by a factor of at most 10000.
template <class Scalar>
struct Input {
  Superquadric<Scalar> i, j;
  std::optional<Vector3<Scalar>> previous;

  static constexpr auto fields() {
    return std::tuple{
        field("i", &Input::i, unit::none, "one body"),
        field("j", &Input::j, unit::none, "the other"),
        field("previous", &Input::previous, unit::metre, Kind::position,
              "a point where a solver may start, global frame, or null; the answer does not depend on it"),
    };
  }
};

/// Growth distance (no unit), point in m, unit normal from j to i, and overlaps in m (> 0: overlap).
template <class Scalar>
struct Output {
  Scalar sigma;
  Vector3<Scalar> point;
  std::optional<Vector3<Scalar>> normal;
  std::optional<Scalar> overlap_b, overlap_n, overlap_phi;
  Status status;

  static constexpr auto fields() {
    return std::tuple{
        field(
            "sigma", &Output::sigma, unit::none,
            "growth distance: both bodies, grown by this factor about their centres, just touch; < 1: they intersect"),
        field("point", &Output::point, unit::metre, Kind::position, "where they touch then, global frame"),
        field("normal", &Output::normal, unit::none, Kind::vector,
              "unit normal at the point, from j to i; null if the centres are equal"),
        field(
            "overlap_b", &Output::overlap_b, unit::metre,
            "distance along the normal from the surface of j to that of i, through the point; 0 where separated; null "
            "if the centres are equal"),
        field(
            "overlap_n", &Output::overlap_n, unit::metre,
            "sum over the bodies of (1 - gauge) / |gradient| at the point; < 0: a gap; null if the centres are equal"),
        field("overlap_phi", &Output::overlap_phi, unit::metre,
              "the same of gauge^n1 - 1, negated; null if the centres are equal; not judged where sigma^(1 - n) "
              "exceeds 2^1000"),
        field(
            "status", &Output::status, unit::none,
            "far: the boxes are apart; close: the boxes are not, but the bodies; intersect; concentric: equal centres; "
            "degenerate: a formula has no answer"),
    };
  }
};

/// The quantities that determine the rounding errors of a contact in binary64, at the point where the bodies touch. W
/// is the weighted sum of the Hessians of both gauges.
struct Conditioning {
  long double condition;           ///< `curvature` divided by the smallest semi-axis
  long double curvature;           ///< weighted length of the gradients / (smallest eigenvalue of W across the normal),
                                   ///< a length
  long double mixing;              ///< factor by which W^-1 may enlarge an error in the tangential gradient of one body
  long double turning;             ///< angle by which the normal turns if the bodies move by `reach`
  long double reach;               ///< distance of the point from the farther centre
  long double height_i, height_j;  ///< heights of the bodies along the normal, 1 / |grad N|
};

namespace detail {

using superquadric::conditioning::WideGauge, superquadric::conditioning::wide_gauge;

/// Returns the largest singular value of a 2x2 matrix.
inline long double norm_of(Matrix<long double, 2, 2> const& A) {
  long double const a = A.squaredNorm(), b = 2 * A.determinant();
  return (std::sqrt(std::max(a + b, 0.0L)) + std::sqrt(std::max(a - b, 0.0L))) / 2;
}

}  // namespace detail

/// Returns the conditioning at an approximate contact point. The centres must differ.
inline Conditioning conditioning(Input<double> const& in, Vector3<long double> const& point) {
  using Matrix2 = Matrix<long double, 2, 2>;
  detail::WideGauge const I = detail::wide_gauge(in.i, point), J = detail::wide_gauge(in.j, point);
  long double const wi = I.g.norm(), wj = J.g.norm(), lambda = wj / (wi + wj), u = lambda * wi;
  Vector3<long double> const n = (J.g / wj - I.g / wi).normalized();
  Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  Matrix<long double, 3, 2> across;
  across.col(0) = n.cross(Vector3<long double>::Unit(least)).normalized();
  across.col(1) = n.cross(across.col(0));
  Matrix2 const Hi = lambda * (across.transpose() * I.H * across),
                Hj = (1 - lambda) * (across.transpose() * J.H * across), W = Hi + Hj;
  long double const half = (W(0, 0) + W(1, 1)) / 2, difference = (W(0, 0) - W(1, 1)) / 2,
                    root = std::sqrt(difference * difference + W(0, 1) * W(1, 0)), largest = half + root;
  // The smaller eigenvalue is the determinant divided by the larger eigenvalue. The difference half - root would
  // cancel.
  long double const smallest = std::max((W(0, 0) * W(1, 1) - W(0, 1) * W(1, 0)) / largest, 0.0L);
  Conditioning result;
  result.curvature = u / smallest;
  result.condition = result.curvature / std::min<long double>(in.i.semi_axes.minCoeff(), in.j.semi_axes.minCoeff());
  result.reach = std::max(I.reach, J.reach);
  result.height_i = 1 / wi;
  result.height_j = 1 / wj;
  Matrix2 inverse{W(1, 1), -W(0, 1), -W(1, 0), W(0, 0)};
  inverse /= smallest * largest;
  result.mixing = smallest > 0 ? detail::norm_of(Matrix2(inverse * Hi)) + detail::norm_of(Matrix2(inverse * Hj))
                               : std::numeric_limits<long double>::infinity();
  result.turning = smallest > 0 ? detail::norm_of(Matrix2(Hi * inverse * Hj)) * result.reach / u
                                : std::numeric_limits<long double>::infinity();
  return result;
}

struct Contract {
  template <class Scalar>
  using Input = superquadric_contact::Input<Scalar>;
  template <class Scalar>
  using Output = superquadric_contact::Output<Scalar>;

  static constexpr std::string_view name = "superquadric_contact";
  static constexpr std::string_view summary =
      "growth distance, contact point, normal and overlaps of two superquadrics";
  static constexpr std::string_view conventions =
      "A quaternion is w, x, y, z, turns the body's frame into the global one, and may have any length but 0; "
      "exponents are LIGGGHTS's n1 (z against the x, y plane) and n2, 2 to 200; semi-axes, not diameters. The point is "
      "where both bodies touch when they are grown (or shrunk) about their centres by the same factor sigma: no scale "
      "factor of the implicit functions is in it. The normal points from j to i, so a repulsive force on i is along "
      "it. sigma < 1 is an intersection; overlap_b is 0 where separated, overlap_n and overlap_phi are then negative.";
  static constexpr std::string_view source =
      "Ong and Gilbert 1996, Growth distances: new measures for object separation and penetration; Podlozhnyuk, "
      "Pirker, Kloss 2017, Efficient implementation of superquadric particles in DEM (the implicit function); "
      "docs/mathematics/superquadrics.md#superquadric_contact";
  static constexpr Certainty certainty = bounded;
  // Eight times the largest errors measured in binary64 on a million pairs
  // (docs/mathematics/superquadrics.md#superquadric_contact-measured-figures). Both values of the status are accepted
  // if sigma, or the growth distance of the boxes, differs from 1 by at most the budget of sigma.
  static constexpr std::array budgets{
      Budget{"sigma", Measure::relative, 50},    Budget{"point", Measure::scale, 280},
      Budget{"normal", Measure::scale, 250},     Budget{"overlap_b", Measure::scale, 150},
      Budget{"overlap_n", Measure::scale, 100},  Budget{"overlap_phi", Measure::scale, 100},
      Budget{"status", Measure::optimality, 50},
  };
  /// Above this condition, the point and the normal are not judged.
  static constexpr long double worst_condition = 1e8L;

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    return superquadrics_error(in.i, in.j);
  }

  /// Returns scales that depend only on the size of the case. Point: the sum of all lengths plus the largest
  /// coordinate. Overlaps: the sum of all lengths. The scale of the oracle also depends on the solution.
  static Output<long double> scale(Input<double> const& in) {
    long double const lengths = static_cast<long double>(in.i.semi_axes.sum()) + in.j.semi_axes.sum() +
                                (in.j.position.cast<long double>() - in.i.position.cast<long double>()).norm();
    long double const coordinate = std::max(in.i.position.cwiseAbs().maxCoeff(), in.j.position.cwiseAbs().maxCoeff());
    long double const point = lengths + coordinate;
    return {1, {point, point, point}, Vector3<long double>(1, 1, 1), lengths, lengths, lengths, Status::far};
  }
};

}  // namespace demeter::superquadric_contact
