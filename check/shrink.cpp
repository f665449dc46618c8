#include "check/shrink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>

namespace demeter {
namespace {

/// 10^exponent, correctly rounded: what a counterexample shrinks to must not depend on the mathematical library.
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
/// The greatest e with 10^e <= |value|, value not 0.
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
  for (int const digits : {1, 2, 3, 4}) {  // short decimals read better than their bits say
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

/// Every table of one row that differs from `current` by one simplification: shorter lists first of all, because each
/// copy of a long one costs as much as it has numbers.
std::vector<Table> candidates(Schema const& schema, Table const& current, bool lists, Simpler const& simpler) {
  std::vector<Table> result;
  if (lists && simpler) {
    Table all(schema);
    simpler(current, 0, all);
    for (std::size_t row = 0; row < all.rows; ++row) {
      result.emplace_back(schema);
      append_row(schema, result.back(), all, row);
    }
    return result;
  }
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (!lists && schema.columns[i].kind == ColumnInfo::Kind::number) {
      for (std::size_t at = 0; at < current.columns[i].size(); ++at) {
        std::set<double> tried{current.columns[i][at]};
        for (double const value : simpler_numbers(current.columns[i][at])) {
          if (!std::isfinite(value) || !tried.insert(value).second) continue;
          if (reading_complexity(value) >= reading_complexity(current.columns[i][at])) continue;
          Table table = current;
          table.exact.erase({i, at});
          table.columns[i][at] = value;
          result.push_back(std::move(table));
        }
      }
    } else if (lists && schema.columns[i].kind == ColumnInfo::Kind::offsets && schema.columns[i].list == Schema::top) {
      // Drop a run of elements: the halves, then the quarters, ..., then single ones. Lists inside lists stay whole.
      bool const nested = std::any_of(schema.columns.begin(), schema.columns.end(), [&](ColumnInfo const& column) {
        return column.list == i && column.kind == ColumnInfo::Kind::offsets;
      });
      auto const size = static_cast<std::size_t>(current.columns[i].back());
      if (nested || size < 2) continue;
      std::size_t tried = 0;
      for (std::size_t run = std::max<std::size_t>(size / 2, 1); run > 0; run /= 2) {
        for (std::size_t first = 0; first + run <= size && tried < 64; first += run, ++tried) {
          Table table = current;
          table.exact.clear();
          table.columns[i].back() -= static_cast<double>(run);
          for (std::size_t k = 0; k < schema.columns.size(); ++k)
            if (schema.columns[k].list == i)
              table.columns[k].erase(table.columns[k].begin() + static_cast<std::ptrdiff_t>(first),
                                     table.columns[k].begin() + static_cast<std::ptrdiff_t>(first + run));
          result.push_back(std::move(table));
        }
      }
    }
  }
  return result;
}

}  // namespace

Table shrink(Schema const& schema, Table const& cases, std::size_t row, StillFails const& still_fails,
             Simpler const& simpler) {
  Table current(schema);
  append_row(schema, current, cases, row);
  bool lists = true;
  // A long list of which no element can go would take minutes: what a reader gains by simpler digits there is little.
  std::size_t work = 0;
  for (int round = 0; round < 400 && work < 4'000'000; ++round) {
    auto tables = candidates(schema, current, lists, simpler);
    std::size_t numbers = 1;
    for (auto const& column : current.columns) numbers += column.size();
    if (tables.size() > 2'000'000 / numbers) tables.resize(std::max<std::size_t>(2'000'000 / numbers, 1));
    work += tables.size() * numbers;
    // The simplest first, and only as many as it takes to find one that still fails: every one that crashes an outside
    // subject costs a process.
    std::vector<std::pair<double, std::size_t>> order;
    double const now = total(schema, current);
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (double const cost = total(schema, tables[i]); cost < now) order.emplace_back(cost, i);
    std::sort(order.begin(), order.end());
    std::size_t chosen = tables.size();
    for (std::size_t begin = 0, size = 32; begin < order.size() && chosen == tables.size(); begin += size, size *= 4) {
      std::size_t const end = std::min(begin + size, order.size());
      Table batch(schema);
      for (std::size_t i = begin; i < end; ++i) append_row(schema, batch, tables[order[i].second], 0);
      auto const fails = still_fails(batch);
      for (std::size_t i = begin; i < end && chosen == tables.size(); ++i)
        if (fails[i - begin]) chosen = order[i].second;
    }
    if (chosen < tables.size()) {
      current = std::move(tables[chosen]);
    } else if (lists) {
      lists = false;
    } else {
      break;
    }
  }
  return current;
}

}  // namespace demeter
