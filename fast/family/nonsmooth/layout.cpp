#include "fast/family/nonsmooth/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace demeter::nonsmooth::fast {
namespace {

constexpr std::size_t rounded_up(std::size_t n) { return (n + block - 1) / block * block; }
std::int32_t number(std::size_t k) { return static_cast<std::int32_t>(k); }
double inverse_or_zero(double a) { return a > 0 ? 1 / a : 0; }

/// Initialises columns for `rows` contacts. Empty rows act on the body `nobody`, which has no effect.
void clear_rows(std::size_t rows, std::int32_t nobody, Workspace& workspace) {
  for (auto* column : {&workspace.normal_x, &workspace.normal_y, &workspace.meeting, &workspace.inverse,
                       &workspace.delassus, &workspace.mass_i, &workspace.mass_j, &workspace.impulse})
    column->assign(rows, 0.0);
  workspace.i.assign(rows, nobody);
  workspace.j.assign(rows, nobody);
}

/// Writes contact k to a row, with bodies at i and j.
void put_in_row(Problem const& problem, std::size_t k, std::size_t row, std::int32_t i, std::int32_t j,
                Workspace& workspace) {
  workspace.i[row] = i;
  workspace.j[row] = j;
  workspace.normal_x[row] = problem.normal_x[k];
  workspace.normal_y[row] = problem.normal_y[k];
  workspace.meeting[row] = problem.meeting[k];
  workspace.delassus[row] = delassus(problem, k);
  workspace.inverse[row] = inverse_or_zero(workspace.delassus[row]);
}

/// Assigns a row to each contact so that the contacts of a block share no body of finite mass. Contacts of one colour
/// are placed together. Each contact gets the first colour that neither of its bodies has. If a contact finds no free
/// colour among 64, it gets a block of its own. Returns the number of rows.
std::size_t colour(Problem const& problem, Workspace& workspace) {
  constexpr std::size_t colours = 64;
  std::size_t const contacts = problem.i.size();
  auto& marks = workspace.marks;
  auto& row_of_contact = workspace.row_of_contact;
  marks.assign(problem.inverse_mass.size(), 0);
  row_of_contact.resize(contacts);
  std::array<std::size_t, colours> count{};
  for (std::size_t k = 0; k < contacts; ++k) {
    std::size_t const i = index(problem.i[k]), j = index(problem.j[k]);
    auto const of_both = marks[i] | marks[j];
    auto const free = static_cast<std::size_t>(std::countr_one(of_both));
    row_of_contact[k] = number(free);
    if (free == colours) continue;
    ++count[free];
    if (problem.inverse_mass[i] > 0) marks[i] |= std::uint64_t{1} << free;
    if (problem.inverse_mass[j] > 0) marks[j] |= std::uint64_t{1} << free;
  }
  std::array<std::size_t, colours> next{};
  std::size_t rows = 0;
  for (std::size_t each = 0; each < colours; ++each) {
    next[each] = rows;
    rows += rounded_up(count[each]);
  }
  for (auto& row : row_of_contact) {
    auto const of = index(row);
    row = number(of == colours ? rows : next[of]++);
    if (of == colours) rows += block;
  }
  return rows;
}

/// Sets D of every contact to a/m_i + b/m_j. a and b are the weights of its bodies.
template <class Weights>
void split_by(Weights const& weights, Problem const& problem, Workspace& workspace) {
  for (std::size_t k = 0; k < problem.i.size(); ++k) {
    double D = 0;
    for (auto const b : {problem.i[k], problem.j[k]})
      D += static_cast<double>(weights[index(b)]) * problem.inverse_mass[index(b)];
    workspace.inverse[k] = inverse_or_zero(D);
  }
}

}  // namespace

Rows rows_of(Workspace& workspace) {
  return {workspace.i.size(),        workspace.i.data(),       workspace.j.data(),       workspace.normal_x.data(),
          workspace.normal_y.data(), workspace.meeting.data(), workspace.inverse.data(), workspace.delassus.data(),
          workspace.mass_i.data(),   workspace.mass_j.data(),  workspace.velocity.data()};
}

void lay_out_in_order(Problem const& problem, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size(), contacts = problem.i.size();
  workspace.bodies.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b)
    workspace.bodies[b] = {problem.velocity_x[b], problem.velocity_y[b], problem.inverse_mass[b]};
  workspace.contacts.resize(contacts);
  for (std::size_t k = 0; k < contacts; ++k)
    workspace.contacts[k] = {problem.i[k],        problem.j[k],       problem.normal_x[k],
                             problem.normal_y[k], problem.meeting[k], inverse_or_zero(delassus(problem, k))};
}

void lay_out_coloured(Problem const& problem, std::span<double const> impulses, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size(), contacts = problem.i.size();
  clear_rows(colour(problem, workspace), number(bodies), workspace);
  workspace.velocity.assign(2 * bodies + 2, 0.0);
  // Turns -0 into +0 for walls: the contacts of a block may add zeros of either sign to a wall.
  for (std::size_t b = 0; b < bodies; ++b) {
    workspace.velocity[2 * b] = problem.velocity_x[b] + 0.0;
    workspace.velocity[2 * b + 1] = problem.velocity_y[b] + 0.0;
  }
  for (std::size_t k = 0; k < contacts; ++k) {
    std::size_t const row = index(workspace.row_of_contact[k]);
    put_in_row(problem, k, row, problem.i[k], problem.j[k], workspace);
    workspace.mass_i[row] = problem.inverse_mass[index(problem.i[k])];
    workspace.mass_j[row] = problem.inverse_mass[index(problem.j[k])];
    workspace.impulse[row] = impulses[k];
    double* const a = &workspace.velocity[2 * index(problem.i[k])];
    double* const b = &workspace.velocity[2 * index(problem.j[k])];
    double const of_a = impulses[k] * workspace.mass_i[row], of_b = impulses[k] * workspace.mass_j[row];
    a[0] += of_a * problem.normal_x[k];
    a[1] += of_a * problem.normal_y[k];
    b[0] -= of_b * problem.normal_x[k];
    b[1] -= of_b * problem.normal_y[k];
  }
}

