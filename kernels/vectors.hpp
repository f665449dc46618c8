// Vectors: recorded cases with their truth, in oracles/vectors/<kernel>.jsonl. They are built into the program. The
// functions read, check and write them.
#pragma once

#include "kernels/kernel.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// The contents of a vector except its numbers.
struct VectorNotes {
  std::uint64_t id = 0;    ///< number of the vector, from 1, in the order of the file
  std::size_t regime = 0;  ///< index into the kernel's regimes
  std::vector<std::string> flags;
  std::string source;  ///< origin of the case; never empty
  std::string comment;
};

/// The vectors of one kernel. notes[i] belongs to row i of the cases.
struct Vectors {
  Table cases;
  std::vector<VectorNotes> notes;
};

/// A flag as described in oracles/vectors/flags.json.
struct VectorFlag {
  std::string name, description, failing_means;
  bool derived = false;  ///< true if the flag follows from the expected values: the tool sets and checks it
};

/// Returns the vectors that are built into the program; none for a kernel that is not in its list. They are read once
/// and kept.
Vectors const& vectors_of(Kernel const& kernel);
/// Adds the regime "vectors" to a kernel of the list. Its case `id` is vector `id` of the file, counted from 0 and
/// repeated cyclically, for any seed.
void add_vectors_regime(Kernel& kernel);
/// Returns the text of the vectors file.
std::string_view vectors_text(Kernel const& kernel);
/// Returns all flags in the order of their file. Flags of a vector have the same order.
std::vector<VectorFlag> const& vector_flags();

/// Reads the text of a vectors file and checks it against the schema: keys, types, regimes, flags, ids from 1 on.
/// Expected values are only checked against the schema. Returns the first error with its line ("line 3: flags: ..."),
/// or nothing.
std::optional<std::string> read_vectors(Kernel const& kernel, std::string_view text, Vectors& into);

/// Returns all errors in the text of a vectors file, one per line. These are the errors of `read_vectors`, expected
/// values that differ from the values of oracle and reference, and lines that differ from the output of `vector_line`.
std::vector<std::string> check_vectors(Kernel const& kernel, std::string_view text);

/// Returns one vector as a line of its file, without the newline. Expected values and derived flags are computed here,
/// the rest is copied from the notes. Returns nothing if oracle and reference differ; `wrong` then contains the reason.
std::optional<std::string> vector_line(Kernel const& kernel, Table const& cases, std::size_t row,
                                       VectorNotes const& notes, std::string& wrong);

/// Returns the truth of a number in the form in which it is recorded. A number with at most 30 significant digits is
/// exact and without trailing zeros. Any other number has 30 digits, correctly rounded. Returns "" if the radius is
/// infinite, "?" if the radius is too large for 30 digits.
std::string recorded_digits(Enclosure const& truth);

namespace detail {

/// The text of each kernel's vectors file. Generated.
struct VectorSource {
  std::string_view kernel, text;
};
std::vector<VectorSource> const& vector_sources();
std::string_view vector_flags_text();

}  // namespace detail
}  // namespace demeter
