#include "subjects/misbehaviour.hpp"

#include <fmt/format.h>

namespace demeter {
namespace {

/// Returns where the call wrote: "outside the column out[3]".
std::string written(Misdeed misdeed) {
  bool const known = misdeed.column != Misdeed::unknown;
  switch (misdeed.kind) {
    case Misbehaviour::writes_outside_outputs:
      return known ? fmt::format("outside the column out[{}]", misdeed.column) : "outside its outputs";
    case Misbehaviour::writes_outside_inputs:
      return known ? fmt::format("outside the column in[{}]", misdeed.column) : "outside its inputs";
    case Misbehaviour::writes_arrays:
      return "to the array of columns";
    default:
      return known ? fmt::format("to its input, in[{}]", misdeed.column) : "to its inputs";
  }
}

}  // namespace

bool misuses_memory(Misbehaviour kind) {
  switch (kind) {
    case Misbehaviour::writes_outside_outputs:
    case Misbehaviour::writes_outside_inputs:
    case Misbehaviour::writes_arrays:
    case Misbehaviour::writes_inputs:
    case Misbehaviour::touches_beyond_outputs:
    case Misbehaviour::reads_beyond_inputs:
      return true;
    default:
      return false;
  }
}

std::string in_the_past(Misdeed misdeed) {
  if (misdeed.kind == Misbehaviour::changes_floating_point)
    return "returned with the rounding mode or flush-to-zero changed";
  return "wrote " + written(misdeed);
}

std::string in_the_present(Misdeed misdeed, std::string_view details) {
  switch (misdeed.kind) {
    case Misbehaviour::hangs:
      return fmt::format("hangs ({})", details);
    case Misbehaviour::dies:
      return fmt::format("crashes ({})", details);
    case Misbehaviour::none:
    case Misbehaviour::unreadable:
      return fmt::format("gives an unreadable answer ({})", details);
    case Misbehaviour::changes_floating_point:
      return "returns with the rounding mode or flush-to-zero changed";
    case Misbehaviour::touches_beyond_outputs:
      return "reads or writes beyond the ends of its outputs";
    case Misbehaviour::reads_beyond_inputs:
      return "reads beyond the ends of its inputs";
    default:
      return "writes " + written(misdeed);
  }
}

}  // namespace demeter
