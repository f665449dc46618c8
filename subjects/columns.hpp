// Functions over columns, as in the C interface (subjects/demeter_subject.h), and calls of them that detect misuse of
// memory.
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/misbehaviour.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A function with n rows and columns of inputs and outputs. An output whose columns are null is not wanted. `room` is
/// the number of elements for which lists have space. Returns 0 if it has answered the rows, DEMETER_MORE_ROOM if it
/// needs more room, and any other number to decline.
using ColumnFunction =
    std::function<int(std::size_t n, double const* const in[], double* const out[], std::size_t room)>;

/// Protection of the memory around the columns of a call. Memory that is not protected can be read and written, and is
/// checked for changes after the call.
struct Surroundings {
  bool input_read_only = false;
  /// Inaccessible pages before each column and after its end, which is rounded up to 64 bytes.
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
  Misdeed misdeed = {};  ///< set if the function did something wrong besides declining
};

/// Asks for all cases in one batch. Gives the function as much room for lists as it asks for. Appends to `answers` only
/// if there was no problem. `left_out` says for each output field whether its columns are null; empty: no field. Call
/// this in a child process, because the function may do anything.
std::optional<Refusal> call_columns(ColumnFunction const& function, Kernel const& kernel, Table const& cases,
                                    Answers& answers, std::vector<bool> const& left_out = {},
                                    Surroundings const& around = {});

/// Number of elements for which the lists of a batch have room: first, after a request for more, and at most.
std::size_t first_room(Table const& cases);
std::size_t more_room(std::size_t room);
inline constexpr std::size_t most_room_of_lists = std::size_t{1} << 24;

}  // namespace demeter
