// The rule that guards files of others: an output names no input and no other output, and replaces nothing that
// Demeter did not write.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter::cli {

/// The path of a file that a verb reads.
struct InputPath : std::string {
  using std::string::string;
  operator std::filesystem::path() const { return static_cast<std::string const&>(*this); }
};
/// The path of a file that a verb writes.
struct OutputPath : std::string {
  using std::string::string;
  operator std::filesystem::path() const { return static_cast<std::string const&>(*this); }
};
/// The path of a folder in which a verb writes many files, whose names are the verb's.
struct OutputFolder : std::string {
  using std::string::string;
  operator std::filesystem::path() const { return static_cast<std::string const&>(*this); }
};

/// A file that a command line names.
struct NamedFile {
  enum class Role { input, output, folder };
  Role role;
  std::string option;  ///< the option that names the file
  std::string path;
  std::string updated;  ///< for an output: the option of the input that the output may replace
};

/// Why the outputs must not be written, in one line, or nothing. Looks also whether they can be written. `force` allows
/// to replace files that Demeter did not write; nothing allows an output to replace an input or another output.
std::optional<std::string> cannot_take(std::vector<NamedFile> const& files, bool force);

}  // namespace demeter::cli
