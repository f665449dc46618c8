// Contract of capsule_contact: overlap, normal and contact point of two capsules.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::capsule_contact {

/// The sign of uN, or `axes_intersect` if the distance d of the axes is at most 8 u S. In the second case the normal is
/// a convention (see `conventions`).
enum class Status { separated, overlapping, axes_intersect };
constexpr std::array<std::string_view, 3> labels(Status) { return {"separated", "overlapping", "axes_intersect"}; }

/// Two capsules in the global frame. Domain: finite numbers, both radii > 0; a half-shaft may be zero (a sphere).
template <class Scalar>
struct Input {
  Vector3<Scalar> centre1, half1;
  Scalar radius1;
  Vector3<Scalar> centre2, half2;
  Scalar radius2;

  static constexpr auto fields() {
    return std::tuple{
        field("centre1", &Input::centre1, unit::metre, Kind::position, "centre of capsule 1, global frame"),
        field("half1", &Input::half1, unit::metre, Kind::vector,
              "its half-shaft vector, from the centre to one end of the axis"),
        field("radius1", &Input::radius1, unit::metre, "its radius, > 0"),
        field("centre2", &Input::centre2, unit::metre, Kind::position, "centre of capsule 2"),
        field("half2", &Input::half2, unit::metre, Kind::vector, "its half-shaft vector; zero for a sphere"),
        field("radius2", &Input::radius2, unit::metre, "its radius, > 0"),
    };
  }
};

/// Overlap (uN < 0) or gap in m, unit normal from 1 to 2, and the contact point in the global frame.
template <class Scalar>
struct Output {
  Scalar uN;
  Vector3<Scalar> normal, point;
  Status status;

  static constexpr auto fields() {
    return std::tuple{
        field("uN", &Output::uN, unit::metre, "distance of the axes less both radii: < 0 is overlap, > 0 a gap"),
        field("normal", &Output::normal, unit::none, Kind::vector, "unit vector from capsule 1 towards capsule 2"),
        field("point", &Output::point, unit::metre, Kind::position,
              "contact point, global frame: where the force acts"),
        field("status", &Output::status, unit::none,
              "the sign of uN, or axes_intersect where the axes meet and the normal is a convention"),
    };
  }
};

/// The quantities that determine the rounding errors of a contact in binary64.
struct Conditioning {
  long double size;      ///< S = h1 + h2 + R + |w|, m
  long double distance;  ///< distance d of the axes, m
  long double mu;        ///< b + a (1 - |cos|), the smallest curvature of the function that the recommended formula
                         ///< minimises; <= 1
  Vector3<long double> connection;  ///< vector from axis 1 to axis 2 (length d), m
};

/// Returns the conditioning, computed in long double. The relative error is small unless the distance of the axes is at
/// the level of long double rounding.
inline Conditioning conditioning(Input<double> const& in) {
  using Vector = Vector3<long double>;
  auto const clamp = [](long double x) { return std::max(-1.0L, std::min(x, 1.0L)); };  // NaN gives -1
  Vector const A1 = in.half1.cast<long double>(), A2 = in.half2.cast<long double>();
  Vector const w = in.centre2.cast<long double>() - in.centre1.cast<long double>(), N = A1.cross(A2);
  long double const A1A1 = A1.dot(A1), A2A2 = A2.dot(A2), A1A2 = A1.dot(A2), NN = N.dot(N);
  long double const R = static_cast<long double>(in.radius1) + in.radius2;
  auto const best_x = [&](long double y) { return A1A1 > 0 ? clamp((w.dot(A1) + y * A1A2) / A1A1) : 0; };
  auto const best_y = [&](long double x) { return A2A2 > 0 ? clamp((x * A1A2 - w.dot(A2)) / A2A2) : 0; };

  Conditioning result;
  result.connection = w;
  long double least = std::numeric_limits<long double>::infinity();
  auto const consider = [&](long double x, long double y) {
    Vector const v = w + y * A2 - x * A1;
    if (!(v.squaredNorm() < least)) return;
    least = v.squaredNorm();
    result.connection = v;
  };
  if (NN > 0) {
    long double const y = best_y(clamp(w.cross(A2).dot(N) / NN));
    consider(best_x(y), y);
  }
  for (long double const end : {-1.0L, 1.0L}) {
    consider(end, best_y(end));
    consider(best_x(end), end);
  }
  result.size = std::sqrt(A1A1) + std::sqrt(A2A2) + R + w.norm();
  result.distance = std::sqrt(least);
  result.mu = 1;
  if (A1A1 > 0 && A2A2 > 0) {
    long double const cosine = std::fabs(A1A2) / std::sqrt(A1A1 * A2A2);
    long double const omega = std::max(R - result.distance, 0.0L) * (R + result.distance) * (cosine * cosine);
    long double const whole = 8 * std::min(A1A1, A2A2) + omega;
    result.mu = (omega + 8 * std::min(A1A1, A2A2) * (NN / (A1A1 * A2A2) / (1 + cosine))) / whole;
  }
  return result;
}

