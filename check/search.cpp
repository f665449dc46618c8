#include "check/search.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

namespace demeter {
namespace {

constexpr std::size_t candidates_a_round = 64;
constexpr std::uint64_t block = 1024;  ///< number of cases that are judged together

/// A result is hard to round if its distance from the midpoint of two adjacent doubles is at most this number of ulps.
/// Results with few bits, such as most sums of two doubles, are either midpoints or farther from every midpoint.
constexpr double hard_enough = 0x1p-6;

bool stopped(SearchOptions const& options) { return options.stop != nullptr && *options.stop; }

std::vector<std::size_t> regimes_of(Kernel const& kernel, SearchOptions const& options) {
  if (!options.regimes.empty()) return options.regimes;
  // The recorded cases are left out, because cases that a search finds are added to them.
  std::vector<std::size_t> all(static_cast<std::size_t>(std::count_if(
      kernel.regimes.begin(), kernel.regimes.end(), [](RegimeInfo const& each) { return each.size == 0; })));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

double moved(double value, double other, Random& random) {
  switch (random.integer(0, 9)) {
    case 0:
      return other;
    case 1:
      return -value;
    case 2:
      return value * 2;
    case 3:
      return value / 2;
    case 4: {
      // Keep few bits, to produce ties and exact degeneracies.
      int exponent;
      double const mantissa = std::frexp(value, &exponent);
      int const bits = static_cast<int>(random.integer(1, 40));
      return std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits);
    }
    case 5: {
      int const places = static_cast<int>(random.integer(1, 60));
      return value + random.sign() * std::ldexp(other, -places);
    }
    default: {
      int exponent;
      std::frexp(value, &exponent);
      int const places = static_cast<int>(random.integer(1, 54));
      double const step = std::ldexp(1 + random.unit(), exponent - places);
      return value + random.sign() * step;
    }
  }
}

/// Appends a randomly changed copy of row 0 of `from`. Appends nothing if the copy is outside the domain.
void append_moved(Kernel const& kernel, Table const& from, Random& random, Table& into) {
  TableMark const before(into);
  append_row(kernel.input, into, from, 0);
  std::vector<double*> numbers;
  for (std::size_t i = 0; i < kernel.input.columns.size(); ++i) {
    if (kernel.input.columns[i].kind != ColumnInfo::Kind::number) continue;
    for (std::size_t k = before.sizes[i]; k < into.columns[i].size(); ++k) numbers.push_back(&into.columns[i][k]);
  }
  auto const any = [&]() -> double& {
    return *numbers[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(numbers.size()) - 1))];
  };
  for (auto changes = random.integer(1, 3); changes > 0; --changes) {
    double const other = any();
    double& number = any();
    number = moved(number, other, random);
  }
  if (kernel.domain_error(into, into.rows - 1)) before.restore(into);
}

/// The worst case of a table, by error divided by budget. Only finite errors count.
struct Worst {
  std::size_t row = 0, budget = 0;
  double error = 0, exceeded = -1;
};

Worst worst_of(Kernel const& kernel, Subject const& subject, Table const& cases, std::string const& output) {
  Answers answers;
  answers.clear(kernel.output);
  answer(subject, kernel, cases, answers);
  Truths const truths = kernel.truths(cases);
  std::vector<Judged> judged(kernel.budgets.size());
  Worst worst;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (answers.status[row] != Status::answered) continue;
    kernel.judge(cases, truths, row, answers, row, {}, judged);
    for (std::size_t k = 0; k < judged.size(); ++k) {
      if (!judged[k].computed || !std::isfinite(judged[k].error)) continue;
      if (!output.empty() && kernel.budgets[k].output != output) continue;
      double const exceeded = judged[k].error / kernel.budgets[k].units;
      if (exceeded > worst.exceeded) worst = {row, k, judged[k].error, exceeded};
    }
  }
  return worst;
}

}  // namespace

