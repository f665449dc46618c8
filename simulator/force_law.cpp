#include "simulator/force_law.hpp"

#include "kernels/formula_list.hpp"
#include "reference/printed/contact_force.hpp"

namespace demeter::simulations {

NamedLaw named_law(std::string_view text) {
  static FormulaList const laws = [] {
    FormulaList list;
    list.push_back({{"reference", ""}});
    list.compose(contact_force::composition(contact_force::Contract{}));
    return list;
  }();
  FoundFormula const found = laws.find(text);
  if (!found.index) return {std::nullopt, found.wrong};
  return {choices_of<contact_force::Choices>(laws.code(*found.index).value_or(0))};
}

}  // namespace demeter::simulations
