#include "simulator/fast/hourglass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter::simulator::fast {
namespace {

std::size_t index(std::int32_t k) { return static_cast<std::size_t>(k); }
std::int32_t number(std::size_t k) { return static_cast<std::int32_t>(k); }

constexpr Partner walls[] = {Partner::segment, Partner::vertex};

/// Returns a number for each contact. These numbers increase in the order of `State::contacts`.
std::uint64_t order_of(Contact const& contact) {
  auto const disc = static_cast<std::uint64_t>(contact.disc), other = static_cast<std::uint64_t>(contact.other);
  auto const place = contact.partner == Partner::disc ? other << 31 | disc : disc << 31 | other;
  return static_cast<std::uint64_t>(contact.partner) << 62 | place;
}

/// A grid of square cells that covers the centres of all discs.
struct Grid {
  double left = 0, bottom = 0, over_size = 0;
  std::size_t columns = 1, rows = 1;

  std::size_t column(double x) const { return place(x - left, columns); }
  std::size_t row(double y) const { return place(y - bottom, rows); }

 private:
  std::size_t place(double along, std::size_t count) const {
    return count == 1 ? 0 : std::min(count - 1, static_cast<std::size_t>(along * over_size));
  }
};

Grid grid_over(State const& state, double alert) {
  auto const [left, right] = std::minmax_element(state.x.begin(), state.x.end());
  auto const [bottom, top] = std::minmax_element(state.y.begin(), state.y.end());
  double const largest = *std::max_element(state.radius.begin(), state.radius.end());
  // Rounding in the cell index must not matter: discs that are two cells apart are never in contact.
  double size = (2 * largest + alert) * (1 + 0x1p-20);
  // Discs that are far away must not create many empty cells.
  double const most = 4 * static_cast<double>(state.x.size()) + 64;
  for (; std::isfinite(size); size *= 2) {
    double const across = (*right - *left) / size + 1, up = (*top - *bottom) / size + 1;
    if (across * up <= most)
      return {*left, *bottom, 1 / size, static_cast<std::size_t>(across), static_cast<std::size_t>(up)};
  }
  return {};
}

/// Sorts the discs by cell, and within a cell by index.
void sort_into(Grid const& grid, State const& state, Workspace& workspace) {
  std::size_t const discs = state.x.size();
  workspace.cell.resize(discs);
  workspace.begin.assign(grid.columns * grid.rows + 1, 0);
  for (std::size_t d = 0; d < discs; ++d) {
    std::size_t const cell = grid.row(state.y[d]) * grid.columns + grid.column(state.x[d]);
    workspace.cell[d] = number(cell);
    ++workspace.begin[cell + 1];
  }
  for (std::size_t cell = 0; cell + 1 < workspace.begin.size(); ++cell)
    workspace.begin[cell + 1] += workspace.begin[cell];
  workspace.disc.resize(discs);
  workspace.x.resize(discs);
  workspace.y.resize(discs);
  workspace.radius.resize(discs);
  for (std::size_t d = discs; d-- > 0;) {
    // Before the loop, the discs of cell c end at begin[c + 1]. After the loop, they begin at begin[c + 1].
    std::size_t const at = index(--workspace.begin[index(workspace.cell[d]) + 1]);
    workspace.disc[at] = number(d);
    workspace.x[at] = state.x[d];
    workspace.y[at] = state.y[d];
    workspace.radius[at] = state.radius[d];
  }
}

/// Appends a contact if its gap is smaller than the alert distance. (x, y) is the vector from the partner to the disc.
void append(Partner partner, std::size_t disc, std::size_t other, double x, double y, double distance, double radii,
            double alert, std::vector<Contact>& contacts, std::size_t& without_normal) {
  double const gap = distance - radii;
  if (!(gap < alert)) return;
  if (distance > 0) {
    contacts.push_back({partner, number(disc), number(other), gap, x / distance, y / distance, 0});
  } else {
    ++without_normal;
  }
}

std::size_t detect_discs(State const& state, double alert, std::vector<Contact>& contacts, Workspace& workspace) {
  Grid const grid = grid_over(state, alert);
  sort_into(grid, state, workspace);
  std::size_t without_normal = 0;
  for (std::size_t d = 0; d < state.x.size(); ++d) {
    std::size_t const first = contacts.size();
    std::size_t const column = grid.column(state.x[d]), row = grid.row(state.y[d]);
    std::size_t const from = column > 0 ? column - 1 : 0, to = std::min(column + 2, grid.columns);
    for (std::size_t r = row > 0 ? row - 1 : 0; r < std::min(row + 2, grid.rows); ++r) {
      // Cells of a row follow each other. Cell c begins at begin[c + 1].
      std::size_t const start = index(workspace.begin[r * grid.columns + from + 1]);
      std::size_t const next = r * grid.columns + to + 1;
      std::size_t const end = next < workspace.begin.size() ? index(workspace.begin[next]) : state.x.size();
      for (std::size_t at = start; at < end; ++at) {
        if (workspace.disc[at] <= number(d)) continue;
        double const x = workspace.x[at] - state.x[d], y = workspace.y[at] - state.y[d];
        double const radii = workspace.radius[at] + state.radius[d];
        double const squared = x * x + y * y, reach = (radii + alert) * (1 + 0x1p-20);
        if (squared > reach * reach) continue;
        append(Partner::disc, index(workspace.disc[at]), d, x, y, std::sqrt(squared), radii, alert, contacts,
               without_normal);
      }
    }
    std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
              [](Contact const& a, Contact const& b) { return a.disc < b.disc; });
  }
  return without_normal;
}

