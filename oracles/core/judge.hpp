// The judge: compares a subject's answer with the certified truth, in the measure of the budget.
#pragma once

#include "oracles/core/oracle.hpp"
#include "oracles/core/tolerance.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace demeter {

enum class Verdict : unsigned char { pass, fail, unsupported, undecided, crash, timeout };
constexpr std::array<std::string_view, 6> labels(Verdict) {
  return {"pass", "fail", "unsupported", "undecided", "crash", "timeout"};
}

/// The verdict on one budgeted output of one answer. For a vector: its worst component.
struct Judged {
  bool computed = false;  ///< false: the subject did not answer this output, and the other members are not set
  Verdict verdict = Verdict::pass;
  double error = 0;      ///< error in the budget's measure (see `Measure`)
  double relative = 0;   ///< |x - truth| / (u |truth|) for every measure; NaN where undefined
  double condition = 0;  ///< relative error divided by the condition; NaN if the oracle does not define a condition
  bool refined = false;  ///< the enclosure in long double did not decide, so intervals with more bits were used
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

/// Judges whether |x - truth| <= units u base + half the least subnormal. Uses proven bounds of the left side.
inline void judge_bounds(ErrorBounds const& bounds, long double base, double units, Format const& format,
                         double relative, double condition, Judged& judged) {
  long double const product = static_cast<long double>(units) * format.roundoff * base;
  // If `units` is a small integer and `base` is a double, the product is exact in the 64 bits of long double. Otherwise
  // a slack of 2^-60 covers the roundings. Half the least subnormal is compared with a difference, because it would be
  // lost in a sum.
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

/// Returns units u base + half the least subnormal.
inline Interval allowance(Interval const& base, double units, Format const& format) {
  mpfr_prec_t const bits = base.precision();
  return Interval::exactly(static_cast<long double>(units) * format.roundoff, bits) * base +
         Interval::exactly(format.least_half, bits);
}

/// Judges the same condition in intervals. Sets only the verdict, because the enclosure in long double already gives
/// the error accurately enough.
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
  if (std::isinf(truth.radius))
    return;                                                           // infinite radius: the output is not unique and
                                                                      // is judged by its optimality
  if (budget.measure == Measure::scale && std::isnan(scale)) return;  // NaN: the oracle does not judge this output
  if (std::isnan(x)) return worsen(judged, Verdict::fail, infinity, infinity, infinity);
  long double const magnitude = std::fabs(truth.high);
  long double const base = budget.measure == Measure::relative ? magnitude : scale;
  if (std::isinf(x)) {
    // An infinite answer is right if a value within the budget of the truth rounds to infinity. 2^-60 covers the
    // roundings.
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
  if (budget.measure == Measure::scale && std::isnan(scale)) return;
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

}  // namespace detail

/// The data for judging the answers of a kernel. nodes[k] is the index of the output that budget k is about, among the
/// outputs of the schema.
struct Judgement {
  Schema const& output;
  std::span<Budget const> budgets;
  std::span<std::size_t const> nodes;
  Oracle const& oracle;
};

/// Returns the index of the output of each budget.
std::vector<std::size_t> budgeted_nodes(Schema const& output, std::span<Budget const> budgets);

/// Judges answer `answer_row` to case `row`: one `Judged` per budget, in order. Outputs that the enclosures leave
/// undecided are judged again in intervals of increasing precision.
/// This terminates. If the truth is irrational, its error differs from the budget, because the budget is a binary
/// number. Enough bits show the difference. If the truth is a binary number, it becomes a point interval. If the truth
/// is another rational number, |x - truth| is not a binary number and therefore differs from the budget. There is one
/// exception: for such a truth, a relative budget may be equal to the error. The output then stays undecided at the
/// precision limit.
void judge(Judgement const&, Table const& cases, Truths const&, std::size_t row, Table const& answers,
           std::size_t answer_row, Tolerance const&, std::span<Judged>);

}  // namespace demeter
