// The laws that follow from the fields of a contract. The units of the fields determine how an answer changes with the
// units of measurement. The kinds of the fields determine how an answer changes when the frame is rotated, mirrored or
// moved. A wrong unit or kind in a contract breaks a law.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace demeter {

/// Returns a random generator whose seed consists of all numbers of the case. Therefore `derive` and `violation` make
/// the same choices.
template <class Case>
Random chosen_by(Case const& in) {
  std::uint64_t seed = 7;
  for_each_quantity(in, [&](auto const& quantity, auto const&) {
    for_each_number(quantity, [&](double x) { seed = mix_in(seed, x); });
  });
  return Random(seed, 0, 0);
}

/// Returns whether `holds` is true for every number of a record.
template <class Record, class Holds>
bool of_all_numbers(Record const& in, Holds&& holds) {
  bool all = true;
  for_each_quantity(in, [&](auto const& quantity, auto const&) {
    for_each_number(quantity, [&](auto x) { all = all && holds(x); });
  });
  return all;
}
/// Returns whether x is 0 or its magnitude is between 2^-exponents and 2^exponents. Implementations of `stays_normal`
/// use this.
inline bool is_moderate(long double x, int exponents) { return x == 0 || std::abs(std::ilogb(x)) < exponents; }

// ------------------------------------------------------------------------------------------------------ changed frames

/// One of the 48 symmetries of a cube: axis i of the result is axis from[i], mirrored if sign[i] is -1. Number 0 is the
/// identity.
struct CubeMotion {
  std::array<Index, 3> from;
  std::array<double, 3> sign;
  double determinant;  ///< -1 if the frame is mirrored
};
inline CubeMotion cube_motion(std::uint64_t number) {
  static constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  CubeMotion motion;
  motion.determinant = number < 24 ? 1 : -1;  // the first three orders are even permutations
  for (std::size_t i = 0; i < 3; ++i) {
    motion.from[i] = orders[number / 8][i];
    motion.sign[i] = (number >> i & 1) != 0 ? -1 : 1;
    motion.determinant *= motion.sign[i];
  }
  return motion;
}

/// Says whether a change of the frame changes the signs of components. `dropped` is for tolerances, because they are
/// never negative.
enum class Signs { kept, dropped };
/// Transforms a quantity of this kind from the old frame into the moved frame.
template <class Value>
void turn(Value& quantity, Kind kind, CubeMotion const& motion, Signs signs = Signs::kept) {
  if constexpr (fixed_vector<Value>) {
    Value const before = quantity;
    auto const sign = [&](Index i) { return signs == Signs::kept ? motion.sign[static_cast<std::size_t>(i)] : 1.0; };
    auto const from = [&](Index i) { return motion.from[static_cast<std::size_t>(i)]; };
    double const mirrored = signs == Signs::kept ? motion.determinant : 1;
    // In the plane, the two axes are exchanged if the motion reverses their order.
    if constexpr (Value::dimension == 2)
      if (kind == Kind::position || kind == Kind::vector)
        for (Index i = 0; i < 2; ++i) quantity[i] = sign(i) * before[from(0) < from(1) ? i : 1 - i];
    if constexpr (Value::dimension == 3)
      for (Index i = 0; i < 3; ++i) {
        if (kind == Kind::position || kind == Kind::vector) quantity[i] = sign(i) * before[from(i)];
        if (kind == Kind::axial) quantity[i] = mirrored * sign(i) * before[from(i)];
        if (kind == Kind::own_axes) quantity[i] = before[from(i)];
      }
    // The matrix R of the quaternion becomes P R P^T: the body's own axes are permuted and mirrored like the global
    // axes. The vector part of the quaternion transforms as an axial vector.
    if constexpr (Value::dimension == 4)
      if (kind == Kind::quaternion)
        for (Index i = 0; i < 3; ++i) quantity[1 + i] = mirrored * sign(i) * before[1 + from(i)];
    if constexpr (Value::dimension == 6)
      if (kind == Kind::tensor) {
        static constexpr Index entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
        for (Index i = 0; i < 3; ++i)
          for (Index j = i; j < 3; ++j) quantity[entry[i][j]] = sign(i) * sign(j) * before[entry[from(i)][from(j)]];
      }
  }
}
template <class Record>
Record turned(Record value, CubeMotion const& motion, Signs signs = Signs::kept) {
  for_each_quantity(value, [&](auto& quantity, auto const& field) { turn(quantity, field.kind, motion, signs); });
  return value;
}

