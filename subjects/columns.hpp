// Calls functions over columns, as in the C interface (subjects/demeter_subject.h). Detects misuse of memory.
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/misbehaviour.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A function that answers n rows: `in` and `out` are columns. Null columns in `out` belong to outputs that the caller
/// does not need. `room` is the number of elements that each output list may have in all rows together. Returns 0 if it
/// has answered the rows, DEMETER_MORE_ROOM if it needs more room, and any other number if it declines the rows.
using ColumnFunction =
    std::function<int(std::size_t n, double const* const in[], double* const out[], std::size_t room)>;

/// Protection of the memory around the columns of a call. A call can read and write memory that is not protected. After
/// the call, this memory is checked for changes.
struct Surroundings {
  bool input_read_only = false;
  /// Inaccessible pages before and after each column. The size of the column is rounded up to a multiple of 64 bytes.
  bool input_ends = false, output_ends = false;
  /// Columns begin at multiples of 8 bytes that are not multiples of 16. Cannot be combined with the other options.
  bool odd_addresses = false;

  /// Returns true if no page is protected.
  bool plain() const { return !input_read_only && !input_ends && !output_ends; }
  bool operator==(Surroundings const&) const = default;
};

struct Refusal {
  Status status = Status::unsupported;
  std::string message;
  int code = 0;          ///< return value of the function
  Misdeed misdeed = {};  ///< set if the function did something that is not allowed
};

/// Calls the function with all cases in one batch. If the function needs more room for lists, calls it again with more
/// room. If there was no problem, appends to `answers` and returns nothing. Otherwise returns the problem. `left_out`
/// has a flag for each output field: true if its columns are null. If `left_out` is empty, no column is null. Call this
/// in a child process, because the function may do anything.
std::optional<Refusal> call_columns(ColumnFunction const& function, Kernel const& kernel, Table const& cases,
                                    Answers& answers, std::vector<bool> const& left_out = {},
                                    Surroundings const& around = {});

/// Returns the room for lists in the first call, in elements per batch.
std::size_t first_room(Table const& cases);
/// Returns the room for the next call, if the function asked for more than `room`.
std::size_t more_room(std::size_t room);
inline constexpr std::size_t most_room_of_lists = std::size_t{1} << 24;

}  // namespace demeter
