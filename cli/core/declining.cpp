#include "cli/core/declining.hpp"

#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter::cli {

void add_declining(Verb& verb, Declining& allowed) {
  verb.option("--allow-unsupported", allowed.share,
              "largest share of the cases that the subject may decline, from 0 to 1; if not given, it must answer at "
              "least one case")
      .check(share_of_one())
      .notes(allowed.given);
}

std::optional<std::string> too_little_judged(Declining const& allowed, std::uint64_t cases, std::uint64_t declined,
                                             std::uint64_t judged) {
  if (judged == 0 && declined == 0) return "nothing was judged";
  if (allowed.given && allowed.share == 1) return std::nullopt;
  if (judged == 0) {
    return fmt::format("nothing was judged: {} cases were declined (allowed with --allow-unsupported 1)",
                       report::grouped(static_cast<std::int64_t>(declined)));
  }
  double const share = static_cast<double>(declined) / static_cast<double>(std::max<std::uint64_t>(cases, 1));
  if (!allowed.given || share <= allowed.share) return std::nullopt;
  return fmt::format(
      "declined cases: got {} of {}, expected at most {} (--allow-unsupported {})",
      report::grouped(static_cast<std::int64_t>(declined)), report::grouped(static_cast<std::int64_t>(cases)),
      report::grouped(static_cast<std::int64_t>(allowed.share * static_cast<double>(cases))), allowed.share);
}

std::optional<std::string> too_little_judged(Declining const& allowed, SubjectCheck const& check) {
  std::uint64_t cases = 0, declined = 0, judged = 0;
  // A subject declines all outputs of a case together. So the cell of the first output of each regime is enough to
  // count the declined cases.
  AccuracyCell const* last = nullptr;
  for (auto const& cell : check.accuracy) {
    if (!cell.decides) continue;
    judged += cell.judged + cell.known + cell.wrong();
    if (last != nullptr && last->regime == cell.regime) continue;
    last = &cell;
    cases += cell.cases;
    declined += cell.unsupported + cell.not_representable;
  }
  return too_little_judged(allowed, cases, declined, judged);
}

}  // namespace demeter::cli