/// A change of units. The unit metre is divided by 2^metre, so that the numbers of lengths are multiplied by 2^metre.
/// The same is true for the other units.
struct ChangeOfUnits {
  int metre = 0, kilogram = 0, second = 0;

  int exponent(Dimension const& of) const { return of.metre * metre + of.kilogram * kilogram + of.second * second; }
  bool none() const { return metre == 0 && kilogram == 0 && second == 0; }
};

// -------------------------------------------------------------------------------------------------------------- laws

/// Builds the laws of a kernel from a type `Of`. `Of` has the members `Contract`; `outputs()`, the outputs that the
/// laws compare if they are answered; and `unusable(inputs, outputs)`, the judgement of answers that are not finite.
/// Optional members:
/// - `stays_normal(in)`: whether all intermediate numbers are far from underflow and overflow. A power of two as a
///   factor then does not change any rounding;
/// - `sizes(in)`: the sizes of the outputs, if the contract's scale does not give them;
/// - `turns(in, motion)`: whether the kernel has this symmetry.
template <class Of>
struct Invariances {
  using Contract = typename Of::Contract;
  using Case = typename Contract::template Input<double>;
  using Answer = typename Contract::template Output<double>;
  using Sizes = typename Contract::template Output<long double>;
  using Inputs = std::span<Case const>;
  using Outputs = std::span<Answer const>;
  using Rule = Law<Case, Answer>;

  static bool compares(std::string_view output) {
    auto const outputs = Of::outputs();
    return std::find(outputs.begin(), outputs.end(), output) != outputs.end();
  }
  static bool stays_normal(Case const& in) {
    if constexpr (requires { Of::stays_normal(in); })
      return Of::stays_normal(in);
    else
      return true;
  }
  static Sizes sizes(Case const& in) {
    if constexpr (requires { Of::sizes(in); })
      return Of::sizes(in);
    else
      return Contract::scale(in);
  }

  /// Returns whether a law compares an output. `there` states whether all answers contain the output. An output judged
  /// by its optimality may have several correct values. Laws compare such an output only if they are judged by bits.
  static bool compares(std::string_view output, bool there, Tolerance const& held) {
    return there && compares(output) &&
           (held.to_the_bit || budget_of<Contract>(held, output).measure != Measure::optimality);
  }
  /// Returns infinity if exactly one of the two answers is null, because this error has no size. Otherwise returns 0.
  template <class Value>
  static double null_beside_a_value(Value const& a, Value const& b) {
    if constexpr (nullable<Value>)
      if (a.has_value() != b.has_value()) return infinite;
    return 0;
  }
  /// Returns the largest difference between the compared outputs of the last answer and the expected outputs, divided
  /// by its tolerance.
  static double worst_of(Sizes const& expected, Outputs outputs, Sizes const& tolerance, Tolerance const& held) {
    double worst = 0;
    Sizes const got = cast<Sizes>(outputs.back());
    for_each_answered<Sizes>(outputs, [&](auto const& field, bool there) {
      if (!compares(field.name, there, held)) return;
      worst = std::max(worst, null_beside_a_value(got.*field.member, expected.*field.member));
      if_present(
          [&](auto const& is, auto const& should, auto const& may) {
            using Value = std::remove_cvref_t<decltype(is)>;
            if constexpr (labelled<Value>)
              worst = std::max(worst, is == should ? 0 : infinite);
            else if constexpr (fixed_vector<Value>)
              worst = std::max(worst, worst_component(Value(is - should), may));
            else
              worst = std::max(worst, in_tolerances(std::fabs(is - should), may));
          },
          got.*field.member, expected.*field.member, tolerance.*field.member);
    });
    return worst;
  }

