#include "check/tolerance.hpp"

#include "subjects/outside/outside.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace demeter {
namespace {

/// Tolerance for good plain code, in u of the number format. For comparison: the textbook distance of segments that
/// just touch has an error of 36 u of their size.
constexpr double plain_units = 1024;

double units_of(Budget const& budget, Held const& held, Format const& format) {
  for (auto const& [output, units] : held.units)
    if (output == budget.output) return units;
  auto const in_its_u = [&](long double x) { return static_cast<double>(x / format.roundoff); };
  switch (held.to) {
    case Held::To::binary64:
      return held.factor * std::max(budget.units, in_its_u(plain_units * binary64.roundoff));
    case Held::To::binary32:
      return held.factor * std::max(budget.units, in_its_u(plain_units * binary32.roundoff));
    case Held::To::number:
      return held.factor * in_its_u(held.number);
    case Held::To::strict:
      break;
  }
  return held.factor * budget.units;
}

}  // namespace

std::optional<Held> held_to(std::string_view text) {
  if (text == "strict") return Held{};
  if (text == "double") return Held{Held::To::binary64};
  if (text == "float") return Held{Held::To::binary32};
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number) || !(number > 0))
    return std::nullopt;
  return Held{Held::To::number, number};
}

std::string tolerance_text(Held const& held) {
  switch (held.to) {
    case Held::To::binary64:
      return "double";
    case Held::To::binary32:
      return "float";
    case Held::To::number:
      return fmt::format("{}", held.number);
    case Held::To::strict:
      break;
  }
  return "strict";
}

Held held_by_default(Subject const& subject) {
  if (subject.binary32) return {Held::To::binary32};
  switch (subject.origin) {
    case Origin::fast:
    case Origin::correctly_rounded:
    case Origin::reference:
      return {Held::To::strict};
    default:
      return {Held::To::binary64};
  }
}

Tolerance tolerance_of(Kernel const& kernel, Held const& held, Format const& format) {
  Tolerance result{{}, format, true};
  if (held == Held{}) return result;
  result.to_the_bit = held.to == Held::To::strict;
  for (Budget const& budget : kernel.budgets) {
    result.units.push_back(units_of(budget, held, format));
    // If the user allows more than the contract, laws need not hold to the bit.
    result.to_the_bit = result.to_the_bit && result.units.back() <= budget.units;
  }
  return result;
}

Tolerance tolerance_of(Kernel const& kernel, Subject const& subject, std::optional<Held> const& held) {
  Tolerance result =
      tolerance_of(kernel, held.value_or(held_by_default(subject)), subject.binary32 ? binary32 : binary64);
  if (!kernel.formulas.is_composed()) return result;
  Answering const* const answering = subject.find(kernel.name);
  std::string_view const formula = subject.origin == Origin::printed ? subject.name_of_formula()
                                   : answering != nullptr            ? std::string_view(answering->formula)
                                                                     : "";
  if (auto const index = kernel.formulas.find(formula).index; index && !formula.empty())
    result.combination = kernel.formulas.code(*index).value_or(0);
  return result;
}

Budget tolerated(Kernel const& kernel, std::size_t k, Tolerance const& tolerance) {
  Budget budget = kernel.budgets[k];
  budget.units = tolerance.units_of(kernel.budgets, k);
  return budget;
}

Table judged_cases(Kernel const& kernel, Subject const& subject, Table const& cases) {
  return subject.binary32 ? judged_in_binary32(kernel, cases) : cases;
}

}  // namespace demeter
