// From suspects to jumps: gathered by what changes, confirmed in 80 digits, enlarged and made readable.
#pragma once

#include "check/climb.hpp"

#include <map>
#include <optional>
#include <utility>

namespace demeter::path_search {

/// A finding with its own path.
struct Candidate {
  Finding finding;
  Table path;
  Promoted promoted;
};

/// The largest few of the candidates at one transition, of one quantity, and how many there were.
struct Gathered {
  std::uint64_t found = 0;
  std::vector<Candidate> largest;
};
using Groups = std::map<std::pair<std::string, std::size_t>, Gathered>;

void gather(Laboratory const& lab, Groups& groups, Table const& paths, std::vector<Finding> const& findings);

/// Whether 80 digits confirm the jump of a candidate; of a subject without a formula it is taken as it is. False, too,
/// if it is too late to tell: see `Promoted::in_time`.
bool confirmed(Probe const& probe, std::optional<std::size_t> formula, Candidate& candidate, std::size_t quantity,
               Late const& late);

Jump jump_of(Probe const& probe, Candidate const& candidate, std::size_t quantity);

/// Puts a jump into the result: a new kind of transition, or larger sizes of a known one.
TransitionJumps& enter(Continuity& result, Jump const& jump);

/// The paths that change something most for their motion, made steeper: if there is a jump that random paths miss, it
/// is where slopes are large.
void climb_slopes(Probe& probe, ContinuityOptions const& options, Late const& late, Continuity& result, Groups& groups);

/// Enters what 80 digits confirm of each group, enlarged and simplified, the worst transition first.
void enter_jumps(Probe& probe, Groups& groups, ContinuityOptions const& options, Late const& late, Continuity& result);

}  // namespace demeter::path_search