  /// Returns the violation of the law "all answers equal the first answer". If laws are judged by bits, the answers
  /// must have equal bits. Otherwise the tolerance is the sum of both budgets.
  static std::optional<double> equal(Inputs inputs, Outputs outputs, Tolerance const& held) {
    if (auto const bad = Of::unusable(inputs, outputs); bad.decided) return bad.verdict;
    Sizes const first = cast<Sizes>(outputs[0]), size = sizes(inputs[0]);
    double worst = 0;
    for (std::size_t k = 1; k < outputs.size(); ++k) {
      if (!held.to_the_bit) {
        std::array<Case, 2> const cases{inputs[0], inputs[k]};
        std::array<Answer, 2> const answers{outputs[0], outputs[k]};
        worst = std::max(worst, worst_of(first, answers, allowance<Contract>(held, cases, answers), held));
        continue;
      }
      Sizes const other = cast<Sizes>(outputs[k]);
      for_each_answered<Sizes>(outputs, [&](auto const& field, bool there) {
        if (!compares(field.name, there, held)) return;
        worst = std::max(worst, null_beside_a_value(first.*field.member, other.*field.member));
        if_present(
            [&](auto const& a, auto const& b, auto const& scale) {
              using Value = std::remove_cvref_t<decltype(a)>;
              if constexpr (labelled<Value>)
                worst = std::max(worst, a == b ? 0 : infinite);
              else if constexpr (fixed_vector<Value>)
                for (Index i = 0; i < a.size(); ++i)
                  worst = std::max(worst,
                                   in_units_if_different(a[i] - b[i], field.kind == Kind::quaternion ? 1 : scale[i]));
              else
                worst = std::max(worst, in_units_if_different(a - b, scale));
            },
            first.*field.member, other.*field.member, size.*field.member);
      });
    }
    return worst;
  }

  // ------------------------------------------------------------------------------------------------------------- units

  /// Returns one step of a change of units, as exponents of the base units. The law repeats this step a random number
  /// of times. If `along` is not empty, the step is `along`. Otherwise the step is random: in half of the cases one
  /// base unit changes, in the other half all base units change. Only base units that the inputs use change.
  static ChangeOfUnits step_of(Case const& in, Dimension along, Random& random) {
    if (along != Dimension{}) return {along.metre, along.kilogram, along.second};
    ChangeOfUnits step;
    Dimension has;
    for_each_quantity(in, [&](auto const&, auto const& field) {
      Dimension const of = field.dimension;
      has.metre |= of.metre, has.kilogram |= of.kilogram, has.second |= of.second;
    });
    std::int64_t const which = random.integer(0, 5);
    auto const draw = [&](int present, std::int64_t place) {
      int const drawn = static_cast<int>(random.integer(1, 3)) * static_cast<int>(random.sign());
      return present == 0 ? 0 : which == place ? 1 : which > 2 ? drawn : 0;
    };
    step.metre = draw(has.metre, 0);
    step.kilogram = draw(has.kilogram, 1);
    step.second = draw(has.second, 2);
    if (step.none()) step.metre = draw(has.metre, which);
    return step;
  }

  template <Dimension along>
  static ChangeOfUnits change_of_units(Case const& in, demeter::Sizes const& everyday) {
    Random random = chosen_by(in);
    ChangeOfUnits const step = step_of(in, along, random);
    ExponentRange range;
    auto const keep = [&](long double x, int degree, bool exact) {
      if (degree == 0 || x == 0) return;
      ExponentRange one;
      if (exact)
        one.keep_exact(static_cast<double>(x));
      else
        one.keep_within(x, 1, -1020);
      // `one` limits the exponent of the factor of x. This exponent is `degree` times the number of steps. `range`
      // limits the number of steps.
      int const magnitude = std::abs(degree);
      if (degree < 0) one = ExponentRange{-one.high, -one.low};
      range.low = std::max(range.low, one.low < 0 ? -(-one.low / magnitude) : (one.low + magnitude - 1) / magnitude);
      range.high =
          std::min(range.high, one.high >= 0 ? one.high / magnitude : -((-one.high + magnitude - 1) / magnitude));
    };
    for_each_quantity(in, [&](auto const& quantity, auto const& field) {
      for_each_number(quantity, [&](double x) { keep(x, step.exponent(field.dimension), true); });
    });
    Sizes const size = sizes(in);
    for_each_quantity(size, [&](auto const& quantity, auto const& field) {
      if (!compares(field.name)) return;
      for_each_number(quantity, [&](long double x) { keep(x, step.exponent(field.dimension), false); });
    });
    if (range.low != -4000 && has_everyday_size(in, everyday)) {
      int const size_exponent = std::ilogb(extent_of(in));
      range.keep_multiple(step.metre, std::ilogb(power_of_ten(everyday.low_exponent)) + 1 - size_exponent,
                          std::ilogb(power_of_ten(everyday.high_exponent)) - 1 - size_exponent);
      range.keep_multiple(step.kilogram, -20, 20);
      range.keep_multiple(step.second, -20, 20);
    }
    int const exponent = range.low == -4000 ? 0 : range.draw(random);
    return {exponent * step.metre, exponent * step.kilogram, exponent * step.second};
  }

