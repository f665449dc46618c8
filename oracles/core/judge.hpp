// The judge: a subject's answer against certified truth, in the measure that carries the budget.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/core/interval.hpp"
#include "reference/spec/core/contract.hpp"
#include "reference/spec/core/table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace demeter {

enum class Verdict : unsigned char { pass, fail, unsupported, undecided, crash, timeout };
constexpr std::array<std::string_view, 6> labels(Verdict) {
  return {"pass", "fail", "unsupported", "undecided", "crash", "timeout"};
}

/// One budgeted output of one answer. Vectors report their worst component.
struct Judged {
  bool computed = false;  ///< false: the subject does not answer this output, nothing else is set
  Verdict verdict = Verdict::pass;
  double error = 0;      ///< in units of the budget's measure
  double relative = 0;   ///< |x - truth| / (u |truth|), whatever the measure; NaN where it means nothing
  double condition = 0;  ///< relative error over the problem's condition; NaN where the contract gives none
  bool refined = false;  ///< the enclosure in long double left it undecided, and intervals of more bits were asked
};

/// The format a subject computes in.
struct Format {
  long double roundoff = unit_roundoff;
  /// Half the least subnormal: every budget has it added, so that results below the normal range are judged fairly.
  long double least_half = 0x1p-1075L;
  /// From here on a number rounds to infinity.
  long double overflow = 0x1p1024L - 0x1p970L;
};
inline constexpr Format binary64{};
inline constexpr Format binary32{0x1p-24L, 0x1p-150L, 0x1p128L - 0x1p103L};

/// How an answer is held to the contract's budgets.
struct Tolerance {
  std::vector<double> factors{};  ///< multiply the budgets' units, one each: a user's own tolerance; empty: all 1
  Format format = binary64;

  Tolerance() = default;
  explicit Tolerance(std::vector<double> own, Format subject = binary64) : factors(std::move(own)), format(subject) {}
  double factor(std::size_t budget) const { return factors.empty() ? 1 : factors[budget]; }
};

