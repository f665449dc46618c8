#include "simulator/reference/formulas.hpp"

#include "reference/capsule_contact.hpp"
#include "reference/contact_force.hpp"
#include "reference/core/multiprecision.hpp"
#include "reference/disc_disc_contact.hpp"
#include "reference/disc_segment_contact.hpp"
#include "reference/printed/capsule_contact.hpp"
#include "reference/printed/contact_force.hpp"
#include "reference/printed/wall_capsule_contact.hpp"
#include "reference/wall_capsule_contact.hpp"

namespace demeter::simulator::reference {

namespace {

template <template <class> class Input, template <class> class Output, class Scalar, class Reference, class Formulas>
std::function<Output<Scalar>(Input<Scalar> const&)> formula_named(std::string_view name, Reference reference,
                                                                  Formulas const& formulas) {
  if (name == "reference") return reference;
  std::function<Output<Scalar>(Input<Scalar> const&)> found;
  auto const consider = [&](auto const& formula) {
    if (formula.name == name)
      found = [evaluate = formula.evaluate](Input<Scalar> const& in) {
        return evaluate.template operator()<Scalar>(in);
      };
  };
  std::apply([&](auto const&... formula) { (consider(formula), ...); }, formulas);
  return found;
}

}  // namespace

template <turning_scalar Scalar>
CapsuleFormula<Scalar> capsule_formula(std::string_view name) {
  return formula_named<capsule_contact::Input, capsule_contact::Output, Scalar>(
      name, capsule_contact::reference::evaluate<Scalar>, capsule_contact::printed::formulas());
}

template <turning_scalar Scalar>
WallFormula<Scalar> wall_formula(std::string_view name) {
  return formula_named<wall_capsule_contact::Input, wall_capsule_contact::Output, Scalar>(
      name, wall_capsule_contact::reference::evaluate<Scalar>, wall_capsule_contact::printed::formulas());
}

template <turning_scalar Scalar>
ForceFormula<Scalar> force_formula(contact_force::Choices const& law) {
  return [law](contact_force::Input<Scalar> const& in) { return contact_force::reference::evaluate<Scalar>(in, law); };
}

template <turning_scalar Scalar>
disc_disc_contact::Output<Scalar> disc_contact(disc_disc_contact::Input<Scalar> const& in) {
  return disc_disc_contact::reference::evaluate<Scalar>(in);
}

template <turning_scalar Scalar>
disc_segment_contact::Output<Scalar> segment_contact(disc_segment_contact::Input<Scalar> const& in) {
  return disc_segment_contact::reference::evaluate<Scalar>(in);
}

template CapsuleFormula<double> capsule_formula(std::string_view);
template WallFormula<double> wall_formula(std::string_view);
template ForceFormula<double> force_formula(contact_force::Choices const&);
template disc_disc_contact::Output<double> disc_contact(disc_disc_contact::Input<double> const&);
template disc_segment_contact::Output<double> segment_contact(disc_segment_contact::Input<double> const&);
template CapsuleFormula<long double> capsule_formula(std::string_view);
template WallFormula<long double> wall_formula(std::string_view);
template ForceFormula<long double> force_formula(contact_force::Choices const&);
template disc_disc_contact::Output<long double> disc_contact(disc_disc_contact::Input<long double> const&);
template disc_segment_contact::Output<long double> segment_contact(disc_segment_contact::Input<long double> const&);
template CapsuleFormula<Multiprecision> capsule_formula(std::string_view);
template WallFormula<Multiprecision> wall_formula(std::string_view);
template ForceFormula<Multiprecision> force_formula(contact_force::Choices const&);
template disc_disc_contact::Output<Multiprecision> disc_contact(disc_disc_contact::Input<Multiprecision> const&);
template disc_segment_contact::Output<Multiprecision> segment_contact(
    disc_segment_contact::Input<Multiprecision> const&);

std::vector<std::pair<std::string, std::vector<std::string>>> formula_names() {
  std::vector<std::pair<std::string, std::vector<std::string>>> names;
  auto const add = [&](std::string kernel, auto const& formulas) {
    std::vector<std::string> of{"reference"};
    std::apply([&](auto const&... formula) { (of.emplace_back(formula.name), ...); }, formulas);
    names.emplace_back(std::move(kernel), std::move(of));
  };
  add("capsule_contact", capsule_contact::printed::formulas());
  add("wall_capsule_contact", wall_capsule_contact::printed::formulas());
  return names;
}

}  // namespace demeter::simulator::reference
