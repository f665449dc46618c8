// Formulas that are composed of choices, such as "transport=project,limit=sum". A kernel with choices has one formula
// for every combination of their values.
#pragma once

#include "reference/spec/core/formula.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace demeter {

/// One value of a choice.
struct ChoiceValue {
  std::string_view name;
  std::string_view formula;  ///< the formula as plain text
  std::string_view doc;      ///< one sentence; names the laws that the value breaks by design
  std::string_view source;
  FormulaKind kind = FormulaKind::model;  ///< model or mistake
  std::string_view other_name = {};       ///< a second name that users may write
};

/// A choice and its values. The first value is the recommended one.
struct FormulaChoice {
  std::string_view name, doc;
  std::vector<ChoiceValue> values;
};

/// A combination of values with a name of its own.
struct NamedCombination {
  std::string_view name, doc;
  std::size_t code;  ///< see code_of()
};

/// All choices of a kernel.
struct Composition {
  std::vector<FormulaChoice> choices;          ///< in the order of the members of the kernel's `Choices`
  std::vector<NamedCombination> combinations;  ///< the first is the recommended formula
  /// Returns why the values of a combination have no meaning together, or "".
  std::string (*without_meaning)(std::size_t code) = nullptr;
  /// Returns the outputs that a combination does not define.
  std::vector<std::string_view> (*leaves_out)(std::size_t code) = nullptr;
};

namespace detail {

template <class Choices, class Visit>
constexpr void for_each_choice(Visit const& visit) {
  std::apply([&](auto... member) { (visit(member), ...); }, Choices::members());
}
template <class Choices, class Enumeration>
constexpr std::size_t value_count(Enumeration Choices::*) {
  return labels(Enumeration{}).size();
}

}  // namespace detail

/// Returns the number of a combination. The recommended combination, in which every value is the first one, has the
/// number 0. `Choices` is a record of enumerations with labels. `Choices::members()` returns pointers to its members.
template <class Choices>
constexpr std::size_t code_of(Choices const& choices) {
  std::size_t code = 0, unit = 1;
  detail::for_each_choice<Choices>([&](auto member) {
    code += unit * static_cast<std::size_t>(choices.*member);
    unit *= detail::value_count<Choices>(member);
  });
  return code;
}

/// Returns the combination with this number.
template <class Choices>
constexpr Choices choices_of(std::size_t code) {
  Choices choices;
  detail::for_each_choice<Choices>([&](auto member) {
    using Enumeration = std::remove_reference_t<decltype(choices.*member)>;
    std::size_t const count = detail::value_count<Choices>(member);
    choices.*member = static_cast<Enumeration>(code % count);
    code /= count;
  });
  return choices;
}

}  // namespace demeter