  /// Returns the change of units by which the case `changed` was derived from the case `in`.
  template <Dimension along>
  static ChangeOfUnits change_between(Case const& in, Case const& changed) {
    Random random = chosen_by(in);
    ChangeOfUnits const step = step_of(in, along, random);
    std::vector<double> before;
    for_each_quantity(in, [&](auto const& quantity, auto const&) {
      for_each_number(quantity, [&](double x) { before.push_back(x); });
    });
    std::size_t at = 0;
    int exponent = 0;
    for_each_quantity(changed, [&](auto const& quantity, auto const& field) {
      int const degree = step.exponent(field.dimension);
      for_each_number(quantity, [&](double x) {
        double const was = before[at++];
        if (degree != 0 && was != 0 && !std::isinf(was)) exponent = (std::ilogb(x) - std::ilogb(was)) / degree;
      });
    });
    return {exponent * step.metre, exponent * step.kilogram, exponent * step.second};
  }

  template <Dimension along>
  static void derive_scaling(Case const& in, Random& random, std::vector<Case>& inputs) {
    ChangeOfUnits const change = change_of_units<along>(in, random.sizes());
    if (change.none()) return;
    Case scaled = in;
    for_each_quantity(scaled, [&](auto& quantity, auto const& field) {
      int const exponent = change.exponent(field.dimension);
      for_each_number(quantity, [&](double& x) { x = std::ldexp(x, exponent); });
    });
    if (!stays_normal(in) || !stays_normal(scaled) || Contract::domain_error(scaled)) return;
    inputs.push_back(std::move(scaled));
  }

  /// Returns the violation of "equal bits after the change of units".
  /// If a result was rounded below the normal range, all outputs are compared within both budgets instead, because
  /// other outputs may be computed from this result. The budgets also apply if a subject is not judged by bits.
  /// Pure numbers below 2^-512 count as 0. They are quotients. The products in their numerators may leave the normal
  /// range in one unit of length and not in another. (Found: components of 1e-289 of a capsule_contact's normal, in
  /// three of 200,000 pairs of mixed scale.)
  template <Dimension along>
  static std::optional<double> scaled(Inputs inputs, Outputs outputs, Tolerance const& held) {
    if (auto const bad = Of::unusable(inputs, outputs); bad.decided) return bad.verdict;
    ChangeOfUnits const change = change_between<along>(inputs[0], inputs[1]);
    constexpr long double least_normal = std::numeric_limits<double>::min();
    Sizes expected = cast<Sizes>(outputs[0]), tolerance = allowance<Contract>(held, inputs[0], outputs[0]);
    Sizes const other = allowance<Contract>(held, inputs[1], outputs[1]), size = sizes(inputs[1]);
    Sizes const answer = cast<Sizes>(outputs[1]);
    bool rounded = false;
    double worst = 0;
    for_each_answered<Sizes>(outputs, [&](auto const& field, bool there) {
      if (!compares(field.name, there, held)) return;
      int const exponent = change.exponent(field.dimension);
      auto const compare = [&](long double& x, long double y, long double of_size, long double& allowed,
                               long double of_other) {
        // A number below the normal range may be zero in only one of the two answers.
        long double const before = x, after = y;
        x = std::ldexp(x, exponent);
        allowed = std::ldexp(allowed, exponent) + of_other;
        if (exponent == 0 && std::max(std::fabs(x), std::fabs(y)) < 0x1p-512L * of_size) return;
        if (exponent != 0 && before != after && std::min(std::fabs(before), std::fabs(after)) < least_normal)
          rounded = true;
        worst = std::max(worst, in_units_if_different(x - y, of_size > 0 ? of_size : 1));
      };
      worst = std::max(worst, null_beside_a_value(expected.*field.member, answer.*field.member));
      if_present(
          [&](auto& should, auto& may, auto const& is, auto const& scale, auto const& more) {
            using Value = std::remove_cvref_t<decltype(should)>;
            if constexpr (labelled<Value>)
              worst = std::max(worst, is == should ? 0 : infinite);
            else if constexpr (fixed_vector<Value>)
              // The components of a quaternion have the size 1. The scale that the contract gives them is the scale of
              // the products of inertia, which is not suitable here.
              for (Index i = 0; i < should.size(); ++i)
                compare(should[i], is[i], field.kind == Kind::quaternion ? 1 : scale[i], may[i], more[i]);
            else
              compare(should, is, scale, may, more);
          },
          expected.*field.member, tolerance.*field.member, answer.*field.member, size.*field.member,
          other.*field.member);
    });
    if (!held.to_the_bit || (rounded && worst > 0)) return worst_of(expected, outputs, tolerance, held);
    return worst;
  }

