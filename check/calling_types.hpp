// The ways in which a subject is called, and what was found wrong in them.
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

enum class Way : unsigned char {
  again,      ///< a second time, in another order, after other calls
  batch,      ///< in batches of other sizes, at other places, among other neighbours
  no_rows,    ///< for none
  unwanted,   ///< without some of the outputs
  memory,     ///< with inputs that cannot be written to, and nothing around its columns
  alignment,  ///< with columns at multiples of 8 bytes that are not multiples of 16
};
constexpr std::array<std::string_view, 6> labels(Way) {
  return {"again", "batch", "no_rows", "unwanted", "memory", "alignment"};
}
inline std::string_view way_name(Way way) { return labels(way)[static_cast<std::size_t>(way)]; }

/// What a subject does wrong in one way of calling, by the smallest batch that was found to show it.
struct CallFinding {
  Way way = Way::batch;
  std::string text;                ///< "row 8 of 8 is answered otherwise than alone: distance 2 for 1"
  Table inputs;                    ///< the batch; of several calls, all their rows
  std::size_t calls = 1;           ///< how many calls these are
  std::optional<std::size_t> row;  ///< of the inputs, whose answer is otherwise
};

/// The result of a trial. A way is in one of `tried` and `not_tried`, or the subject cannot be called in it.
struct CallCheck {
  std::uint64_t cases = 0, calls = 0;
  /// `tried`: to the end, or until a finding. `not_tried`: there was no time, or the cases alone are not answered.
  std::vector<Way> tried, not_tried;
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

}  // namespace demeter