namespace detail {

inline void worsen(Judged& judged, Verdict verdict, double error, double relative, double condition) {
  judged.computed = true;
  if (error > judged.error) judged.error = error;
  if (relative > judged.relative) judged.relative = relative;
  if (condition > judged.condition) judged.condition = condition;
  if (verdict == Verdict::fail || (verdict == Verdict::undecided && judged.verdict == Verdict::pass))
    judged.verdict = verdict;
}

/// |x - truth| <= units u base + half the least subnormal, from proven bounds of the left side.
inline void judge_bounds(ErrorBounds const& bounds, long double base, double units, Format const& format,
                         double relative, double condition, Judged& judged) {
  long double const product = static_cast<long double>(units) * format.roundoff * base;
  // Small whole units times a double are exact in long double's 64 bits; otherwise 2^-60 covers the roundings. The
  // allowance of 2^-1075 is compared with a difference, because a sum would round it away.
  bool const exact = units < 2048 && units == std::floor(units) && base == static_cast<double>(base);
  long double const slack = exact ? 0 : 0x1p-60L, low = product * (1 - slack), high = product * (1 + slack);
  long double const least_half = format.least_half;
  Verdict verdict = Verdict::undecided;
  if (bounds.upper <= least_half || bounds.upper <= low || bounds.upper - low <= least_half * (1 - 0x1p-62L))
    verdict = Verdict::pass;
  if (bounds.lower > high && bounds.lower - high > least_half * (1 + 0x1p-62L)) verdict = Verdict::fail;
  if (bounds.upper == 0) verdict = Verdict::pass;
  long double const beyond = bounds.upper <= least_half ? 0 : bounds.upper - least_half;
  long double const error = beyond == 0 ? 0 : beyond / (format.roundoff * base);
  worsen(judged, verdict, static_cast<double>(error), relative, condition);
}

/// units u base + half the least subnormal.
inline Interval allowance(Interval const& base, double units, Format const& format) {
  mpfr_prec_t const bits = base.precision();
  return Interval::exactly(static_cast<long double>(units) * format.roundoff, bits) * base +
         Interval::exactly(format.least_half, bits);
}

/// The same in intervals: only the verdict is looked at, the error is known well enough by then.
inline void judge_bounds(Interval const& error, Interval const& base, double units, Format const& format,
                         Judged& judged) {
  Interval const allowed = allowance(base, units, format);
  Verdict verdict = Verdict::undecided;
  if (certainly_at_most(error, allowed)) verdict = Verdict::pass;
  if (certainly_less(allowed, error)) verdict = Verdict::fail;
  worsen(judged, verdict, 0, 0, 0);
}

inline void judge_number(double x, Enclosure const& truth, long double scale, double condition, Budget const& budget,
                         Format const& format, Judged& judged) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_not_computed(x)) return;
  if (std::isinf(truth.radius)) return;  // not unique: judged by its optimality
  if (std::isnan(x)) return worsen(judged, Verdict::fail, infinity, infinity, infinity);
  long double const magnitude = std::fabs(truth.high);
  long double const base = budget.measure == Measure::relative ? magnitude : scale;
  if (std::isinf(x)) {
    // Right if a value within the budget of the truth rounds to infinity. 2^-60 covers the roundings.
    long double const reach =
        magnitude + static_cast<long double>(budget.units) * format.roundoff * base + format.least_half;
    if (std::signbit(x) != std::signbit(truth.high) || reach < format.overflow * (1 - 0x1p-60L))
      return worsen(judged, Verdict::fail, infinity, infinity, infinity);
    return worsen(judged, reach > format.overflow * (1 + 0x1p-60L) ? Verdict::pass : Verdict::undecided, 0, 0, 0);
  }
  ErrorBounds const bounds = error_bounds(x, truth);
  long double const beyond = bounds.upper <= format.least_half ? 0 : bounds.upper - format.least_half;
  double const relative = beyond == 0 ? 0 : static_cast<double>(beyond / (format.roundoff * magnitude));
  judge_bounds(bounds, base, budget.units, format, relative, relative / condition, judged);
}

inline void judge_number(double x, Interval const& truth, long double scale, double, Budget const& budget,
                         Format const& format, Judged& judged) {
  if (is_not_computed(x) || truth.is_anything()) return;
  if (std::isnan(x)) return worsen(judged, Verdict::fail, 0, 0, 0);
  mpfr_prec_t const bits = truth.precision();
  Interval const base = budget.measure == Measure::relative ? magnitude(truth) : Interval::exactly(scale, bits);
  if (std::isfinite(x))
    return judge_bounds(magnitude(truth - Interval::exactly(x)), base, budget.units, format, judged);
  Interval const reach =
      (std::signbit(x) ? Interval::exactly(0) - truth : truth) + allowance(base, budget.units, format);
  Interval const overflow = Interval::exactly(format.overflow);
  Verdict verdict = Verdict::undecided;
  if (certainly_at_most(overflow, reach)) verdict = Verdict::pass;
  if (certainly_less(reach, overflow)) verdict = Verdict::fail;
  worsen(judged, verdict, 0, 0, 0);
}

inline void judge_excess(Enclosure const& loss, long double scale, Budget const& budget, Format const& format,
                         Judged& judged) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  long double const above = loss.high + loss.low;
  ErrorBounds const bounds{std::fmax(above - loss.radius, 0.0L), std::fmax(above + loss.radius, 0.0L)};
  judge_bounds(bounds, scale, budget.units, format, nothing, nothing, judged);
}
inline void judge_excess(Interval const& loss, long double scale, Budget const& budget, Format const& format,
                         Judged& judged) {
  judge_bounds(loss, Interval::exactly(scale, loss.precision()), budget.units, format, judged);
}

