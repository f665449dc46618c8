#include "check/shrink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace demeter {
namespace {

/// Returns 10^exponent, correctly rounded. The result of shrinking must not depend on the mathematical library.
double decimal_power(int exponent) {
  constexpr int least = -323, greatest = 308;
  static auto const powers = [] {
    std::array<double, greatest - least + 1> all;
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = std::strtod(("1e" + std::to_string(static_cast<int>(i) + least)).c_str(), nullptr);
    return all;
  }();
  if (exponent > greatest) return std::numeric_limits<double>::infinity();
  return exponent < least ? 0 : powers[static_cast<std::size_t>(exponent - least)];
}
/// Returns the greatest e with 10^e <= |value|, for value != 0.
int decimal_exponent(double value) {
  double const size = std::fabs(value);
  int const near = static_cast<int>(std::floor(std::log10(size)));
  return decimal_power(near + 1) <= size ? near + 1 : decimal_power(near) <= size ? near : near - 1;
}

}  // namespace

double complexity(double value) {
  if (value == 0) return 0;
  if (!std::isfinite(value)) return 200;
  int exponent;
  double const fraction = std::frexp(std::fabs(value), &exponent);
  auto const bits = static_cast<unsigned long long>(std::ldexp(fraction, 53));
  int const significand = 53 - __builtin_ctzll(bits);
  return significand + 0.5 * std::abs(exponent - 1) + (value < 0 ? 0.5 : 0);
}

std::vector<double> simpler_numbers(double value) {
  std::vector<double> result{0.0, 1.0, -1.0, std::fabs(value), std::round(value), std::trunc(value)};
  int exponent;
  double const fraction = std::frexp(value, &exponent);
  for (int const bits : {1, 2, 3, 4, 6, 8, 11, 15, 20, 26, 32, 38, 44, 48, 50, 51, 52}) {
    double const scaled = std::ldexp(fraction, bits);
    result.push_back(std::ldexp(std::round(scaled), exponent - bits));
    result.push_back(std::ldexp(std::trunc(scaled), exponent - bits));
  }
  if (exponent != 1)
    for (int const other : {1, exponent / 2, exponent - exponent / 8, exponent - (exponent > 1 ? 1 : -1)})
      result.push_back(std::ldexp(fraction, other));
  if (!std::isfinite(value)) return result;
  for (int const digits : {1, 2, 3, 4}) {  // short decimals are easy to read, even if they have many bits
    double const power = decimal_power(digits - 1 - decimal_exponent(value == 0 ? 1 : value));
    if (std::isfinite(power) && power > 0) result.push_back(std::round(value * power) / power);
  }
  return result;
}

double reading_complexity(double value) {
  double best = complexity(value);
  if (value == 0 || !std::isfinite(value)) return best;
  int const size = decimal_exponent(value);
  for (int digits = 1; digits <= 5; ++digits) {
    double const power = decimal_power(digits - 1 - size);
    if (!std::isfinite(power) || power == 0) break;
    if (std::round(value * power) / power == value)
      best = std::min(best, 3.5 * digits + 1.7 * std::abs(size) + (value < 0 ? 0.5 : 0));
  }
  return best;
}

namespace {

double total(Schema const& schema, Table const& table) {
  double sum = 0;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind == ColumnInfo::Kind::offsets) {
      sum += 64 * table.columns[i].back();
    } else if (schema.columns[i].kind == ColumnInfo::Kind::number) {
      for (double const value : table.columns[i]) sum += reading_complexity(value);
    }
  }
  return sum;
}

/// One simplification of a case. The simplified case is created only when needed, because copies of a long case would
/// use too much memory.
struct Candidate {
  double cost = 0;
  std::size_t column = 0, at = 0;
  double value = 0;     ///< the new value of a number
  std::size_t run = 0;  ///< number of elements to remove from the list with offsets in `column`, starting at `at`; 0:
                        ///< set a number
};

/// Appends the simplified case to `batch`.
void append_candidate(Schema const& schema, Candidate const& candidate, Table& current, Table& batch) {
  auto const& [cost, column, at, value, run] = candidate;
  if (run == 0) {
    auto exact = current.exact;
    current.exact.erase({column, at});
    double const before = std::exchange(current.columns[column][at], value);
    append_row(schema, batch, current, 0);
    current.columns[column][at] = before;
    current.exact = std::move(exact);
    return;
  }
  Table shorter = current;
  shorter.exact.clear();
  shorter.columns[column].back() -= static_cast<double>(run);
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    auto const first = shorter.columns[k].begin() + static_cast<std::ptrdiff_t>(at);
    if (schema.columns[k].list == column) shorter.columns[k].erase(first, first + static_cast<std::ptrdiff_t>(run));
  }
  append_row(schema, batch, shorter, 0);
}

