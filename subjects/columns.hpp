// A function over columns, as the C interface (subjects/demeter_subject.h) has it, and how it is called: with what is
// around its columns watched, and with outputs left out.
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/misbehaviour.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// n rows, columns in and out; an output whose columns are null is not wanted; `room`: elements that lists have place
/// for. Returns 0 if the rows are answered, DEMETER_MORE_ROOM for more room, anything else to decline.
using ColumnFunction =
    std::function<int(std::size_t n, double const* const in[], double* const out[], std::size_t room)>;

/// What lies around the columns of a call. Whatever is not said here is memory that can be read and written, and is
/// looked at afterwards.
struct Surroundings {
  bool input_read_only = false;
  /// Pages that cannot be touched lie behind each column, at its end rounded up to 64 bytes, and before it.
  bool input_ends = false, output_ends = false;
  /// Columns begin at multiples of 8 bytes that are not multiples of 16. Not together with any of the others.
  bool odd_addresses = false;

  /// Whether no page is protected.
  bool plain() const { return !input_read_only && !input_ends && !output_ends; }
  bool operator==(Surroundings const&) const = default;
};

struct Refusal {
  Status status = Status::unsupported;
  std::string message;
  int code = 0;          ///< that the function returned
  Misdeed misdeed = {};  ///< if the function did more than to decline
};

/// Asks for all cases in one batch, with as much room for lists as the function asks for; `answers` gets its rows only
/// if nothing is wrong. `left_out`: of each of the output's fields whether its columns are null; empty: none. For a
/// child process: the function may do anything.
std::optional<Refusal> call_columns(ColumnFunction const& function, Kernel const& kernel, Table const& cases,
                                    Answers& answers, std::vector<bool> const& left_out = {},
                                    Surroundings const& around = {});

/// Elements that the lists of a batch get room for: at first, after a function that has asked for more, and at most.
std::size_t first_room(Table const& cases);
std::size_t more_room(std::size_t room);
inline constexpr std::size_t most_room_of_lists = std::size_t{1} << 24;

}  // namespace demeter
