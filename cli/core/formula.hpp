// The option --formula: subjects are judged by this formula instead of the formula that each subject declares.
#pragma once

#include "check/identify.hpp"
#include "cli/core/command.hpp"

#include <string>
#include <vector>

namespace demeter::cli {

void add_formula(Verb& verb, std::string& name);

/// Returns false after an error message if a kernel has no formula of this name. An empty name is valid.
bool formula_or_complain(std::string_view verb, std::string_view name, std::vector<Kernel const*> const& kernels);

/// Returns a copy of the subject that declares this formula for every kernel that has the formula. An empty name
/// returns the subject itself. The copy is never destroyed.
Subject const* by_formula(Subject const* subject, std::string const& name);

/// A subject whose formula was looked for. If the formula was found, `subject` is a copy that declares it. The copy is
/// never destroyed.
struct Recognised {
  Subject const* subject;
  std::optional<Identified> identified{};
};

/// Looks for the formula of a subject from outside that declares no formula for this kernel. Other subjects are
/// returned as they are.
Recognised recognise(Kernel const& kernel, Subject const* subject, IdentifyOptions const& options);

}  // namespace demeter::cli
