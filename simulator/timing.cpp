#include "simulator/timing.hpp"

#include <algorithm>
#include <chrono>

namespace demeter::simulations {

std::optional<Failure> time_steps(SceneFile const& file, std::atomic<bool> const& stop, std::vector<Timed>& timed) {
  struct Contender {
    Manner manner;
    std::optional<simulator::Simulation> simulation;
    std::string start;
    Length length;
    std::vector<double> turns;
  };
  std::vector<Contender> contenders;
  for (auto const* arithmetic : {"double", "long-double", "mpfr:50", "mpfr:100"}) {
    Contender each;
    read_implementation(std::string("reference@") + arithmetic, each.manner);
    if (auto failure = make_simulation(file, each.manner, 0, each.simulation)) return failure;
    each.start = each.simulation->save();
    each.length = length_of(file.scene, each.simulation->dt(), 0);
    contenders.push_back(std::move(each));
  }
  // A turn is a fixed number of steps. All implementations do the same steps of the scene, so their contacts are the
  // same.
  std::uint64_t const share =
      std::max<std::uint64_t>(1, std::min<std::uint64_t>(contenders[0].length.about / turns_of_timing, 3000));
  for (std::size_t turn = 0; turn < turns_of_timing && !stop.load(std::memory_order_relaxed); ++turn)
    for (auto& each : contenders) {
      if (each.simulation->step() + share > each.length.about) each.simulation->load(each.start);
      auto const begin = std::chrono::steady_clock::now();
      for (std::uint64_t step = 0; step < share; ++step) each.simulation->advance();
      if (auto trouble = trouble_of(file, *each.simulation)) return trouble;
      each.turns.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
                           static_cast<double>(share));
    }
  for (auto& each : contenders) {
    if (each.turns.empty()) continue;
    auto const middle = each.turns.begin() + static_cast<std::ptrdiff_t>(each.turns.size() / 2);
    std::nth_element(each.turns.begin(), middle, each.turns.end());
    timed.push_back({each.manner.implementation, *middle, each.turns.size()});
  }
  return std::nullopt;
}

}  // namespace demeter::simulations
