// Finds the first number of a state that is not finite.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace demeter::simulator::reference {

template <class Scalar>
bool is_finite(Scalar const& x) {
  using std::isfinite;
  return static_cast<bool>(isfinite(x));
}

/// Returns text such as "velocity[1]: got nan" for the first number of a record that is not finite. Returns nothing if
/// all numbers are finite. Skips lists.
template <class Record>
std::optional<std::string> not_finite_in(Record const& record) {
  std::optional<std::string> found;
  auto const look = [&](auto const& x, std::string_view name, int index) {
    if (found || is_finite(x)) return;
    std::string const value = x < 0 ? "-inf" : 0 < x ? "inf" : "nan";
    found = std::string(name) + (index < 0 ? "" : "[" + std::to_string(index) + "]") + ": got " + value;
  };
  for_each_field<Record>([&](auto const& each) {
    auto const& value = record.*(each.member);
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (fixed_vector<Value>) {
      for (Index k = 0; k < value.size(); ++k) look(value[k], each.name, static_cast<int>(k));
    } else if constexpr (!std::is_integral_v<Value> && !std::is_enum_v<Value> && !list<Value> &&
                         !::demeter::record<Value>) {
      look(value, each.name, -1);
    }
  });
  return found;
}

}  // namespace demeter::simulator::reference