std::vector<HardCase> search_worst(Kernel const& kernel, Subject const& subject, SearchOptions const& options) {
  std::vector<HardCase> found;
  for (std::size_t const regime : regimes_of(kernel, options)) {
    if (stopped(options)) break;
    Table cases(kernel.input), best(kernel.input);
    Worst worst;
    for (std::uint64_t id = 0; id < options.cases && !stopped(options);) {
      cases.clear(kernel.input);
      for (std::uint64_t const end = std::min(id + block, options.cases); id < end; ++id)
        kernel.generate(regime, options.seed, id, cases);
      Worst const of_block = worst_of(kernel, subject, cases, options.output);
      if (of_block.exceeded <= worst.exceeded) continue;
      worst = of_block;
      best.clear(kernel.input);
      append_row(kernel.input, best, cases, worst.row);
    }
    if (worst.exceeded < 0) continue;
    Random random(options.seed, regime, options.cases);
    for (std::uint64_t round = 0; round < options.rounds && !stopped(options); ++round) {
      cases.clear(kernel.input);
      for (std::size_t i = 0; i < candidates_a_round; ++i) append_moved(kernel, best, random, cases);
      Worst const better = worst_of(kernel, subject, cases, options.output);
      if (better.exceeded <= worst.exceeded) continue;
      worst = better;
      best.clear(kernel.input);
      append_row(kernel.input, best, cases, better.row);
    }
    found.push_back(
        {best, regime, worst.budget, std::string(kernel.budgets[worst.budget].output), worst.error, worst.exceeded});
  }
  return found;
}

std::optional<double> distance_from_midpoint(std::string const& decimal) {
  mpfr_t value, whole;
  mpfr_inits2(200, value, whole, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_str(value, decimal.c_str(), 10, MPFR_RNDN);
  std::optional<double> distance;
  // |value| = m 2^(exponent - 53) with m in [2^52, 2^53). The distance from a midpoint follows from the fraction of m.
  if (mpfr_regular_p(value) != 0) {
    mpfr_exp_t const exponent = mpfr_get_exp(value);
    if (exponent >= -1021 && exponent <= 1024) {
      mpfr_abs(value, value, MPFR_RNDN);
      mpfr_mul_2si(value, value, 53 - exponent, MPFR_RNDN);
      mpfr_floor(whole, value);
      mpfr_sub(value, value, whole, MPFR_RNDN);
      mpfr_sub_d(value, value, 0.5, MPFR_RNDN);
      double const apart = std::fabs(mpfr_get_d(value, MPFR_RNDN));
      // The error of 30 digits is at most 5e-30 2^53 = 2^-44 ulp. A result that is closer to a midpoint may be the
      // midpoint itself.
      if (apart > 0x1p-43) distance = apart;
    }
  }
  mpfr_clears(value, whole, static_cast<mpfr_ptr>(nullptr));
  return distance;
}

std::vector<HardCase> search_hard_to_round(Kernel const& kernel, SearchOptions const& options) {
  std::vector<HardCase> found;
  for (std::size_t const regime : regimes_of(kernel, options)) {
    std::vector<HardCase> best(kernel.output.columns.size());
    for (std::uint64_t id = 0; id < options.cases && !stopped(options); id += block) {
      Table cases(kernel.input);
      for (std::uint64_t i = id; i < std::min(options.cases, id + block); ++i)
        kernel.generate(regime, options.seed, i, cases);
      Truths const truths = kernel.truths(cases);
      for (std::size_t row = 0; row < cases.rows; ++row) {
        TextTable text = empty_text(kernel.output);
        kernel.truth_text(truths, row, text);
        for (std::size_t i = 0; i < best.size(); ++i) {
          if (kernel.output.columns[i].kind != ColumnInfo::Kind::number) continue;
          for (auto const& cell : text.columns[i]) {
            auto const distance = distance_from_midpoint(cell);
            if (!distance || (best[i].input.rows > 0 && *distance >= best[i].measure)) continue;
            best[i].input.clear(kernel.input);
            append_row(kernel.input, best[i].input, cases, row);
            best[i].regime = regime;
            best[i].output = kernel.output.columns[i].path;
            best[i].measure = *distance;
          }
        }
      }
    }
    for (auto& each : best) {
      bool wanted = each.input.rows > 0 && each.measure < hard_enough;
      for (auto const& other : found) wanted = wanted && other.input.columns != each.input.columns;
      if (wanted) found.push_back(std::move(each));
    }
  }
  return found;
}

}  // namespace demeter
