// Columns for timed runs: a table's cells on cache-line boundaries, as a code that cares for SIMD lays them out.
#pragma once

#include "reference/spec/core/table.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace demeter::bench {

/// Inputs and (for the output columns that are wanted) results, each column at a multiple of 64 bytes. Subjects and
/// baselines are timed on the same layout: where a vector crosses a cache line, it costs a copy as much as a kernel.
class Columns {
 public:
  Columns(Table const& cases, std::vector<bool> const& wanted) : rows_(cases.rows) {
    for (auto const& column : cases.columns) {
      double* const cells = allocate(column.size());
      std::copy(column.begin(), column.end(), cells);
      in_.push_back(cells);
    }
    for (bool const each : wanted) {
      out_.push_back(each ? allocate(rows_) : nullptr);
      if (each) std::fill_n(out_.back(), rows_, 0.0);
    }
  }

  std::size_t rows() const { return rows_; }
  double const* const* in() const { return in_.data(); }
  double* const* out() const { return out_.data(); }

 private:
  struct Free {
    void operator()(double* cells) const { std::free(cells); }
  };

  double* allocate(std::size_t count) {
    std::size_t const bytes = (count * sizeof(double) + 63) / 64 * 64;
    auto* const cells = static_cast<double*>(std::aligned_alloc(64, bytes == 0 ? 64 : bytes));
    if (cells == nullptr) throw std::bad_alloc();
    owned_.emplace_back(cells);
    return cells;
  }

  std::size_t rows_;
  std::vector<std::unique_ptr<double, Free>> owned_;
  std::vector<double const*> in_;
  std::vector<double*> out_;
};

}  // namespace demeter::bench
