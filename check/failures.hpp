// The failure database: a folder of JSON lines, fit for version control, in which every failing case is kept as soon as
// it is found. The next check of the same subject tries them first.
#pragma once

#include "kernels/kernel.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A case that failed, by the output over its budget or by the law it broke.
struct RecordedFailure {
  Table input;  ///< one row
  std::string regime;
  std::string output, law;  ///< one of them is empty; both: the subject crashed or hung
  std::uint64_t salt = 0;   ///< of the law's random choices
  std::string call{};       ///< the way of calling in which it fails; it then has neither output nor law nor regime
};

/// `folder`/<kernel>/<subject>.jsonl, one failure a line:
/// {"kernel":"segment_distance","subject":"pipe:./mine","regime":"parallel","exceeds":"distance","input":{...}}
class FailureDatabase {
 public:
  explicit FailureDatabase(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path file(Kernel const& kernel, std::string const& subject) const;

  /// What is recorded, in the order in which it was found. An error names file, line and what was expected there.
  std::optional<std::string> load(Kernel const& kernel, std::string const& subject,
                                  std::vector<RecordedFailure>& recorded) const;

  /// Adds one unless it is there already. It is on the disk when the call returns, whatever happens to the process.
  std::optional<std::string> add(Kernel const& kernel, std::string const& subject, RecordedFailure const& failure);

 private:
  std::filesystem::path folder_;
};

/// A name of a file for any text: letters, digits, dots and dashes stay; other text is told apart by a hash at the end.
std::string file_name_of(std::string const& text);

}  // namespace demeter