/// What an excess is measured by: the scale of its output, of a vector the largest of its components or, for a label,
/// which has none, that of the first output.
template <class Scale, class Own>
long double excess_scale(Scale const& scale, Own const& own) {
  if constexpr (labelled<Own>) {
    return scale.*(std::get<0>(Scale::fields()).member);
  } else if constexpr (fixed_vector<Own>) {
    return own.maxCoeff();
  } else {
    return own;
  }
}

/// Stands for a condition the contract does not give.
struct NoCondition {
  NoCondition operator[](Eigen::Index) const { return {}; }
  NoCondition operator[](std::size_t) const { return {}; }
  NoCondition operator*() const { return {}; }
};
inline double condition_value(double condition) { return condition; }
inline double condition_value(NoCondition) { return std::numeric_limits<double>::quiet_NaN(); }

/// Walks answer, truth, scale and condition, records of one shape, in step.
template <class Answer, class Truth, class Scale, class Condition>
void judge_cells(Answer const& answer, Truth const& truth, Scale const& scale, Condition const& condition,
                 Budget const& budget, Format const& format, Judged& judged) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if constexpr (fixed_vector<Answer>) {
    for (Eigen::Index i = 0; i < answer.size(); ++i)
      judge_cells(answer[i], truth[i], scale[i], condition[i], budget, format, judged);
  } else if constexpr (list<Answer>) {
    if (answer.size() != truth.size()) return worsen(judged, Verdict::fail, infinity, infinity, infinity);
    worsen(judged, Verdict::pass, 0, 0, 0);  // of an empty list that is right
    for (std::size_t i = 0; i < answer.size(); ++i)
      judge_cells(answer[i], truth[i], scale[i], condition[i], budget, format, judged);
  } else if constexpr (nullable<Answer>) {
    if (answer.has_value() != truth.has_value()) return worsen(judged, Verdict::fail, infinity, infinity, infinity);
    worsen(judged, Verdict::pass, 0, 0, 0);
    if (answer) judge_cells(*answer, *truth, *scale, *condition, budget, format, judged);
  } else if constexpr (labelled<Answer>) {
    double const error = answer == truth ? 0 : infinity;
    worsen(judged, answer == truth ? Verdict::pass : Verdict::fail, error, error, error);
  } else if constexpr (record<Answer>) {
    auto const each = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      auto const& a = answer.*(std::get<I>(Answer::fields()).member);
      auto const& b = truth.*(std::get<I>(Truth::fields()).member);
      auto const& c = scale.*(std::get<I>(Scale::fields()).member);
      if constexpr (std::is_same_v<Condition, NoCondition>) {
        judge_cells(a, b, c, condition, budget, format, judged);
      } else {
        judge_cells(a, b, c, condition.*(std::get<I>(Condition::fields()).member), budget, format, judged);
      }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (each(std::integral_constant<std::size_t, I>{}), ...); }
    (std::make_index_sequence<std::tuple_size_v<decltype(Answer::fields())>>{});
  } else {
    judge_number(answer, truth, scale, condition_value(condition), budget, format, judged);
  }
}

/// The first number of an output, in any nesting: whether it was computed stands for the whole output.
template <class T>
bool computed(T const& value) {
  if constexpr (fixed_vector<T>) {
    return !is_not_computed(value[0]);
  } else if constexpr (nullable<T>) {
    return !value || computed(*value);
  } else if constexpr (list<T>) {
    return value.empty() || computed(value.front());
  } else if constexpr (labelled<T>) {
    return true;
  } else if constexpr (record<T>) {
    return computed(value.*(std::get<0>(T::fields()).member));
  } else {
    return !is_not_computed(value);
  }
}

}  // namespace detail

