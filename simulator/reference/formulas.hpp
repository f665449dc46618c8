// The kernels' formulas of contacts and forces, by name. Compiled in formulas.cpp alone, in every arithmetic: neither a
// scene nor a step is compiled again when a formula changes.
#pragma once

#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/contact_force.hpp"
#include "reference/spec/disc_disc_contact.hpp"
#include "reference/spec/disc_segment_contact.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter::simulator::reference {

template <class Scalar>
using CapsuleFormula = std::function<capsule_contact::Output<Scalar>(capsule_contact::Input<Scalar> const&)>;
template <class Scalar>
using WallFormula = std::function<wall_capsule_contact::Output<Scalar>(wall_capsule_contact::Input<Scalar> const&)>;
template <class Scalar>
using ForceFormula = std::function<contact_force::Output<Scalar>(contact_force::Input<Scalar> const&)>;

/// The reference, or one that is printed; nothing if there is none of that name.
template <turning_scalar Scalar>
CapsuleFormula<Scalar> capsule_formula(std::string_view name);
template <turning_scalar Scalar>
WallFormula<Scalar> wall_formula(std::string_view name);
template <turning_scalar Scalar>
ForceFormula<Scalar> force_formula(std::string_view name);

/// The names of the formulas that `use` may name, of each of its keys.
std::vector<std::pair<std::string, std::vector<std::string>>> formula_names();

/// The references, of which non-smooth dynamics has no others.
template <turning_scalar Scalar>
disc_disc_contact::Output<Scalar> disc_contact(disc_disc_contact::Input<Scalar> const& in);
template <turning_scalar Scalar>
disc_segment_contact::Output<Scalar> segment_contact(disc_segment_contact::Input<Scalar> const& in);

}  // namespace demeter::simulator::reference
