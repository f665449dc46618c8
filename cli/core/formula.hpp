// --formula: the formula of a kernel's list by which subjects are judged, instead of what each says of itself.
#pragma once

#include "cli/core/command.hpp"

#include <string>
#include <vector>

namespace demeter::cli {

void add_formula(Verb& verb, std::string& name);

/// False after a complaint: one of the kernels has no formula of the name. An empty name is none.
bool formula_or_complain(std::string_view verb, std::string_view name, std::vector<Kernel const*> const& kernels);

/// The subject as one that implements that formula, wherever a kernel has it; itself if no formula is named. It stays.
Subject const* by_formula(Subject const* subject, std::string const& name);

}  // namespace demeter::cli