/// Returns candidates with simpler numbers, at most `most`.
std::vector<Candidate> simpler_values(Schema const& schema, Table const& current, double now, std::size_t most) {
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind != ColumnInfo::Kind::number) continue;
    for (std::size_t at = 0; at < current.columns[i].size(); ++at) {
      double const before = reading_complexity(current.columns[i][at]);
      std::set<double> tried{current.columns[i][at]};
      for (double const value : simpler_numbers(current.columns[i][at])) {
        if (!std::isfinite(value) || !tried.insert(value).second) continue;
        double const after = reading_complexity(value);
        if (after >= before) continue;
        if (result.size() == most) return result;
        result.push_back({now - before + after, i, at, value});
      }
    }
  }
  return result;
}

/// Returns candidates with shorter lists: one half, one quarter, ... of the elements are removed, down to one element.
/// Nested lists are not shortened.
std::vector<Candidate> shorter_lists(Schema const& schema, Table& current) {
  std::vector<Candidate> result;
  Table one(schema);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind != ColumnInfo::Kind::offsets || schema.columns[i].list != Schema::top) continue;
    bool const nested = std::any_of(schema.columns.begin(), schema.columns.end(), [&](ColumnInfo const& column) {
      return column.list == i && column.kind == ColumnInfo::Kind::offsets;
    });
    auto const size = static_cast<std::size_t>(current.columns[i].back());
    if (nested || size < 2) continue;
    std::size_t tried = 0;
    for (std::size_t run = std::max<std::size_t>(size / 2, 1); run > 0; run /= 2) {
      for (std::size_t first = 0; first + run <= size && tried < 64; first += run, ++tried) {
        result.push_back({0, i, first, 0, run});
        one.clear(schema);
        append_candidate(schema, result.back(), current, one);
        result.back().cost = total(schema, one);
      }
    }
  }
  return result;
}

/// Returns the simplest candidate that still fails, as a table of one row, or nothing. `append` creates a candidate.
/// Only as many candidates are created as needed, because each one that crashes an outside subject costs a process.
template <class Append>
std::optional<Table> first_that_fails(Schema const& schema, std::vector<Candidate> candidates, double now,
                                      Append const& append, StillFails const& still_fails) {
  std::erase_if(candidates, [&](Candidate const& each) { return !(each.cost < now); });
  std::ranges::stable_sort(candidates, {}, &Candidate::cost);
  Table batch(schema);
  for (std::size_t begin = 0, size = 32; begin < candidates.size(); begin += size, size *= 4) {
    std::size_t const end = std::min(begin + size, candidates.size());
    batch.clear(schema);
    for (std::size_t i = begin; i < end; ++i) append(candidates[i], batch);
    auto const fails = still_fails(batch);
    auto const found = std::find(fails.begin(), fails.end(), true);
    if (found == fails.end()) continue;
    Table result(schema);
    append_row(schema, result, batch, static_cast<std::size_t>(found - fails.begin()));
    return result;
  }
  return std::nullopt;
}

}  // namespace

Table shrink(Schema const& schema, Table const& cases, std::size_t row, StillFails const& still_fails,
             Simpler const& simpler) {
  Table current(schema);
  append_row(schema, current, cases, row);
  bool lists = true;
  // Limits the work: for a long list that cannot be shortened, simpler digits would take minutes and help a reader
  // little.
  std::size_t work = 0;
  for (int round = 0; round < 400 && work < 4'000'000; ++round) {
    std::size_t numbers = 1;
    for (auto const& column : current.columns) numbers += column.size();
    std::size_t const most = std::max<std::size_t>(2'000'000 / numbers, 1);
    double const now = total(schema, current);
    std::vector<Candidate> candidates;
    std::optional<Table> found;
    if (lists && simpler) {
      Table all(schema);
      simpler(current, 0, all);
      Table one(schema);
      for (std::size_t i = 0; i < std::min(all.rows, most); ++i) {
        one.clear(schema);
        append_row(schema, one, all, i);
        candidates.push_back({total(schema, one), 0, i});
      }
      work += candidates.size() * numbers;
      auto const append = [&](Candidate const& each, Table& batch) { append_row(schema, batch, all, each.at); };
      found = first_that_fails(schema, std::move(candidates), now, append, still_fails);
    } else {
      candidates = lists ? shorter_lists(schema, current) : simpler_values(schema, current, now, most);
      if (candidates.size() > most) candidates.resize(most);
      work += candidates.size() * numbers;
      auto const append = [&](Candidate const& each, Table& batch) { append_candidate(schema, each, current, batch); };
      found = first_that_fails(schema, std::move(candidates), now, append, still_fails);
    }
    if (found)
      current = std::move(*found);
    else if (std::exchange(lists, false) == false)
      break;
  }
  return current;
}

}  // namespace demeter
