#include "check/plan.hpp"

#include "check/enough.hpp"

#include <algorithm>
#include <limits>

namespace demeter {
namespace {

constexpr double ordinary_numbers = 128;
constexpr std::uint64_t whole_block = 8192;

double numbers_a_case(Kernel const& kernel, std::size_t regime, CheckOptions const& options) {
  constexpr std::uint64_t drawn = 32;
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < drawn; ++id) kernel.generate(regime, options.seed, id, cases, options.sizes);
  std::size_t numbers = 0;
  for (auto const& column : cases.columns) numbers += column.size();
  return static_cast<double>(numbers) / static_cast<double>(drawn);
}

/// Returns the number of cases that a regime needs so that its profile has enough for a verdict. The number is a fifth
/// larger than needed, because some cases may not be judged. Returns 0 if the regime does not decide.
std::uint64_t for_a_verdict(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::size_t regime,
                            CheckOptions const& options) {
  Profile const profile = kernel.regimes[regime].profile;
  bool const decides =
      options.deciding.empty() || std::ranges::find(options.deciding, profile) != options.deciding.end();
  if (!options.for_a_verdict || !decides) return 0;
  auto const sisters = static_cast<std::uint64_t>(std::ranges::count_if(regimes, [&](std::size_t each) {
    return kernel.regimes[each].profile == profile && kernel.regimes[each].size == 0;
  }));
  constexpr std::uint64_t needed = enough_cases + enough_cases / 5;
  return needed / std::max<std::uint64_t>(sisters, 1) + 1;
}

void plan_regime(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::size_t place,
                 CheckOptions const& options, std::vector<Task>& tasks) {
  std::size_t const regime = regimes[place];
  // A case with long lists costs as much as many ordinary cases. So the cases of a regime have together at most as many
  // numbers as `cases` ordinary cases.
  double const share =
      options.every_case ? 1 : std::min(1.0, ordinary_numbers / numbers_a_case(kernel, regime, options));
  auto const scaled = [share](std::uint64_t count) {
    if (count == 0) return count;
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(count) * share));
  };
  bool const limited = options.seconds > 0;
  std::uint64_t const size = kernel.regimes[regime].size;
  std::uint64_t const least = std::min(for_a_verdict(kernel, regimes, regime, options), options.cases);
  std::uint64_t const cases = size > 0 ? std::min(size, options.cases) : std::max(scaled(options.cases), least);
  // A regime of lists begins with the shortest list, to which some laws do not apply. So laws get at least two cases.
  std::uint64_t const law_cases =
      std::min(std::max(scaled(options.law_cases), std::min<std::uint64_t>(options.law_cases, 2)), cases);
  std::uint64_t const block = scaled(limited ? std::min(options.cases, whole_block) : whole_block);
  std::size_t round = 0;
  for (std::uint64_t first = 0; first < cases; ++round) {
    // With a time limit, small blocks come first. Each is eight times as large as the one before, up to whole blocks.
    std::uint64_t const part = limited ? std::uint64_t{2048} >> std::min<std::size_t>(3 * round, 11) : 1;
    std::uint64_t const count = std::min(std::max<std::uint64_t>(block / part, 1), cases - first);
    // The law cases are spread over the blocks. With a time limit, the first block always has some law cases.
    std::uint64_t laws = law_cases * (first + count) / cases - law_cases * first / cases;
    if (limited && first == 0) laws = std::max(laws, std::min<std::uint64_t>({count, law_cases, 2}));
    tasks.push_back({regime, place, first, count, laws, round});
    first += count;
  }
}

}  // namespace

std::vector<Task> plan(Kernel const& kernel, std::vector<std::size_t> const& regimes, CheckOptions const& options) {
  std::vector<Task> tasks;
  for (std::size_t place = 0; place < regimes.size(); ++place) plan_regime(kernel, regimes, place, options, tasks);
  // Recorded cases come first, because they are known to be hard.
  std::stable_partition(tasks.begin(), tasks.end(),
                        [&](Task const& task) { return kernel.regimes[task.regime].size > 0; });
  if (options.seconds > 0)
    std::stable_sort(tasks.begin(), tasks.end(), [](Task const& a, Task const& b) { return a.round < b.round; });
  return tasks;
}

double share_of_time(CheckOptions const& options, std::size_t subjects) {
  if (options.seconds == 0) return std::numeric_limits<double>::infinity();
  return options.seconds * options.jobs / static_cast<double>(std::min<std::size_t>(subjects, 4));
}

}  // namespace demeter
