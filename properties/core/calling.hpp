// The ways of calling: whether what a subject answers to a case depends on how it is asked. Each case is answered
// alone, and compared bit for bit with its answers in every other way in which codes call a library.
#pragma once

#include "subjects/subjects.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

enum class Way : unsigned char {
  again,     ///< a second time, in another order, after other calls
  batch,     ///< in batches of other sizes, at other places, among other neighbours
  no_rows,   ///< for none
  unwanted,  ///< without some of the outputs
  memory,    ///< with inputs that cannot be written to, and nothing around its columns
};
constexpr std::array<std::string_view, 5> labels(Way) { return {"again", "batch", "no_rows", "unwanted", "memory"}; }
inline std::string_view way_name(Way way) { return labels(way)[static_cast<std::size_t>(way)]; }

/// What a subject does wrong in one way of calling, by the smallest batch that was found to show it.
struct CallFinding {
  Way way = Way::batch;
  std::string text;                ///< "row 8 of 8 is answered otherwise than alone: distance 2 for 1"
  Table inputs;                    ///< the batch; of several calls, all their rows
  std::size_t calls = 1;           ///< how many calls these are
  std::optional<std::size_t> row;  ///< of the inputs, whose answer is otherwise
};

/// What came of a trial. A way is in one of `tried` and `not_tried`, or the subject cannot be called in it.
struct CallCheck {
  std::uint64_t cases = 0, calls = 0;
  std::vector<Way> tried, not_tried;  ///< not: for want of time, or since the cases alone are not answered
  std::vector<CallFinding> findings;  ///< at most one a way
  std::vector<Way> known;             ///< accepted ones, not in `findings`
};

struct CallOptions {
  std::uint64_t seed = 1;
  double seconds = 3;       ///< after which no other calls are made
  bool shrink = true;       ///< look for the smallest batch
  bool first_only = false;  ///< end with the first finding
  std::atomic<bool> const* stop = nullptr;
};

/// Whether a subject can be tried so: not one of recorded answers, nor one whose answers are dear, nor a formula
/// of our own.
bool can_be_called(Subject const& subject, std::string_view kernel);

/// Cases of all these regimes, some of each.
Table cases_to_call_with(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::uint64_t seed,
                         Sizes const& sizes);

/// Calls the subject in every way that its form has: a function over columns in all of them, a program in its process
/// again and in another order, others in batches and again. `cases` are as the subject is judged at them. Every trial
/// of what is no program takes processes of its own, so that a crash is a finding.
CallCheck call_in_every_way(Kernel const& kernel, Subject const& subject, Table const& cases,
                            CallOptions const& options);

}  // namespace demeter