void lay_out_stars(Problem const& problem, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size(), contacts = problem.i.size();
  auto& count = workspace.count;
  count.assign(bodies, 0);
  for (std::size_t k = 0; k < contacts; ++k)
    for (auto const b : {problem.i[k], problem.j[k]})
      if (problem.inverse_mass[index(b)] > 0) ++count[index(b)];

  // The bodies are sorted only within windows. Neighbours then stay close in memory.
  constexpr std::size_t window = 512;
  auto& body_of_row = workspace.body_of_row;
  body_of_row.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) body_of_row[b] = number(b);
  for (std::size_t first = 0; first < bodies; first += window) {
    auto const from = body_of_row.begin() + static_cast<std::ptrdiff_t>(first);
    auto const to = body_of_row.begin() + static_cast<std::ptrdiff_t>(std::min(first + window, bodies));
    std::sort(from, to, [&count](std::int32_t a, std::int32_t b) {
      return count[index(a)] != count[index(b)] ? count[index(a)] < count[index(b)] : a < b;
    });
  }
  workspace.row_of_body.resize(bodies);
  for (std::size_t row = 0; row < bodies; ++row) workspace.row_of_body[index(body_of_row[row])] = number(row);

  std::size_t const blocks = rounded_up(bodies + 1) / block;  // one row more than bodies, because at least one row must
                                                              // be `nobody`
  workspace.slots.resize(blocks + 1);
  workspace.slots[0] = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    std::int32_t most = 0;
    for (std::size_t row = b * block; row < std::min(bodies, b * block + block); ++row)
      most = std::max(most, count[index(body_of_row[row])]);
    workspace.slots[b + 1] = workspace.slots[b] + index(most);
  }
  std::size_t const places = workspace.slots[blocks] * block;
  workspace.contact.assign(places, 0);
  workspace.push_x.assign(places, 0.0);
  workspace.push_y.assign(places, 0.0);

  clear_rows(rounded_up(contacts), number(bodies), workspace);
  workspace.next_impulse.assign(rounded_up(contacts), 0.0);
  workspace.history.assign(rounded_up(contacts), 0.0);
  std::fill(count.begin(), count.end(), 0);
  for (std::size_t k = 0; k < contacts; ++k) {
    for (bool const first : {true, false}) {
      std::size_t const b = index(first ? problem.i[k] : problem.j[k]);
      if (!(problem.inverse_mass[b] > 0)) continue;
      std::size_t const row = index(workspace.row_of_body[b]);
      std::size_t const at = (workspace.slots[row / block] + index(count[b]++)) * block + row % block;
      workspace.contact[at] = number(k);
      double const push = first ? problem.inverse_mass[b] : -problem.inverse_mass[b];
      workspace.push_x[at] = push * problem.normal_x[k];
      workspace.push_y[at] = push * problem.normal_y[k];
    }
    put_in_row(problem, k, k, workspace.row_of_body[index(problem.i[k])], workspace.row_of_body[index(problem.j[k])],
               workspace);
  }

  std::size_t const rows = blocks * block;
  workspace.free_x.assign(rows, 0.0);
  workspace.free_y.assign(rows, 0.0);
  for (std::size_t row = 0; row < bodies; ++row) {
    workspace.free_x[row] = problem.velocity_x[index(body_of_row[row])];
    workspace.free_y[row] = problem.velocity_y[index(body_of_row[row])];
  }
  workspace.velocity.assign(2 * rows, 0.0);
}

void find_eigenvalues(Problem const& problem, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size();
  auto& tensor = workspace.tensor;
  tensor.assign(3 * bodies, 0.0);
  for (std::size_t k = 0; k < problem.i.size(); ++k) {
    double const x = problem.normal_x[k], y = problem.normal_y[k];
    for (auto const b : {problem.i[k], problem.j[k]}) {
      double* const of = &tensor[3 * index(b)];
      of[0] += x * x;
      of[1] += x * y;
      of[2] += y * y;
    }
  }
  workspace.eigenvalue.assign(bodies, 0.0);
  for (std::size_t b = 0; b < bodies; ++b) {
    if (!(problem.inverse_mass[b] > 0)) continue;
    double const* const of = &tensor[3 * b];
    double const half = (of[0] - of[2]) / 2;
    workspace.eigenvalue[b] = (of[0] + of[2]) / 2 + std::sqrt(half * half + of[1] * of[1]);
  }
}

void split_masses(Problem const& problem, Workspace& workspace) { split_by(workspace.count, problem, workspace); }

void split_by_eigenvalues(Problem const& problem, Workspace& workspace) {
  split_by(workspace.eigenvalue, problem, workspace);
}

}  // namespace demeter::nonsmooth::fast
