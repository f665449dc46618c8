// Contract of superquadric_box_test: the factor by which the boxes of two superquadrics grow or shrink until they
// touch.
#pragma once

#include "reference/spec/family/superquadric.hpp"

namespace demeter::superquadric_box_test {

/// Says whether sigma_box > 1: then the bodies do not touch.
enum class Separated { no, yes };
constexpr std::array<std::string_view, 2> labels(Separated) { return {"no", "yes"}; }

/// Two superquadrics in the global frame. Domain: finite numbers, semi-axes > 0, exponents 2 to 200, quaternions not
/// zero.
template <class Scalar>
struct Input {
  Superquadric<Scalar> i, j;

  static constexpr auto fields() {
    return std::tuple{
        field("i", &Input::i, "", "the first body"),
        field("j", &Input::j, "", "the second body"),
    };
  }
};

/// Growth distance of the boxes (no unit, 1 if they touch), and the label, which depends only on the growth distance.
template <class Scalar>
struct Output {
  Scalar sigma_box;
  Separated separated;

  static constexpr auto fields() {
    return std::tuple{
        field("sigma_box", &Output::sigma_box, unit::none,
              "growth distance of the boxes: grown by this factor about their centres they touch; >= 0"),
        field("separated", &Output::separated, unit::none, "whether sigma_box > 1: then the bodies do not touch"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = superquadric_box_test::Input<Scalar>;
  template <class Scalar>
  using Output = superquadric_box_test::Output<Scalar>;

  static constexpr std::string_view name = "superquadric_box_test";
  static constexpr std::string_view summary =
      "growth distance of the boxes of two superquadrics, and whether it is > 1";
  static constexpr std::string_view conventions =
      "A body's box has its semi-axes as half-lengths, along the body's own axes: the exponents do not enter. The "
      "quaternions are w, x, y, z (Eigen and others store x, y, z, w), turn local into global vectors, and need not "
      "have length 1. sigma_box is 1 where the boxes touch, less where they overlap, 0 where the centres are equal, "
      "and proportional to the distance of the centres along a line; it is no distance and has no unit.";
  static constexpr std::string_view source =
      "Gottschalk, Lin, Manocha 1996, OBBTree: a hierarchical structure for rapid interference detection (the 15 "
      "axes); "
      "Ong, Gilbert 1996, Growth distances: new measures for object separation and penetration; "
      "docs/mathematics/superquadrics.md#superquadric_box_test";
  static constexpr Certainty certainty = bounded;
  // sigma_box can be computed without cancellation, so the budget is valid for every angle between edges. Both labels
  // are accepted if sigma_box is 1 up to rounding.
  static constexpr std::array budgets{
      Budget{"sigma_box", Measure::relative, 16},
      Budget{"separated", Measure::optimality, 16},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (auto wrong = superquadric_error("i.", in.i)) return wrong;
    return superquadric_error("j.", in.j);
  }

  /// Returns 1 for sigma_box: the value at which the label changes.
  static Output<long double> scale(Input<double> const&) { return {1, Separated::no}; }
};

}  // namespace demeter::superquadric_box_test
