// Contract of superquadric_shape: gauge, derivatives and curvatures of a superquadric at a point.
#pragma once

#include "reference/spec/family/superquadric.hpp"

namespace demeter::superquadric_shape {

/// A symmetric tensor in the order xx, yy, zz, xy, xz, yz.
template <class Scalar>
using Tensor = Vector<Scalar, 6>;

/// A superquadric and a point in its own frame. Domain: semi-axes 1e-75 to 1e75, exponents 2 to 200, coordinates 0 or
/// of a magnitude of 1e-75 to 1e75, not all 0.
template <class Scalar>
struct Input {
  Vector3<Scalar> semi_axes;
  Scalar n1, n2;
  Vector3<Scalar> point;

  static constexpr auto fields() {
    return std::tuple{
        field("semi_axes", &Input::semi_axes, unit::metre, "a, b, c along the body's own x, y, z, 1e-75 to 1e75"),
        field("n1", &Input::n1, unit::none, "exponent between z and the x, y plane, 2 to 200"),
        field("n2", &Input::n2, unit::none, "exponent in the x, y plane, 2 to 200"),
        field("point", &Input::point, unit::metre,
              "point in the body's own frame, not its centre; each coordinate 0 or of a size from 1e-75 to 1e75"),
    };
  }
};

/// Shape function, gauge, its gradient and Hessian, and curvatures (> 0 for a convex surface), in the body's own frame.
template <class Scalar>
struct Output {
  Scalar value, gauge;
  Vector3<Scalar> gradient;
  std::optional<Tensor<Scalar>> hessian;
  std::optional<Scalar> mean_curvature, gaussian_curvature;

  static constexpr auto fields() {
    return std::tuple{
        field("value", &Output::value, unit::none, "F = N^n1 - 1: negative inside, 0 on the surface"),
        field("gauge", &Output::gauge, unit::none,
              "N, by which the body would have to be multiplied for its surface to meet the point"),
        field("gradient", &Output::gradient, unit::per_metre, "gradient of N (not of F), the body's own frame"),
        field("hessian", &Output::hessian, unit::per_square_metre,
              "xx, yy, zz, xy, xz, yz of the Hessian of N; null where there is none: x = y = 0 with n1 = 2 < n2"),
        field("mean_curvature", &Output::mean_curvature, unit::per_metre,
              "mean of the two principal curvatures of the body's surface at point / N, >= 0 (1/R of a sphere); null "
              "with the Hessian"),
        field("gaussian_curvature", &Output::gaussian_curvature, unit::per_square_metre,
              "their product, >= 0 (1/R^2 of a sphere); null with the Hessian"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = superquadric_shape::Input<Scalar>;
  template <class Scalar>
  using Output = superquadric_shape::Output<Scalar>;

  static constexpr std::string_view name = "superquadric_shape";
  static constexpr std::string_view summary = "gauge of a superquadric at a point, its derivatives, and curvatures";
  static constexpr std::string_view conventions =
      "All in the body's own frame, z being the axis of n1. The gauge N is homogeneous of degree 1: 1 on the surface, "
      "less inside. Gradient and Hessian are those of N; a code that has Phi = k (N^n1 - 1) has k n1 N^(n1-1) times "
      "this gradient. Curvatures are those of the surface where the ray from the centre through the point leaves the "
      "body, positive where convex; the mean curvature is half the trace.";
  static constexpr std::string_view source =
      "Open DEM Japan, 2025, Superquadric Surface Model, equation (1) (what is printed); Barr, 1981, Superquadrics and "
      "Angle-Preserving Transformations; docs/mathematics/superquadrics.md#superquadric_shape";
  static constexpr Certainty certainty = bounded;
  // A power k^n has n times the relative error of k. Outputs that consist of powers are therefore measured in (n1 + n2)
  // u of their own magnitude. Two outputs are exceptions. The terms of a Hessian entry ij may cancel: its unit uses
  // sqrt(H_ii H_jj). The terms of F cancel at the surface: its unit is u (1 + n1 N^n1).
  // Each budget is at most eight times the largest error of the fast form in a million cases. In the order of the
  // outputs, these errors are 4.2, 4.4, 3.7, 3.7, 5.4 and 8.3.
  static constexpr std::array budgets{
      Budget{"value", Measure::scale, 32},          Budget{"gauge", Measure::relative, 32},
      Budget{"gradient", Measure::scale, 28},       Budget{"hessian", Measure::scale, 28},
      Budget{"mean_curvature", Measure::scale, 40}, Budget{"gaussian_curvature", Measure::scale, 64},
  };

  /// Numbers below this part of their natural size (1/a_k for a gradient component) count as 0. Powers below the normal
  /// range lose digits.
  static constexpr long double least_part = 0x1p-600L;

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (auto wrong = superquadric_shape_error<Scalar>("", in.semi_axes, in.n1, in.n2)) return wrong;
    auto const in_range = [](Scalar const& x) { return x >= Scalar(1e-75) && x <= Scalar(1e75); };
    bool centre = true;
    for (Index k = 0; k < 3; ++k) {
      Scalar const x = in.point[k] < Scalar(0) ? Scalar(-in.point[k]) : in.point[k];
      bool const zero = x >= Scalar(0) && x <= Scalar(0);
      centre = centre && zero;
      if (!in_range(in.semi_axes[k]))
        return DomainError{"semi_axes[" + std::to_string(k) + "]", "1e-75 to 1e75: powers of it leave the range"};
      if (!zero && !in_range(x))
        return DomainError{"point[" + std::to_string(k) + "]", "0, or 1e-75 to 1e75 either way"};
    }
    if (centre) return DomainError{"point", "a point that is not the centre, where the gauge has no gradient"};
    return std::nullopt;
  }

  /// Returns bounds of the outputs, computed from the input alone. The scale of the oracle depends on the truth.
  static Output<long double> scale(Input<double> const& in) {
    long double const n = static_cast<long double>(in.n1) + in.n2;
    Vector3<long double> const a = in.semi_axes.cast<long double>();
    long double const least = a.minCoeff(), most = a.maxCoeff();
    long double gauge = 0;
    for (Index k = 0; k < 3; ++k) gauge = std::max(gauge, std::fabs(in.point[k]) / a[k]);
    Output<long double> size;
    size.gauge = 3 * gauge;
    size.value = 1 + in.n1 * std::pow(size.gauge, static_cast<long double>(in.n1));
    size.gradient = n * a.cwiseInverse();
    Tensor<long double> H{1 / (a[0] * a[0]), 1 / (a[1] * a[1]), 1 / (a[2] * a[2]),
                          1 / (a[0] * a[1]), 1 / (a[0] * a[2]), 1 / (a[1] * a[2])};
    size.hessian = n * n / gauge * H;
    // |g| >= 1/(4 most).
    size.mean_curvature = 64 * n * n * most * most * most / (least * least * least * least);
    size.gaussian_curvature = 256 * n * n * n * most * most / (a.prod() / most * (a.prod() / most));
    return size;
  }
};

}  // namespace demeter::superquadric_shape
