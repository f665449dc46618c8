// Every subject this build can reach, and how a name finds one.
#pragma once

#include "subjects/core/isolate.hpp"
#include "subjects/core/kernel.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter {

struct MissingPeer {
  std::string name;
  std::string why;
};

struct Peers {
  std::vector<Subject> subjects;
  std::vector<MissingPeer> missing;
};

/// The adapters built in, and those that were left out with the reason.
Peers const& found_peers();

/// Our own implementations (fast at every level of this CPU, variants, printed formulas in double), then the peers.
std::vector<Subject> const& subjects();

/// The subject `what` names: a full name ("fast@avx2", "bullet"), or a formula alone, which means its usual
/// arithmetic ("fast" the best level of this CPU, "documented" double). Null if there is none.
Subject const* find_subject(std::string_view what);

/// "fast, documented, ... " for a message.
std::string subject_names();

/// Answers all cases: in this process if the subject is ours, otherwise in children with limits.
void answer(Subject const& subject, Answering const& answering, Schema const& output, Table const& cases,
            Answers& answers);

}  // namespace demeter
