// Tests the laws that follow from the units and kinds of fields. The correct contract of this file must satisfy them.
// Each wrong unit or kind must break at least one law.
#include "properties/core/invariance.hpp"

#include <gtest/gtest.h>

#include <string>

namespace demeter {
namespace invariance_test {

/// The declared units and kinds of a test contract: a mass at the end of an arm, and a force on the mass.
struct Declared {
  std::string_view inertia_unit, arm_unit;
  Kind centre, arm, pull, torque, inertia;
};
constexpr Declared right{"kg m^2", "m", Kind::position, Kind::vector, Kind::vector, Kind::axial, Kind::tensor};

/// Returns the correct declaration (`which` = 0), or the correct declaration with one mistake.
constexpr Declared declared(int which) {
  Declared all = right;
  if (which == 1) all.inertia_unit = "kg m^3";
  if (which == 2) all.inertia_unit = "m^2";
  if (which == 3) all.arm_unit = "";
  if (which == 4) all.centre = Kind::vector;
  if (which == 5) all.arm = Kind::position;
  if (which == 6) all.pull = Kind::number;
  if (which == 7) all.torque = Kind::vector;
  if (which == 8) all.inertia = Kind::number;
  return all;
}

template <int which>
struct Kernel {
  static constexpr Declared of = declared(which);

  template <class Scalar>
  struct Input {
    Vector3<Scalar> pivot, centre, arm, pull;
    Scalar mass;
    static constexpr auto fields() {
      return std::tuple{field("pivot", &Input::pivot, unit::metre, Kind::position, ""),
                        field("centre", &Input::centre, unit::metre, of.centre, ""),
                        field("arm", &Input::arm, of.arm_unit, of.arm, ""),
                        field("pull", &Input::pull, unit::newton, of.pull, ""),
                        field("mass", &Input::mass, unit::kilogram, "")};
    }
  };
  template <class Scalar>
  struct Output {
    Vector3<Scalar> end, torque;
    std::optional<Vector<Scalar, 6>> inertia;
    Scalar share;
    static constexpr auto fields() {
      return std::tuple{field("share", &Output::share, unit::none, ""),
                        field("end", &Output::end, unit::metre, Kind::position, ""),
                        field("torque", &Output::torque, unit::newton_metre, of.torque, ""),
                        field("inertia", &Output::inertia, of.inertia_unit, of.inertia, "")};
    }
  };

  struct Contract {
    template <class Scalar>
    using Input = Kernel::Input<Scalar>;
    template <class Scalar>
    using Output = Kernel::Output<Scalar>;
    static constexpr std::array budgets{Budget{"end", Measure::scale, 2}, Budget{"torque", Measure::scale, 4},
                                        Budget{"inertia", Measure::scale, 3}, Budget{"share", Measure::scale, 1}};
    template <class Scalar>
    static std::optional<DomainError> domain_error(Input<Scalar> const&) {
      return std::nullopt;
    }
    static Output<long double> scale(Input<double> const& in) {
      long double const arm = in.arm.template cast<long double>().norm();
      return {Vector3<long double>::Constant(in.centre.cwiseAbs().maxCoeff() + arm),
              Vector3<long double>::Constant((in.centre.norm() + in.pivot.norm() + arm) * in.pull.norm()),
              Vector<long double, 6>::Constant(in.mass * arm * arm), 1};
    }
  };

  static Output<double> evaluate(Input<double> const& in) {
    Vector3<double> const& a = in.arm;
    Output<double> out;
    out.end = in.centre + a;
    // This number wrongly depends on the unit of length. The value 2^-513 is allowed, because a quotient of products
    // that leave the range of doubles may be as small. The value 2^-500 is too large.
    out.share = a.cwiseAbs().maxCoeff() > 1 ? (which == 10 ? 0x1p-500 : 0x1p-513) : 0;
    out.torque = (in.centre + a - in.pivot).cross(in.pull);
    // A deliberate mistake: the output is null if the arm is longer than 1 in the current unit.
    if (which == 9 && a.cwiseAbs().maxCoeff() > 1) return out;
    out.inertia.emplace(a[1] * a[1] + a[2] * a[2], a[0] * a[0] + a[2] * a[2], a[0] * a[0] + a[1] * a[1], -a[0] * a[1],
                        -a[0] * a[2], -a[1] * a[2]);
    *out.inertia *= in.mass;
    return out;
  }

