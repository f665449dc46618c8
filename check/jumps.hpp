// Turns suspected jumps into jumps. Groups them by their change of state, confirms them in 80 digits, enlarges and
// simplifies them.
#pragma once

#include "check/climb.hpp"

#include <map>
#include <optional>
#include <utility>

namespace demeter::path_search {

/// A finding and its path.
struct Candidate {
  Finding finding;
  Table path;
  Promoted promoted;
};

/// The candidates with the largest jumps of one quantity at one transition, and the number of all candidates found.
struct Gathered {
  std::uint64_t found = 0;
  std::vector<Candidate> largest;
};
using Groups = std::map<std::pair<std::string, std::size_t>, Gathered>;

void gather(Laboratory const& lab, Groups& groups, Table const& paths, std::vector<Finding> const& findings);

/// Returns true if 80 digits confirm the jump of a candidate, or if the subject has no formula. Returns false, too, if
/// the time limit prevented a result: see `Promoted::in_time`.
bool confirmed(Probe const& probe, std::optional<std::size_t> formula, Candidate& candidate, std::size_t quantity,
               Late const& late);

Jump jump_of(Probe const& probe, Candidate const& candidate, std::size_t quantity);

/// Adds a jump to the result: a new transition, or larger sizes for a known one.
TransitionJumps& enter(Continuity& result, Jump const& jump);

/// Makes the steepest paths steeper by hill climbing. A jump that random paths miss is likely where slopes are large.
void climb_slopes(Probe& probe, ContinuityOptions const& options, Late const& late, Continuity& result, Groups& groups);

/// For each group, adds the jumps that 80 digits confirm to the result. Enlarges and simplifies the large jumps. Sorts
/// the transitions by size, largest first.
void enter_jumps(Probe& probe, Groups& groups, ContinuityOptions const& options, Late const& late, Continuity& result);

}  // namespace demeter::path_search
