#include "reports/format/codes.hpp"

#include "check/enough.hpp"
#include "reports/format/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace demeter::report {

bool is_exercise(std::string_view name) { return name.starts_with("homework_"); }

void separate_exercises(Results& results) {
  auto const named = [](auto const& each) { return is_exercise(each.name); };
  for (Kernel& kernel : results.kernels) {
    std::ranges::copy_if(kernel.subjects, std::back_inserter(kernel.exercises), named);
    std::erase_if(kernel.subjects, named);
    std::erase_if(kernel.speed.timings, [](Timing const& each) { return is_exercise(each.subject); });
    std::erase_if(kernel.speed.not_timed, [](NotTimed const& each) { return is_exercise(each.subject); });
  }
  std::erase_if(results.subjects, named);
  std::erase_if(results.missing_peers, named);
}

Contender const* Code::of(Kernel const& kernel) const {
  auto const found = std::ranges::find(results, &kernel, &CodeOfKernel::kernel);
  return found == results.end() ? nullptr : found->result;
}

std::vector<Code> codes(Results const& results) {
  std::vector<Code> all(1);
  all.front().name = "fast";
  all.front().version = results.run.version;
  all.front().ours = true;
  for (Subject const& subject : results.subjects)
    if (!subject.ours && !is_exercise(subject.name))
      all.push_back({subject.name, subject.version, false, subject.home});
  for (Kernel const& kernel : results.kernels)
    for (Line const& line : lines(kernel)) {
      Contender const* const result = line.who.front();
      bool const fast = result->origin == Origin::own && line.name.substr(0, line.name.find('@')) == "fast";
      if (!fast && result->origin != Origin::peer) continue;
      if (is_exercise(result->name)) continue;
      auto code = fast ? all.begin() : std::ranges::find(all, result->name, &Code::name);
      if (code == all.end()) code = all.insert(all.end(), {result->name, "", false});
      if (code->of(kernel) == nullptr) code->results.push_back({&kernel, result});
    }
  std::erase_if(all, [](Code const& code) { return code.results.empty(); });
  return all;
}

std::array<Decade, decades> by_decade(Contender const& contender) {
  std::array<Decade, decades> all;
  for (SizeBin const& bin : contender.sizes) {
    if (bin.profile != "everyday" || !bin.up_to) continue;
    double const middle = *bin.up_to / std::sqrt(2.0);
    auto const at = std::ranges::upper_bound(decade_limits, middle) - decade_limits.begin();
    Decade& decade = all[static_cast<std::size_t>(at)];
    decade.judged += bin.judged;
    decade.failed += bin.failed;
    decade.error = std::max(decade.error, bin.max_error.value_or(0) * unit_of(contender));
  }
  return all;
}

Trust trust_in(std::int64_t judged, std::int64_t failed, double error) {
  if (judged == 0) return Trust::untested;
  if (!(error <= 1e-6)) return Trust::wrong;
  if (failed == 0 && !is_enough(static_cast<std::uint64_t>(judged))) return Trust::few;
  return error <= 1e-12 ? Trust::twelve_digits : Trust::six_digits;
}

}  // namespace demeter::report