  struct Invariant {
    using Contract = Kernel::Contract;
    static std::vector<std::string_view> outputs() { return {"end", "torque", "inertia", "share"}; }
    static Unusable unusable(std::span<Input<double> const>, std::span<Output<double> const>) { return {}; }
  };
};

/// Returns the names of the laws that are broken in 200 cases, such as "scaling axis_permutation ".
template <int which>
std::string broken() {
  using Of = Kernel<which>;
  using Shared = Invariances<typename Of::Invariant>;
  std::string names;
  for (auto const& law : {Shared::scaling(), Shared::axis_permutation(), Shared::translation()}) {
    double worst = 0;
    int applied = 0;
    for (std::uint64_t id = 0; id < 200; ++id) {
      Random random(1, 2, id), of_law(1, 3, id);
      typename Of::template Input<double> in;
      in.pivot = cube_point(random), in.centre = cube_point(random), in.arm = cube_point(random),
      in.pull = cube_point(random);
      in.mass = random.log_uniform(-3, 3);
      auto const inputs = inputs_of(law, in, of_law);
      if (inputs.empty()) continue;
      ++applied;
      std::vector<typename Of::template Output<double>> outputs;
      for (auto const& each : inputs) outputs.push_back(Of::evaluate(each));
      worst = std::max(worst, law.violation(inputs, outputs, {}).value_or(0));
    }
    EXPECT_GT(applied, 100) << law.name;
    if (worst > 1) names += std::string(law.name) + " ";
  }
  return names;
}

TEST(Invariance, ACorrectContractBreaksNoLaw) { EXPECT_EQ(broken<0>(), ""); }

TEST(Invariance, AWrongUnitBreaksTheScalingLaw) {
  EXPECT_EQ(broken<1>(), "scaling ") << "m^3 for m^2";
  EXPECT_EQ(broken<2>(), "scaling ") << "no kg";
  EXPECT_EQ(broken<3>(), "scaling ") << "an arm without a unit";
}

TEST(Invariance, AUnitDependentNullBreaksTheScalingLaw) { EXPECT_EQ(broken<9>(), "scaling "); }

TEST(Invariance, OnlyTinyPureNumbersMayDependOnTheUnit) {
  EXPECT_EQ(broken<0>(), "") << "of 2^-513";
  EXPECT_EQ(broken<10>(), "scaling ") << "of 2^-500";
}

TEST(Invariance, AWrongKindBreaksTheAxisAndTranslationLaws) {
  EXPECT_EQ(broken<4>(), "translation ") << "a position that does not move";
  EXPECT_EQ(broken<5>(), "translation ") << "a vector that does";
  EXPECT_EQ(broken<6>(), "axis_permutation ") << "a force that does not turn";
  EXPECT_EQ(broken<7>(), "axis_permutation ") << "a torque that does not change its sign in a mirror";
  EXPECT_EQ(broken<8>(), "axis_permutation ") << "a tensor that does not turn";
}

TEST(Invariance, The48CubeMotionsAreDistinctAndHalfOfThemAreReflections) {
  int mirrored = 0;
  std::vector<Vector3<double>> seen;
  for (std::uint64_t number = 0; number < 48; ++number) {
    CubeMotion const motion = cube_motion(number);
    Vector3<double> x(1, 2, 3);
    turn(x, Kind::vector, motion);
    for (Vector3<double> const& other : seen) EXPECT_NE(x, other);
    seen.push_back(x);
    if (motion.determinant < 0) ++mirrored;
    // A cross product is an axial vector.
    Vector3<double> a(1, -2, 5), b(3, 1, 2), c = a.cross(b);
    turn(a, Kind::vector, motion), turn(b, Kind::vector, motion), turn(c, Kind::axial, motion);
    EXPECT_EQ(a.cross(b), c);
    // A cube motion P changes the rotation matrix R to P R P^T.
    Quaternion<double> q(1, 2, -3, 4), turned_q = q;
    turn(turned_q, Kind::quaternion, motion);
    Vector3<double> v(7, -1, 2), turned_v = v;
    turn(turned_v, Kind::vector, motion);
    Vector3<double> image = (matrix_of(q.cast<long double>()) * v.cast<long double>()).cast<double>();
    turn(image, Kind::vector, motion);
    EXPECT_EQ((matrix_of(turned_q.cast<long double>()) * turned_v.cast<long double>()).cast<double>(), image);
  }
  EXPECT_EQ(mirrored, 24);
}

}  // namespace invariance_test
}  // namespace demeter
