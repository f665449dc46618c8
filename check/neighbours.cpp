#include "check/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace demeter {
namespace {

constexpr std::int64_t farthest = 4;  // ulps
constexpr std::size_t moved_alone = 48;

/// Sets, for each column, the range [first, end) of the columns that form one vector with it.
void vectors_of(Node const& node, std::vector<std::pair<std::size_t, std::size_t>>& vectors) {
  for (Node const& child : node.children) vectors_of(child, vectors);
  if (node.kind != Node::Kind::number) return;
  std::size_t const end = node.column + node.columns;
  for (std::size_t column = node.values(); column < end; ++column) vectors[column] = {node.values(), end};
}

struct Cell {
  std::size_t column, at;
};

class Mover {
 public:
  Mover(Kernel const& kernel, Table const& cases, std::size_t row, long double roundoff)
      : kernel_(kernel),
        coarser_(static_cast<double>(roundoff / unit_roundoff)),
        here_(kernel.input),
        vectors_(kernel.input.columns.size()) {
    append_row_as(kernel.input, here_, cases, row,
                  [&](std::size_t column, std::size_t at) { return cases.columns[column][at]; });
    vectors_of(kernel.input.root, vectors_);
    Table moved = here_;
    for (std::size_t column = 0; column < here_.columns.size(); ++column) {
      if (kernel.input.columns[column].kind != ColumnInfo::Kind::number) continue;
      for (std::size_t at = 0; at < here_.columns[column].size(); ++at)
        if (may_move({column, at}, moved)) cells_.push_back({column, at});
    }
  }

  std::vector<Cell> const& cells() const { return cells_; }
  Table const& here() const { return here_; }

  double ulp(Cell const& cell) const {
    double largest = 0;
    auto const [begin, end] = vectors_[cell.column];
    for (std::size_t column = begin; column < end; ++column)
      largest = std::max(largest, std::fabs(here_.columns[column][cell.at]));
    return (std::nextafter(largest, HUGE_VAL) - largest) * coarser_;
  }
  void move(Table& table, Cell const& cell, std::int64_t ulps) const {
    table.columns[cell.column][cell.at] += static_cast<double>(ulps) * ulp(cell);
  }
  bool allowed(Table const& table) const { return !kernel_.domain_error(table, 0); }

 private:
  /// Returns true if the case stays in the domain when this number moves up or down by one ulp. `moved` equals here_
  /// before and after the call. It is an argument because a copy of the case for each number would take longer than the
  /// test.
  bool may_move(Cell const& cell, Table& moved) const {
    bool may = false;
    for (std::int64_t const ulps : {1, -1}) {
      move(moved, cell, ulps);
      may = may || allowed(moved);
      moved.columns[cell.column][cell.at] = here_.columns[cell.column][cell.at];
    }
    return may;
  }

  Kernel const& kernel_;
  double coarser_;  ///< the roundoff of the format divided by that of binary64
  Table here_;
  std::vector<std::pair<std::size_t, std::size_t>> vectors_;
  std::vector<Cell> cells_;
};

/// Returns a seed that depends on the bits of the case.
std::uint64_t hash_of(Table const& table) {
  std::uint64_t hash = 0;
  for (auto const& column : table.columns)
    for (double const value : column) hash = Random(hash, std::bit_cast<std::uint64_t>(value), 0).bits();
  return hash;
}

}  // namespace

Table neighbours(Kernel const& kernel, Table const& cases, std::size_t row, std::size_t count, long double roundoff) {
  Mover const mover(kernel, cases, row, roundoff);
  Random random(hash_of(mover.here()), 0x4e19, 0);
  auto const& cells = mover.cells();
  Table found(kernel.input), moved(kernel.input);
  std::size_t const alone = std::min({2 * cells.size(), moved_alone, count / 2});
  for (std::size_t i = 0; i < count && !cells.empty(); ++i) {
    moved = mover.here();
    if (i < alone) {
      // If the case has many numbers, move only some of them.
      std::size_t const any = static_cast<std::size_t>(random.bits() % cells.size());
      std::int64_t const ulps = random.integer(1, farthest);
      mover.move(moved, cells[2 * cells.size() <= alone ? i / 2 : any], i % 2 == 0 ? ulps : -ulps);
    } else {
      std::int64_t const reach = i % 4 == 0 ? 1 : farthest;
      for (Cell const& cell : cells) mover.move(moved, cell, random.integer(-reach, reach));
    }
    if (mover.allowed(moved)) append_row(kernel.input, found, moved, 0);
  }
  return found;
}

}  // namespace demeter