  /// Returns the law for changes of the base units by powers of two. The changes are random or, if `along` is given,
  /// multiples of `along`.
  template <Dimension along = Dimension{}>
  static Rule scaling(std::string_view name = "scaling",
                      std::string_view doc = "a change of units by powers of two scales each output exactly") {
    return {.name = name,
            .doc = doc,
            .tolerance = "0 with tolerance strict, otherwise both budgets",
            .compares = Of::outputs(),
            .derive = derive_scaling<along>,
            .violation = scaled<along>};
  }

  // -------------------------------------------------------------------------------------------------------------- axes

  /// Returns the motion of the frame for a case: a random symmetry of the kernel except the identity. Returns nothing
  /// if there is no such symmetry.
  static std::optional<CubeMotion> motion_of(Case const& in) {
    Random random = chosen_by(in);
    auto const first = static_cast<std::uint64_t>(random.integer(0, 46));
    for (std::uint64_t i = 0; i < 47; ++i) {
      CubeMotion const motion = cube_motion(1 + (first + i) % 47);
      if constexpr (requires { Of::turns(in, motion); }) {
        if (Of::turns(in, motion)) return motion;
      } else {
        return motion;
      }
    }
    return std::nullopt;
  }
  static void derive_axis_permutation(Case const& in, Random&, std::vector<Case>& inputs) {
    if (auto const motion = motion_of(in)) inputs.push_back(turned(in, *motion));
  }
  static std::optional<double> permuted(Inputs inputs, Outputs outputs, Tolerance const& held) {
    if (auto const bad = Of::unusable(inputs, outputs); bad.decided) return bad.verdict;
    CubeMotion const motion = *motion_of(inputs[0]);
    Sizes tolerance = turned(allowance<Contract>(held, inputs[0], outputs[0]), motion, Signs::dropped);
    Sizes const other = allowance<Contract>(held, inputs[1], outputs[1]);
    for_each_field<Sizes>([&](auto const& field) {
      if_present([](auto& to, auto const& more) { add_size(to, more); }, tolerance.*field.member, other.*field.member);
    });
    return worst_of(turned(cast<Sizes>(outputs[0]), motion), outputs, tolerance, held);
  }

  static Rule axis_permutation() {
    return {.name = "axis_permutation",
            .doc = "a permutation or mirroring of the axes does the same to the answer",
            .tolerance = "both budgets",
            .compares = Of::outputs(),
            .derive = derive_axis_permutation,
            .violation = permuted};
  }

  // ------------------------------------------------------------------------------------------------------- translation

