#include "check/check_types.hpp"

#include <algorithm>

namespace demeter {

bool SubjectCheck::answers_passed() const {
  for (auto const& cell : accuracy)
    if (cell.decides && cell.wrong() > 0) return false;
  for (auto const& law : laws)
    if (law.broken_where_it_decides()) return false;
  return calls.findings.empty() && !recorded_decide;
}

std::uint64_t SubjectCheck::undecided() const {
  std::uint64_t sum = 0;
  for (auto const& cell : accuracy)
    if (cell.decides) sum += cell.undecided;
  return sum;
}

bool SubjectCheck::answered_nothing() const {
  return passed() && std::all_of(accuracy.begin(), accuracy.end(),
                                 [](AccuracyCell const& cell) { return !cell.decides || cell.judged == 0; });
}

}  // namespace demeter
