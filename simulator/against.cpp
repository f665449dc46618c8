#include "simulator/against.hpp"

#include "reference/core/multiprecision.hpp"
#include "simulator/reference/exact_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace demeter::simulations {
namespace {

using simulator::Simulation;
using simulator::Text;

/// Digits in which differences are computed: numbers of a state can have more digits than a double.
constexpr unsigned digits_of_differences = 130;

double difference(Text const& x, Text const& y) {
  Multiprecision a, b;
  if (!simulator::read_exact_text(x.digits, a) || !simulator::read_exact_text(y.digits, b))
    return std::numeric_limits<double>::infinity();
  Multiprecision const off = a - b;
  return static_cast<double>(off < 0 ? Multiprecision(-off) : off);
}

/// Returns the largest difference of the positions or velocities of all bodies.
Largest largest(Simulation const& simulation, Shown const& one, Shown const& two, bool velocity) {
  Largest is;
  for (std::size_t b = 0; b < one.bodies.size(); ++b) {
    if (simulation.bodies[b].fixed) continue;
    for (Index k = 0; k < 3; ++k) {
      double const off = velocity ? difference(one.bodies[b].velocity[k], two.bodies[b].velocity[k])
                                  : difference(one.bodies[b].position[k], two.bodies[b].position[k]);
      if (off > is.value) is = {off, one.step, simulation.bodies[b].name};
    }
  }
  return is;
}

void note(Largest& most, Largest const& now) {
  if (now.value > most.value) most = now;
}

bool same_contacts(Shown const& one, Shown const& two) {
  return std::equal(one.contacts.begin(), one.contacts.end(), two.contacts.begin(), two.contacts.end(),
                    [](auto const& a, auto const& b) { return a.shape1 == b.shape1 && a.shape2 == b.shape2; });
}

/// Updates the properties that are checked in every step of non-smooth dynamics, from the states before and after.
void look_at_laws(Shown const& before, Shown const& after, Against& against) {
  auto const &a = *before.nonsmooth, &b = *after.nonsmooth;
  against.given = std::max(against.given, a.dissipated.value - b.dissipated.value);
  against.overlapped = std::max(against.overlapped, b.overlap.value - a.overlap.value);
  against.residual = std::max(against.residual, b.residual.value);
  if (b.capped.value > a.capped.value) ++against.capped;
}

}  // namespace

std::optional<Failure> compare_steps(SceneFile const& file, Manner const& manner, Manner const& reference,
                                     Progress const& progress, std::atomic<bool> const& stop, Against& against) {
  Precision const enough(digits_of_differences);
  std::optional<Simulation> truth, one, shadow;
  if (auto failure = make_simulation(file, reference, 0, truth)) return failure;
  if (auto failure = make_simulation(file, manner, 0, one)) return failure;
  if (auto failure = make_simulation(file, manner, 0, shadow)) return failure;
  against.nonsmooth = truth->dynamics == simulator::Dynamics::nonsmooth;
  Length const length = length_of(file.scene, truth->dt(), 0);
  std::array<bool, 3> apart{};
  while (!(against.is_complete = at_end(length, *truth)) && !stop.load(std::memory_order_relaxed)) {
    if (!one->load(truth->save()))
      return Failure{fmt::format("{}: the state of {} exceeds the range of {}", file.name, reference.implementation,
                                 manner.implementation)};
    Shown const before = one->snapshot();
    for (auto const* each : {&*truth, &*one, &*shadow}) {
      each->advance();
      if (auto trouble = trouble_of(file, *each)) return trouble;
    }
    Shown const exact = truth->snapshot(), rounded = one->snapshot(), alone = shadow->snapshot();
    for (auto const* shown : {&exact, &rounded, &alone})
      if (auto trouble = trouble_of(file, *truth, shown)) return trouble;
    ++against.steps;
    Largest const position = largest(*truth, rounded, exact, false);
    bool const contacts = same_contacts(rounded, exact);
    bool const sweeps = !against.nonsmooth || rounded.nonsmooth->sweeps.value == exact.nonsmooth->sweeps.value;
    if (!contacts) ++against.other_contacts;
    if (contacts && !sweeps) ++against.other_sweeps;
    if (contacts && sweeps) {
      note(against.position, position);
      note(against.velocity, largest(*truth, rounded, exact, true));
    } else {
      note(against.tied, position);
    }
    double const off = largest(*truth, alone, exact, false).value;
    for (std::size_t k = 0; k < apart.size(); ++k) {
      if (apart[k] || !(off > Against::apart[k])) continue;
      apart[k] = true;
      against.within[k] = against.steps - 1;
    }
    if (against.nonsmooth) look_at_laws(before, rounded, against);
    if ((against.steps & 15) == 0)
      progress(static_cast<double>(against.steps) / static_cast<double>(length.about),
               fmt::format("step {}", against.steps));
  }
  return std::nullopt;
}

}  // namespace demeter::simulations
