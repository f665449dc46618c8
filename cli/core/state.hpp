// Where the command keeps what must outlive it.
#pragma once

#include "kernels/subject.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace demeter::cli {

/// The user's state folder for this program ($XDG_STATE_HOME/demeter, ~/.local/state/demeter); a temporary one if there
/// is no home; empty if there is neither.
std::filesystem::path state_folder();

/// The folder of recorded failures: the one named, "demeter-failures" if an outside subject is judged, or none.
std::string failure_folder(std::string const& named, std::vector<Subject const*> const& subjects);

/// Of this program, of what subjects are given, and of an outside one's files (a library's with those that it links)
/// and environment: a check is taken up only where these are what they were.
std::string identity_of(std::vector<Subject const*> const& subjects);

}  // namespace demeter::cli
