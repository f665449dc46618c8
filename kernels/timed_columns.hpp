// Columns for timed runs: the cells of a table at cache-line boundaries, the usual layout for SIMD code.
#pragma once

#include "reference/spec/core/table.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace demeter::bench {

/// Input columns and the wanted output columns. Each column begins at a multiple of 64 bytes, five cache lines further
/// into its page than the previous column. All subjects and comparison routines are timed with this layout. With other
/// layouts, vectors would cross cache lines, and columns at the same position in their pages would share the sets of
/// the first-level cache. Both effects slow down a copy as much as a kernel and would blur the comparison. The columns
/// are MADV_DONTFORK, so that a child process does not share their pages. With copy-on-write, the first process that
/// writes a shared page gets a new page, and later timings of the parent would differ.
class Columns {
 public:
  /// `outputs` are columns from `blank_outputs`; their sizes and cells are copied.
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