/// A segment that is not removed, with precomputed values for the distance to a disc.
struct Line {
  std::size_t segment;
  double from_x, from_y, x, y, squared;
};

std::size_t detect_walls(State const& state, Boundary const& boundary, double alert, bool joint,
                         std::vector<Contact>& contacts) {
  std::vector<Line> lines;
  std::vector<std::vector<std::size_t>> lines_at(boundary.vertices.size());
  for (std::size_t s = 0; s < boundary.segments.size(); ++s) {
    auto const& segment = boundary.segments[s];
    if (!segment.there) continue;
    auto const& from = boundary.vertices[index(segment.from)];
    auto const& to = boundary.vertices[index(segment.to)];
    double const x = to[0] - from[0], y = to[1] - from[1];
    lines_at[index(segment.from)].push_back(lines.size());
    lines_at[index(segment.to)].push_back(lines.size());
    lines.push_back({s, from[0], from[1], x, y, x * x + y * y});
  }
  std::size_t without_normal = 0;
  auto const along = [&state](std::size_t d, Line const& line) {
    return (state.x[d] - line.from_x) * line.x + (state.y[d] - line.from_y) * line.y;
  };
  auto const inside = [](Line const& line, double dot) { return 0 <= dot && dot <= line.squared; };
  for (std::size_t d = 0; d < state.x.size(); ++d) {
    for (auto const& line : lines) {
      double const dot = along(d, line);
      if (!inside(line, dot)) continue;
      double const part = dot / line.squared;
      double const x = (state.x[d] - line.from_x) - part * line.x, y = (state.y[d] - line.from_y) - part * line.y;
      append(Partner::segment, d, line.segment, x, y, std::sqrt(x * x + y * y), state.radius[d], alert, contacts,
             without_normal);
    }
  }
  for (std::size_t d = 0; d < state.x.size(); ++d) {
    for (std::size_t v = 0; v < boundary.vertices.size(); ++v) {
      if (lines_at[v].empty()) continue;
      double const x = state.x[d] - boundary.vertices[v][0], y = state.y[d] - boundary.vertices[v][1];
      double const distance = std::sqrt(x * x + y * y);
      if (!(distance - state.radius[d] < alert)) continue;
      if (joint && std::any_of(lines_at[v].begin(), lines_at[v].end(),
                               [&](std::size_t line) { return inside(lines[line], along(d, lines[line])); }))
        continue;
      append(Partner::vertex, d, v, x, y, distance, state.radius[d], alert, contacts, without_normal);
    }
  }
  return without_normal;
}

bool all_finite(State const& state) {
  double lost = 0;
  for (auto const* column : {&state.x, &state.y, &state.velocity_x, &state.velocity_y})
    for (double const value : *column) lost += value * 0;
  return lost == 0;
}

}  // namespace

std::size_t detect(State const& state, Boundary const& boundary, double alert, bool joint,
                   std::vector<Contact>& contacts, Workspace& workspace) {
  contacts.clear();
  if (state.x.empty()) return 0;
  std::size_t const of_discs = detect_discs(state, alert, contacts, workspace);
  return of_discs + detect_walls(state, boundary, alert, joint, contacts);
}

