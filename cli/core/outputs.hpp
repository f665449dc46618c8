// Protects the files of the user. An output must not be the same file as an input or another output, and must not
// replace a file that Demeter did not write.
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
/// The path of a folder in which a verb writes files. The verb chooses their names.
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
  std::string updated;  ///< for an output: the option that names the input file which this output may replace
};

/// Returns why the outputs must not be written, in one line, or nothing. Also checks that they can be written. `force`
/// allows outputs to replace files that Demeter did not write. An output may never replace an input or another output.
std::optional<std::string> cannot_take(std::vector<NamedFile> const& files, bool force);

}  // namespace demeter::cli
