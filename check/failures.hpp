// The failure database: a folder of JSON lines for version control. Every failing case is stored as soon as it is
// found. The next check of the same subject tries these cases first.
#pragma once

#include "kernels/kernel.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A failed case, with the output over its budget or the broken law.
struct RecordedFailure {
  Table input;  ///< the case, as a table of one row
  std::string regime;
  std::string output, law;  ///< the output over its budget, or the broken law; the other one is empty. Both are empty
                            ///< if the subject crashed or hung
  std::uint64_t salt = 0;   ///< salt of the random choices of the law
  std::string call{};       ///< the call pattern with which the case fails; then output, law and regime are empty
};

/// The failures are in `folder`/<kernel>/<subject>.jsonl, one failure per line:
/// {"kernel":"segment_distance","subject":"pipe:./mine","regime":"parallel","exceeds":"distance","input":{...}}
class FailureDatabase {
 public:
  explicit FailureDatabase(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path file(Kernel const& kernel, std::string const& subject) const;

  /// Reads the recorded failures, oldest first. Returns an error with file, line and expected content, or nothing.
  std::optional<std::string> load(Kernel const& kernel, std::string const& subject,
                                  std::vector<RecordedFailure>& recorded) const;

  /// Adds a failure unless it is recorded already. It is on the disk when the call returns, so that a crash does not
  /// lose it. Returns an error or nothing.
  std::optional<std::string> add(Kernel const& kernel, std::string const& subject, RecordedFailure const& failure);

 private:
  std::filesystem::path folder_;
};

/// Returns a file name for any text. Letters, digits, dots, dashes, `_` and `@` are kept. A text with other characters,
/// or a long text, gets a hash at the end, so that different texts have different names.
std::string file_name_of(std::string const& text);

}  // namespace demeter