std::size_t remember(std::vector<Contact> const& before, std::vector<Contact>& contacts) {
  // A wall contact that moves to the next segment or to a vertex is not a new contact with the walls.
  auto const had_wall = [&before](std::int32_t disc) {
    return std::any_of(std::begin(walls), std::end(walls), [&before, disc](Partner partner) {
      Contact const first{partner, disc, 0};
      auto const found = std::lower_bound(before.begin(), before.end(), order_of(first),
                                          [](Contact const& a, std::uint64_t place) { return order_of(a) < place; });
      return found != before.end() && found->partner == partner && found->disc == disc;
    });
  };
  std::size_t unforeseen = 0;
  auto old = before.begin();
  for (auto& contact : contacts) {
    auto const place = order_of(contact);
    while (old != before.end() && order_of(*old) < place) ++old;
    if (old != before.end() && order_of(*old) == place) {
      contact.impulse = old->impulse;
    } else if (contact.gap < 0 && (contact.partner == Partner::disc || !had_wall(contact.disc))) {
      ++unforeseen;
    }
  }
  return unforeseen;
}

StepReport advance(State& state, Boundary const& boundary, Settings const& settings, Workspace& workspace) {
  StepReport report;
  report.finite = all_finite(state);
  if (!report.finite) return report;
  std::size_t const discs = state.x.size(), wall = discs;
  auto& contacts = workspace.found;
  report.without_normal = detect(state, boundary, settings.alert, settings.joint, contacts, workspace);
  report.contacts = contacts.size();
  std::size_t const unforeseen = remember(state.contacts, contacts);
  if (state.step > 0) report.unforeseen = unforeseen;

  // All walls together are one body of infinite mass at rest.
  workspace.inverse_mass.assign(state.inverse_mass.begin(), state.inverse_mass.end());
  workspace.inverse_mass.push_back(0);
  workspace.velocity_x.resize(discs + 1);
  workspace.velocity_y.resize(discs + 1);
  for (std::size_t d = 0; d < discs; ++d) {
    double const falls = state.inverse_mass[d] > 0 ? settings.dt : 0;
    workspace.velocity_x[d] = state.velocity_x[d] + falls * settings.gravity[0];
    workspace.velocity_y[d] = state.velocity_y[d] + falls * settings.gravity[1];
  }
  workspace.velocity_x[wall] = workspace.velocity_y[wall] = 0;
  for (auto* column : {&workspace.normal_x, &workspace.normal_y, &workspace.meeting, &workspace.impulse})
    column->resize(contacts.size());
  workspace.i.resize(contacts.size());
  workspace.j.resize(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    auto const& contact = contacts[k];
    workspace.i[k] = contact.disc;
    workspace.j[k] = contact.partner == Partner::disc ? contact.other : number(wall);
    workspace.normal_x[k] = contact.normal_x;
    workspace.normal_y[k] = contact.normal_y;
    workspace.meeting[k] = std::max(0.0, contact.gap) / settings.dt;
    workspace.impulse[k] = settings.warm ? contact.impulse : 0;
    report.greatest_overlap = std::max(report.greatest_overlap, -contact.gap);
  }

  nonsmooth::fast::Problem const problem{
      workspace.inverse_mass, workspace.velocity_x, workspace.velocity_y, workspace.i, workspace.j,
      workspace.normal_x,     workspace.normal_y,   workspace.meeting};
  nonsmooth::fast::Limits const limits{
      settings.tolerance, settings.sweeps == 0 ? std::numeric_limits<std::int64_t>::max() : settings.sweeps};
  auto const outcome = nonsmooth::fast::solve(settings.method, problem, limits, workspace.impulse, workspace.velocity_x,
                                              workspace.velocity_y, workspace.solver);
  report.sweeps = outcome.sweeps;
  report.residual = outcome.residual;
  report.capped = outcome.capped;

  for (std::size_t k = 0; k < contacts.size(); ++k) {
    auto& contact = contacts[k];
    contact.impulse = workspace.impulse[k];
    if (contact.partner == Partner::disc) continue;
    report.wall_impulse[0] -= contact.impulse * contact.normal_x;
    report.wall_impulse[1] -= contact.impulse * contact.normal_y;
  }
  std::swap(state.contacts, contacts);
  double fastest = 0;
  for (std::size_t d = 0; d < discs; ++d) {
    double const x = workspace.velocity_x[d], y = workspace.velocity_y[d];
    state.velocity_x[d] = x;
    state.velocity_y[d] = y;
    state.x[d] += settings.dt * x;
    state.y[d] += settings.dt * y;
    double const squared = x * x + y * y;
    fastest = std::max(fastest, squared);
    if (state.inverse_mass[d] > 0) report.kinetic_energy += squared / state.inverse_mass[d] / 2;
  }
  report.greatest_speed = std::sqrt(fastest);
  ++state.step;
  return report;
}

}  // namespace demeter::simulator::fast
