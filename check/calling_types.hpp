// The call patterns of a subject, and the findings about them.
#pragma once

#include "reference/spec/core/table.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// A call pattern: a way to pass the same cases to a subject.
enum class Way : unsigned char {
  again,      ///< the same case a second time, in another order, or after other calls
  batch,      ///< batches of other sizes, other places in a batch, other neighbours
  no_rows,    ///< calls for 0 rows
  unwanted,   ///< calls that leave out some of the outputs
  memory,     ///< write-protected inputs, and protected pages around the columns
  alignment,  ///< columns at multiples of 8 bytes that are not multiples of 16
};
constexpr std::array<std::string_view, 6> labels(Way) {
  return {"again", "batch", "no_rows", "unwanted", "memory", "alignment"};
}
inline std::string_view way_name(Way way) { return labels(way)[static_cast<std::size_t>(way)]; }

/// A problem of a subject with one call pattern, shown by the smallest batch that was found.
struct CallFinding {
  Way way = Way::batch;
  std::string text;                ///< a phrase for reports
  Table inputs;                    ///< the rows of the batch, or of all calls if there are several
  std::size_t calls = 1;           ///< number of calls that show the problem
  std::optional<std::size_t> row;  ///< row of the inputs that has a different answer
};

/// The result of a trial. A pattern is in `tried` or `not_tried`, or does not apply to the subject.
struct CallCheck {
  std::uint64_t cases = 0, calls = 0;
  /// `tried`: all calls of the pattern were made, or the calls until a finding. `not_tried`: there was no time, or the
  /// cases have no answers in calls of their own.
  std::vector<Way> tried, not_tried;
  std::vector<CallFinding> findings;  ///< at most one per pattern
  std::vector<Way> known;             ///< accepted findings, not in `findings`
};

struct CallOptions {
  std::uint64_t seed = 1;
  double seconds = 3;       ///< after this time, calls that no verdict needs are left out
  double most_seconds = 0;  ///< after this time no more calls are made; 0 means `seconds`
  bool shrink = true;       ///< search for the smallest batch
  bool first_only = false;  ///< stop after the first finding
  std::atomic<bool> const* stop = nullptr;
};

}  // namespace demeter
