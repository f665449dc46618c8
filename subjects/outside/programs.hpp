// Programs as peers: found on the PATH when a subject is looked for, never linked, and spoken to through an adapter
// that is built into the command as text, subjects/programs/<name>.py, over the pipe of pipe.cpp.
#pragma once

#include "subjects/outside/outside.hpp"
#include "subjects/peers.hpp"

namespace demeter {

/// An adapter and what it says of itself in its first lines; subjects/programs/core/adapter.py has the words.
struct ProgramAdapter {
  std::string name, doc;
  std::string program, package;  ///< what is looked for on the PATH; the Debian package that has it
  std::string module;            ///< that the adapter's Python must have; empty: none
  std::string version;           ///< a shell command that prints it
  std::uint64_t cases = 0;       ///< `Subject::cases`
  std::vector<std::pair<std::string, std::string>> answers;   ///< by kernel: what of the program is asked
  std::vector<std::pair<std::string, std::string>> formulas;  ///< by kernel: by which it is judged, if it is another
  /// Name and doc of each subject that the adapter makes, `<adapter>_<name>`; empty: one, of the adapter's name.
  std::vector<std::pair<std::string, std::string>> variants;
  std::string_view text;

  /// What is missing in it; empty if nothing is.
  std::string wrong;
};
ProgramAdapter read_adapter(std::string_view name, std::string_view text);

/// All that are built in, installed or not.
std::vector<ProgramAdapter> const& program_adapters();

/// Subjects for those whose program is installed, and the others, once an adapter, with the package they need. Nothing
/// is run for it but a Python that looks for modules, without importing them.
Peers const& found_programs();

/// The adapter that a subject of the name is made by, or that has the name. Null if there is none. Nothing is run.
ProgramAdapter const* find_adapter(std::string_view subject);

/// The subject of the name that an installed program makes, or why the program is missing. Neither for a name that no
/// adapter has.
Found find_program(std::string_view name);

/// The subject of an installed program, in a process of its own.
std::optional<Subject> open_program(std::string_view name, SubjectOptions const& options);

/// The version of a peer; that of a program is asked for once, by running it.
std::string version_of(Subject const& subject);

/// Whether a program stands in one of PATH's folders.
bool on_path(std::string const& program);

namespace programs {
// Generated from subjects/programs/.
std::string_view common_text();
std::vector<std::pair<std::string_view, std::string_view>> const& texts();  ///< by name
}  // namespace programs

}  // namespace demeter