/// Judges one answer: one `Judged` for each budget of the contract, in its order. Budgets name top-level outputs.
/// `Bound` is `Enclosure`, or `Interval` to refine what that left undecided: see `refine`.
template <class Contract, class Bound = Enclosure>
void judge(typename Contract::template Input<double> const& input,
           typename Contract::template Output<Bound> const& truth,
           typename Contract::template Output<double> const& answer, OracleHooks<Contract> const& hooks,
           Tolerance const& tolerance, std::span<Judged> judged) {
  using Answer = typename Contract::template Output<double>;
  using Truth = typename Contract::template Output<Bound>;
  using Scale = typename Contract::template Output<long double>;
  Scale const scale = Contract::scale(input);
  // Which output a budget names is known to the compiler: the strings are not compared for every answer.
  auto const one = [&]<std::size_t K, std::size_t I>(std::integral_constant<std::size_t, K>,
                                                     std::integral_constant<std::size_t, I>) {
    constexpr auto field = std::get<I>(Answer::fields());
    if constexpr (field.name == Contract::budgets[K].output) {
      Budget budget = Contract::budgets[K];
      budget.units *= tolerance.factor(K);
      auto const& a = answer.*(field.member);
      auto const& s = scale.*(std::get<I>(Scale::fields()).member);
      if (!detail::computed(a)) return;
      if constexpr (Contract::budgets[K].measure == Measure::optimality) {
        using Value = std::remove_cvref_t<decltype(a)>;
        static_assert(std::is_arithmetic_v<Value> || fixed_vector<Value> || labelled<Value>,
                      "only numbers, vectors of them and labels are told by optimality");
        auto const excess = [&] {
          if constexpr (std::is_same_v<Bound, Interval>)
            return hooks.refined_excess(input, truth, answer);
          else
            return hooks.excess(input, truth, answer);
        };
        detail::judge_excess(excess(), detail::excess_scale(scale, s), budget, tolerance.format, judged[K]);
      } else {
        auto const& b = truth.*(std::get<I>(Truth::fields()).member);
        if (hooks.condition != nullptr) {
          detail::judge_cells(a, b, s, hooks.condition(input).*(field.member), budget, tolerance.format, judged[K]);
        } else {
          detail::judge_cells(a, b, s, detail::NoCondition{}, budget, tolerance.format, judged[K]);
        }
      }
    }
  };
  auto const each_field = [&]<std::size_t K>(std::integral_constant<std::size_t, K> budget) {
    judged[K] = {};
    [&]<std::size_t... I>(std::index_sequence<I...>) { (one(budget, std::integral_constant<std::size_t, I>{}), ...); }
    (std::make_index_sequence<std::tuple_size_v<decltype(Answer::fields())>>{});
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) { (each_field(std::integral_constant<std::size_t, K>{}), ...); }
  (std::make_index_sequence<Contract::budgets.size()>{});
}

/// Decides what `judge` left undecided, at growing precision: `truth(input, bits)` answers in intervals of `bits` bits.
/// Ends: where the truth is irrational the error differs from the budget, which is a binary number, and enough bits
/// show it; where it is a binary number an interval of enough bits is a point; and any other rational differs from the
/// binary number |x - truth| would have to be. (A relative budget may tie with a truth that is none of these; then the
/// cap leaves it undecided.)
template <class Contract, class Truth>
void refine(typename Contract::template Input<double> const& input,
            typename Contract::template Output<double> const& answer, Truth const& truth,
            OracleHooks<Contract> const& hooks, Tolerance const& tolerance, std::span<Judged> judged) {
  constexpr mpfr_prec_t cap = 1 << 15;
  auto const undecided = [](Judged const& each) { return each.computed && each.verdict == Verdict::undecided; };
  std::array<Judged, Contract::budgets.size()> again;
  for (mpfr_prec_t bits = 256; bits <= cap && std::any_of(judged.begin(), judged.end(), undecided); bits *= 2) {
    judge<Contract, Interval>(input, truth(input, bits), answer, hooks, tolerance, again);
    for (std::size_t k = 0; k < judged.size(); ++k) {
      if (!undecided(judged[k])) continue;
      judged[k].refined = true;
      judged[k].verdict = again[k].verdict;
    }
  }
}

}  // namespace demeter
