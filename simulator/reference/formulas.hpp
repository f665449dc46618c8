// The formulas of the kernels for contacts and forces, by name. Only formulas.cpp compiles the formulas, in every
// arithmetic. If a formula changes, the code of the scenes and of the time steps is not compiled again.
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

/// Return the reference or the printed formula of this name, or nothing.
template <turning_scalar Scalar>
CapsuleFormula<Scalar> capsule_formula(std::string_view name);
template <turning_scalar Scalar>
WallFormula<Scalar> wall_formula(std::string_view name);

/// Returns one step of the force law that consists of these choices.
template <turning_scalar Scalar>
ForceFormula<Scalar> force_formula(contact_force::Choices const& law);

/// Returns the names of the formulas that each key of `use` accepts, except contact_force.
std::vector<std::pair<std::string, std::vector<std::string>>> formula_names();

/// Return the contact of a disc with a disc or a segment, computed by the reference of the kernel. Non-smooth dynamics
/// always uses the reference.
template <turning_scalar Scalar>
disc_disc_contact::Output<Scalar> disc_contact(disc_disc_contact::Input<Scalar> const& in);
template <turning_scalar Scalar>
disc_segment_contact::Output<Scalar> segment_contact(disc_segment_contact::Input<Scalar> const& in);

}  // namespace demeter::simulator::reference
