#include "fast/nscd_solve.hpp"

#include "fast/family/nonsmooth/many_contacts.hpp"

namespace demeter::nscd_solve::fast {

namespace {

using nonsmooth::fast::ActiveSet;
using nonsmooth::fast::ManyContacts;
using nonsmooth::fast::TimeStep;

/// Up to this number of contacts the active set needs less time and memory than sweeps, although its time grows with
/// the third power of this number and its memory with the second. Its answer is within the budget.
constexpr std::size_t few = 256;

/// Returns true if the numbers form a valid problem. The solvers use the indices without checks and rely on finite
/// numbers.
bool is_sound(TimeStep const& step) {
  bool sound = std::isfinite(step.dt);
  auto const all = [&](std::span<double const> numbers, auto const& holds) {
    for (double const x : numbers) sound = sound && holds(x);
  };
  auto const bodies = static_cast<double>(step.mass.size());
  auto const finite = [](double x) { return std::isfinite(x); };
  auto const index = [bodies](double x) { return x >= 0 && x < bodies; };
  all(step.mass, [](double x) { return x > 0; });
  for (auto const column : {step.velocity_x, step.velocity_y, step.normal_x, step.normal_y, step.gap})
    all(column, finite);
  all(step.i, index);
  all(step.j, index);
  return sound;
}

struct Solvers {
  ActiveSet active_set;
  ManyContacts many_contacts;

  void solve(TimeStep const& step, std::span<double> velocity_x, std::span<double> velocity_y,
             std::span<double> impulses) {
    if (!is_sound(step)) {
      for (auto const column : {velocity_x, velocity_y, impulses})
        std::fill(column.begin(), column.end(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    if (step.gap.size() <= few)
      active_set.solve(step, velocity_x, velocity_y, impulses);
    else
      many_contacts.solve(step, velocity_x, velocity_y, impulses);
  }
};

/// Returns `count` numbers of a column, starting at index `first`.
std::span<double const> part(double const* column, std::size_t first, std::size_t count) {
  return {column + first, count};
}

}  // namespace

void evaluate(Level, std::size_t n, double const* const in[], double* const out[]) {
  Solvers solver;
  std::vector<double> velocity_x, velocity_y, impulses;
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = [&](std::size_t offsets) { return static_cast<std::size_t>(in[offsets][row]); };
    auto const size = [&](std::size_t offsets) {
      return static_cast<std::size_t>(in[offsets][row + 1]) - first(offsets);
    };
    std::size_t const bodies = size(0), contacts = size(5), body = first(0), velocity = first(2), contact = first(5);
    TimeStep const problem{
        part(in[1], body, bodies),      part(in[3], velocity, bodies),   part(in[4], velocity, bodies),
        part(in[6], contact, contacts), part(in[7], contact, contacts),  part(in[8], contact, contacts),
        part(in[9], contact, contacts), part(in[10], contact, contacts), in[11][row]};
    velocity_x.resize(bodies);
    velocity_y.resize(bodies);
    impulses.resize(contacts);
    solver.solve(problem, velocity_x, velocity_y, impulses);
    if (out[1] != nullptr) std::copy(velocity_x.begin(), velocity_x.end(), out[1] + body);
    if (out[2] != nullptr) std::copy(velocity_y.begin(), velocity_y.end(), out[2] + body);
    if (out[4] != nullptr) std::copy(impulses.begin(), impulses.end(), out[4] + contact);
  }
}

Output<double> evaluate(Input<double> const& in) {
  std::size_t const bodies = in.masses.size(), contacts = in.contacts.size();
  std::vector<double> velocity_x, velocity_y, i, j, normal_x, normal_y, gap;
  for (auto const& velocity : in.velocities) {
    velocity_x.push_back(velocity[0]);
    velocity_y.push_back(velocity[1]);
  }
  for (auto const& contact : in.contacts) {
    i.push_back(contact.i);
    j.push_back(contact.j);
    normal_x.push_back(contact.normal[0]);
    normal_y.push_back(contact.normal[1]);
    gap.push_back(contact.gap);
  }
  std::vector<double> after_x(bodies), after_y(bodies);
  Output<double> out;
  out.impulses.resize(contacts);
  Solvers solver;
  solver.solve({in.masses, velocity_x, velocity_y, i, j, normal_x, normal_y, gap, in.dt}, after_x, after_y,
               out.impulses);
  for (std::size_t a = 0; a < bodies; ++a) out.velocities.emplace_back(after_x[a], after_y[a]);
  return out;
}

}  // namespace demeter::nscd_solve::fast