  static double reach(Case const& in) {
    double largest = 0;
    for_each_position(in, [&](auto const& point) { largest = std::max(largest, point.cwiseAbs().maxCoeff()); });
    return largest;
  }

  /// Returns a translation that can be added to all positions without rounding. If no such translation is found for an
  /// axis, its component is 0.
  static Vector3<double> exact_translation(Case const& in, Random& random) {
    std::vector<Vector3<double>> points;
    for_each_position(in, [&](Vector3<double> const& point) { points.push_back(point); });
    int exponent = std::ilogb(reach(in));
    if (has_everyday_size(in, random.sizes())) exponent = std::min(exponent, std::ilogb(extent_of(in)) + 6);
    Vector3<double> shift = Vector3<double>::Zero();
    for (int axis = 0; axis < 3; ++axis)
      for (int attempt = 0; attempt < 3; ++attempt) {
        // Moves a point to the origin (exact if all points are close to each other), or moves by a number of few bits.
        double const candidate = attempt == 0 && random.chance(0.5)
                                     ? -any_of(points, random)[axis]
                                     : few_bits(random, 6, std::clamp(exponent - 3, -1060, 1000));
        bool exact = candidate != 0;
        for (Vector3<double> const& point : points) exact = exact && adds_exactly(point[axis], candidate);
        if (!exact) continue;
        shift[axis] = candidate;
        break;
      }
    return shift;
  }

  /// Adds two cases: the case, possibly rounded, and the moved case. Positions of 53 bits can rarely be moved without
  /// rounding. Therefore the positions are first rounded to 30 or 40 bits of the largest coordinate, in half of the
  /// cases and if no exact translation is found. After rounding to 30 bits, the shift is a random multiple of the
  /// rounding step and may be large.
  static void derive_translation(Case const& in, Random& random, std::vector<Case>& inputs) {
    double const largest = reach(in);
    if (!(largest > 0x1p-960 && largest < 0x1p960)) return;
    Case rounded = in;
    Vector3<double> shift = random.chance(0.5) ? exact_translation(in, random) : Vector3<double>::Zero();
    if (shift.isZero()) {
      bool const far = random.chance(0.5);
      double const grid = std::ldexp(1.0, std::ilogb(largest) - (far ? 30 : 40));
      for_each_position(rounded, [&](Vector3<double>& point) {
        for (double& x : point) x = grid * std::round(x / grid);
      });
      // An everyday case moves at most 512 sizes away.
      int const away =
          has_everyday_size(in, random.sizes()) ? 39 + std::ilogb(extent_of(in)) - std::ilogb(largest) : 51;
      shift = far ? Vector3<double>(
                        grid * few_bits_vector(random, static_cast<int>(random.integer(10, std::min(away, 51))), 0))
                  : exact_translation(rounded, random);
    }
    Case moved = rounded;
    for_each_position(moved, [&](Vector3<double>& point) { point += shift; });
    // Rounding may move a case out of the domain.
    if (shift.isZero() || Contract::domain_error(rounded) || Contract::domain_error(moved)) return;
    inputs.push_back(std::move(rounded));
    inputs.push_back(std::move(moved));
  }

  static std::optional<double> translated(Inputs inputs, Outputs outputs, Tolerance const& held) {
    inputs = inputs.last(2), outputs = outputs.last(2);
    if (auto const bad = Of::unusable(inputs, outputs); bad.decided) return bad.verdict;
    std::vector<Vector3<long double>> ends;
    for (Case const& in : inputs) {
      bool first = true;
      for_each_position(in, [&](Vector3<double> const& point) {
        if (std::exchange(first, false)) ends.push_back(wide(point));
      });
    }
    Sizes expected = cast<Sizes>(outputs[0]);
    for_each_position(expected, [&](Vector3<long double>& point) { point += ends[1] - ends[0]; });
    return worst_of(expected, outputs, allowance<Contract>(held, inputs, outputs), held);
  }

  static Rule translation() {
    return {.name = "translation",
            .doc = "an exact translation moves positions and changes nothing else",
            .tolerance = "both budgets",
            .compares = Of::outputs(),
            .derive = derive_translation,
            .violation = translated};
  }
};

}  // namespace demeter
