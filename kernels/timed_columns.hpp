// Columns for timed runs: a table's cells on cache-line boundaries, as a code that cares for SIMD lays them out.
#pragma once

#include "reference/spec/core/table.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace demeter::bench {

/// Inputs and (for the output columns that are wanted) results, each column at a multiple of 64 bytes and five cache
/// lines further into its page than the one before. Subjects and baselines are timed on the same layout: vectors that
/// cross a cache line, and columns that start at the same place in their pages and so share the sets of the first-level
/// cache, cost a floor as much as a kernel and would blur the comparison. The columns are MADV_DONTFORK:
/// with copy-on-write the first writer after a fork would get fresh pages, and the parent's later timings would differ.
class Columns {
 public:
  /// `outputs` as `blank_outputs` makes them: of the same cells.
  Columns(Table const& cases, Table const& outputs, std::vector<bool> const& wanted) : rows_(cases.rows) {
    for (auto const& column : cases.columns) in_.push_back(copy(column));
    for (std::size_t k = 0; k < outputs.columns.size(); ++k)
      out_.push_back(wanted[k] ? copy(outputs.columns[k]) : nullptr);
  }

  std::size_t rows() const { return rows_; }
  double const* const* in() const { return in_.data(); }
  double* const* out() const { return out_.data(); }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(double* cells) const { ::munmap(cells, bytes); }
  };

  double* copy(std::vector<double> const& column) {
    double* const cells = allocate(column.size());
    std::copy(column.begin(), column.end(), cells);
    return cells;
  }

  double* allocate(std::size_t count) {
    constexpr std::size_t page = 4096, stagger = 5 * 64;
    std::size_t const bytes = (count * sizeof(double) + page + page - 1) / page * page;
    void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    ::madvise(start, bytes, MADV_DONTFORK);
    ::madvise(start, bytes, MADV_HUGEPAGE);
    std::size_t const offset = owned_.size() * stagger % page;
    owned_.emplace_back(static_cast<double*>(start), Unmap{bytes});
    return owned_.back().get() + offset / sizeof(double);
  }

  std::size_t rows_;
  std::vector<std::unique_ptr<double, Unmap>> owned_;
  std::vector<double const*> in_;
  std::vector<double*> out_;
};

}  // namespace demeter::bench
