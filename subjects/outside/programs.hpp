// Programs as peers. Demeter looks for a program on the PATH when it needs the subject, and never links a program. Each
// program has an adapter, subjects/programs/<name>.py. The text of the adapter is built into the command. Demeter runs
// the adapter and talks to it over the pipe of pipe.cpp.
#pragma once

#include "subjects/outside/outside.hpp"
#include "subjects/peers.hpp"

namespace demeter {

/// An adapter and the information in its first lines. subjects/programs/core/adapter.py describes the keys.
struct ProgramAdapter {
  std::string name, doc;
  std::string program, package;  ///< name of the program on the PATH, and its Debian package
  std::string module;            ///< Python module that the adapter needs; empty: none
  std::string version;           ///< a shell command that prints the version
  std::string home;              ///< address of the program's home page; empty: none
  /// By kernel: outputs ("mass, centroid", or "all"), the approximation that affects them, and where its authors
  /// declare it. The three parts are separated by " | ".
  std::vector<std::pair<std::string, std::string>> declared;
  std::uint64_t cases = 0;                                    ///< value of `Subject::cases`
  std::vector<std::pair<std::string, std::string>> answers;   ///< by kernel: the function of the program that is asked
  std::vector<std::pair<std::string, std::string>> formulas;  ///< by kernel: the formula that judges the answers, if
                                                              ///< not the recommended formula
  /// Name and description of each variant of the adapter. A variant is the subject `<adapter>_<name>`. Empty: the
  /// adapter has one subject, with the name of the adapter.
  std::vector<std::pair<std::string, std::string>> variants;
  std::string_view text;

  /// An error message if the first lines of the adapter are incomplete, otherwise "".
  std::string wrong;
};
ProgramAdapter read_adapter(std::string_view name, std::string_view text);

/// Returns all adapters that are built in, whether or not their programs are installed.
std::vector<ProgramAdapter> const& program_adapters();

/// Returns the subjects of the installed programs. For each adapter whose program is missing, also returns the package
/// to install. Runs no program except Python, which looks for modules without importing them.
Peers const& found_programs();

/// Returns the adapter with this name or with a subject of this name, or null. Runs nothing.
ProgramAdapter const* find_adapter(std::string_view subject);

/// Returns the subject with this name, or why its program is missing. Returns neither if no adapter has the name.
Found find_program(std::string_view name);

/// Returns the subject of an installed program, which runs in its own process.
std::optional<Subject> open_program(std::string_view name, SubjectOptions const& options);

/// Returns the version of a peer. A program is run once to get its version.
std::string version_of(Subject const& subject);

/// Returns true if a program is in one of the folders of PATH.
bool on_path(std::string const& program);

namespace programs {
// The build generates these functions from subjects/programs/.
std::string_view common_text();
std::vector<std::pair<std::string_view, std::string_view>> const& texts();  ///< name and text of each adapter
}  // namespace programs

}  // namespace demeter
