// Recorded cases with their truth, oracles/vectors/<kernel>.jsonl: built into the program, read, checked and written.
#pragma once

#include "kernels/kernel.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// What a vector says beside its numbers.
struct VectorNotes {
  std::uint64_t id = 0;    ///< from 1, in the order of the file
  std::size_t regime = 0;  ///< index into the kernel's
  std::vector<std::string> flags;
  std::string source;  ///< where the case comes from; never empty
  std::string comment;
};

/// The vectors of one kernel: row i of the cases is what notes[i] speaks of.
struct Vectors {
  Table cases;
  std::vector<VectorNotes> notes;
};

/// A flag as oracles/vectors/flags.json explains it.
struct VectorFlag {
  std::string name, description, failing_means;
  bool derived = false;  ///< follows from the expected values: set and checked by the tool
};

/// The vectors that are built into the program; none for a kernel that is not in its list. Read once, then kept.
Vectors const& vectors_of(Kernel const& kernel);
/// Adds the regime "vectors" to a kernel of the list: its case `id` is vector `id` of the file, counted from 0 and
/// round and round, whatever the seed.
void add_vectors_regime(Kernel& kernel);
/// The same as the text of their file.
std::string_view vectors_text(Kernel const& kernel);
/// Every flag there is, in the order of their file, which is the order in which a vector has them.
std::vector<VectorFlag> const& vector_flags();

/// Reads the text of a vectors file, held against the schema: keys, types, regimes, flags, ids from 1 on. Returns what
/// is wrong with its line ("line 3: flags: ..."), or nothing. Expected values are held against the schema only.
std::optional<std::string> read_vectors(Kernel const& kernel, std::string_view text, Vectors& into);

/// Everything that is wrong with the text of a vectors file, a line each: what `read_vectors` says, and where an
/// expected value is not what the oracle and the reference derive, or a line is not as `vector_line` writes it.
std::vector<std::string> check_vectors(Kernel const& kernel, std::string_view text);

/// One vector as its file has it, without the newline. The expected values are derived here and the derived flags set,
/// the rest is taken from the notes. On failure (oracle and reference differ) nothing, and `wrong` says why.
std::optional<std::string> vector_line(Kernel const& kernel, Table const& cases, std::size_t row,
                                       VectorNotes const& notes, std::string& wrong);

/// A number's truth as vectors record it: exact and as short as it is where it has at most 30 significant digits,
/// otherwise 30 of them, correctly rounded; "" if the radius is infinite, "?" if it is too large for 30 digits.
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