struct Contract {
  template <class Scalar>
  using Input = capsule_contact::Input<Scalar>;
  template <class Scalar>
  using Output = capsule_contact::Output<Scalar>;

  static constexpr std::string_view name = "capsule_contact";
  static constexpr std::string_view summary = "overlap, normal and contact point of two capsules";
  static constexpr std::string_view conventions =
      "Capsules are given by centre, half-shaft vector (half the axis segment, not the direction and not the whole "
      "length) and radius; uN is negative when they overlap; the normal points from 1 to 2, so a repulsive force on 1 "
      "is along -normal; the point lies in the middle of the overlap. Where the axes intersect (d <= 8 u S), the "
      "normal "
      "is along half1 x half2, or if that is zero perpendicular to half1, or (0, 0, 1) for coincident spheres.";
  static constexpr std::string_view source =
      "Šmilauer and others, undated, Woo Documentation: Capsule, Capsule-capsule contact (what is printed); centred, "
      "regularised closest points: docs/mathematics/capsules.md#capsule_contact";
  static constexpr Certainty certainty = bounded;
  // Normal and point: eight times the largest errors measured in binary64, in units of the scales below
  // (docs/mathematics/capsules.md#capsule_contact-measured-figures). Status: both values are accepted if uN or the
  // distance of the axes is equal to its limit up to rounding.
  static constexpr std::array budgets{
      Budget{"uN", Measure::scale, 8},
      Budget{"normal", Measure::scale, 32},
      Budget{"point", Measure::scale, 54},
      Budget{"status", Measure::optimality, 16},
  };
  /// Axes closer than this number of u S are treated as intersecting: the direction between them is only rounding
  /// error.
  static constexpr int intersecting = 8;

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (!(in.radius1 > Scalar(0))) return DomainError{"radius1", "> 0"};
    if (!(in.radius2 > Scalar(0))) return DomainError{"radius2", "> 0"};
    return std::nullopt;
  }

  /// Returns S for uN and status, S / (d mu) for the normal, and for the point (S / mu) (1 + |r1 - r2| / 2d) plus the
  /// largest coordinate. If the axes intersect, many normals are correct. If the radii are also unequal, many points
  /// are correct. Then the scales of these outputs are infinite, and the outputs are not judged. The law `convention`
  /// checks the normal of intersecting axes.
  static Output<long double> scale(Input<double> const& in) {
    Conditioning const of = conditioning(in);
    bool const intersect = !(of.distance > intersecting * static_cast<long double>(unit_roundoff) * of.size);
    long double const normal =
        intersect ? std::numeric_limits<long double>::infinity() : of.size / (of.distance * of.mu);
    long double const unequal = std::fabs(static_cast<long double>(in.radius1) - in.radius2);
    long double const coordinate = std::max(in.centre1.cwiseAbs().maxCoeff(), in.centre2.cwiseAbs().maxCoeff());
    long double const tilt = unequal > 0 ? normal * unequal / 2 : 0;  // avoids 0 times infinity
    long double const point = of.size / of.mu + tilt + coordinate;
    return {of.size, {normal, normal, normal}, {point, point, point}, Status::separated};
  }
};

}  // namespace demeter::capsule_contact
