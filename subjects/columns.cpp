#include "subjects/columns.hpp"

#include "kernels/lists.hpp"
#include "subjects/demeter_subject.h"
#include "subjects/isolation/frames.hpp"

#include <fenv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace demeter {
namespace {

constexpr std::uint64_t mark_bits = 0x7ff8'6761'7264'0001;
double mark() { return std::bit_cast<double>(mark_bits); }
bool is_marked(double const& cell) { return std::memcmp(&cell, &mark_bits, sizeof cell) == 0; }

/// The memory of a column. The first cell is at a multiple of 64 bytes, or `shift` cells after such an address. Cells
/// with a special NaN before and after the column show if a call has written there. With `pages`, inaccessible pages
/// are before and after all these cells.
class Column {
 public:
  Column(std::size_t count, bool pages, std::size_t shift = 0) : count_(count) {
    constexpr std::size_t line = 64, guard = 512;
    std::size_t const bytes = (count + shift) * sizeof(double), rounded = (bytes + line - 1) / line * line;
    if (!pages) {
      size_ = rounded + 2 * guard;
      memory_ = static_cast<char*>(std::aligned_alloc(line, size_));
      if (memory_ == nullptr) throw std::bad_alloc();
      first_ = begin();
      last_ = first_ + size_ / sizeof(double);
      cells_ = first_ + guard / sizeof(double) + shift;
    } else {
      // Many guard pages, so that an access far beyond one column does not reach the next column.
      auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
      ends_ = 16 * page;
      std::size_t const inside = std::max((rounded + page - 1) / page * page, page);
      size_ = inside + 2 * ends_;
      void* const mapped = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (mapped == MAP_FAILED) throw std::bad_alloc();
      memory_ = static_cast<char*>(mapped);
      if (mprotect(memory_ + ends_, inside, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
      first_ = begin() + ends_ / sizeof(double);
      last_ = first_ + inside / sizeof(double);
      cells_ = last_ - rounded / sizeof(double);
    }
    std::fill(first_, cells_, mark());
    std::fill(cells_ + count_, last_, mark());
  }
  Column(Column&& other) noexcept { *this = std::move(other); }
  Column& operator=(Column&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(ends_, other.ends_);
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    std::swap(cells_, other.cells_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Column() {
    if (ends_ > 0)
      munmap(memory_, size_);
    else
      std::free(memory_);
  }

  double* cells() const { return cells_; }
  bool damaged() const {
    return !std::all_of(first_, cells_, is_marked) || !std::all_of(cells_ + count_, last_, is_marked);
  }
  /// Makes the column read-only. Only for a column mapped between guard pages.
  void make_read_only() const {
    if (mprotect(memory_ + ends_, size_ - 2 * ends_, PROT_READ) != 0) throw std::bad_alloc();
  }

 private:
  double* begin() const { return reinterpret_cast<double*>(memory_); }

  char* memory_ = nullptr;
  std::size_t size_ = 0, ends_ = 0;  ///< ends_: size of the guard pages on each side; 0 for memory from the heap
  double *first_ = nullptr, *last_ = nullptr, *cells_ = nullptr;
  std::size_t count_ = 0;
};

Column column_of(std::vector<double> const& cells, bool pages, std::size_t shift) {
  Column column(cells.size(), pages, shift);
  std::copy(cells.begin(), cells.end(), column.cells());
  return column;
}

std::optional<std::size_t> first_damaged(std::vector<Column> const& columns) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].damaged()) return k;
  return std::nullopt;
}

/// Returns the control bits of the floating-point environment.
std::pair<unsigned, unsigned> floating_point_mode() {
#if defined(__x86_64__)
  fenv_t now;
  fegetenv(&now);
  return {now.__control_word, now.__mxcsr & ~0x3fu};  // without the exception flags
#else
  return {static_cast<unsigned>(fegetround()), 0};
#endif
}

/// Returns for each output column whether the function gets a null pointer instead of the column.
std::vector<bool> null_columns(Schema const& output, std::vector<bool> const& left_out) {
  std::vector<bool> null(output.columns.size(), false);
  for (std::size_t field = 0; field < left_out.size(); ++field) {
    Node const& node = output.root.children[field];
    if (left_out[field]) std::fill_n(null.begin() + static_cast<std::ptrdiff_t>(node.column), node.columns, true);
  }
  return null;
}

Refusal refused_for(Misdeed misdeed) { return {Status::malformed, in_the_past(misdeed), 0, misdeed}; }

/// Calls the function once, with space for `room` elements in each output list.
std::optional<Refusal> call_once(ColumnFunction const& function, Kernel const& kernel, Table const& cases,
                                 std::size_t room, Answers& answers, std::vector<bool> const& null,
                                 Surroundings const& around) {
  Table table = blank_outputs(kernel.input, kernel.output, cases, room);
  std::vector<Column> in_columns, out_columns;
  std::vector<double const*> in;
  std::vector<double*> out;
  // With odd addresses, the columns begin 8, 24, 40 and 56 bytes after a multiple of 64, in turn.
  auto const shift = [&](std::size_t k) { return around.odd_addresses ? 1 + 2 * (k % 4) : 0; };
  for (auto const& column : cases.columns) {
    in_columns.push_back(column_of(column, around.input_ends || around.input_read_only, shift(in.size())));
    if (around.input_read_only) in_columns.back().make_read_only();
    in.push_back(in_columns.back().cells());
  }
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    out_columns.push_back(column_of(table.columns[k], around.output_ends, shift(in.size() + k)));
    out.push_back(null[k] ? nullptr : out_columns.back().cells());
  }
  auto const in_before = in;
  auto const out_before = out;
  fenv_t environment;
  fegetenv(&environment);
  auto const mode = floating_point_mode();
  int const code = function(cases.rows, in.data(), out.data(), room);
  auto const mode_after = floating_point_mode();
  if (mode_after != mode) {
    fesetenv(&environment);
    return refused_for({Misbehaviour::changes_floating_point});
  }
  if (auto const k = first_damaged(out_columns)) return refused_for({Misbehaviour::writes_outside_outputs, *k});
  if (auto const k = first_damaged(in_columns)) return refused_for({Misbehaviour::writes_outside_inputs, *k});
  if (in != in_before || out != out_before) return refused_for({Misbehaviour::writes_arrays});
  for (std::size_t k = 0; k < in.size(); ++k)
    if (!cases.columns[k].empty() &&
        std::memcmp(in[k], cases.columns[k].data(), cases.columns[k].size() * sizeof(double)) != 0)
      return refused_for({Misbehaviour::writes_inputs, k});
  if (code != 0) return Refusal{Status::unsupported, "returned " + std::to_string(code), code};
  for (std::size_t k = 0; k < out.size(); ++k)
    if (!null[k]) std::copy_n(out[k], table.columns[k].size(), table.columns[k].begin());
  if (auto wrong = settle_outputs(kernel.input, kernel.output, cases, room, table))
    return Refusal{Status::malformed, *wrong};
  if (auto wrong = flaw(kernel.output, table, cases.rows)) return Refusal{Status::malformed, *wrong};
  for (std::size_t row = 0; row < cases.rows; ++row) append_row(kernel.output, answers.output, table, row);
  answers.status.insert(answers.status.end(), cases.rows, Status::answered);
  return std::nullopt;
}

}  // namespace

std::size_t first_room(Table const& cases) {
  std::size_t room = 1024;
  for (auto const& column : cases.columns) room += column.size();
  return room;
}

std::size_t more_room(std::size_t room) { return std::max(room, std::min(8 * room, most_room_of_lists)); }

std::optional<Refusal> call_columns(ColumnFunction const& function, Kernel const& kernel, Table const& cases,
                                    Answers& answers, std::vector<bool> const& left_out, Surroundings const& around) {
  auto const null = null_columns(kernel.output, left_out);
  if (!has_free_lists(kernel.output)) return call_once(function, kernel, cases, 0, answers, null, around);
  for (std::size_t room = first_room(cases);; room = more_room(room)) {
    auto const refused = call_once(function, kernel, cases, room, answers, null, around);
    if (!refused || refused->code != DEMETER_MORE_ROOM) return refused;
    if (room >= most_room_of_lists)
      return Refusal{Status::malformed,
                     "list too long: needs room for more than " + std::to_string(room) + " elements"};
  }
}

}  // namespace demeter
