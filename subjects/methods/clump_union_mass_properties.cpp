// Approximate methods of DEM codes for a union of balls: sampling on a grid (Woo, YADE) and at random points
// (LIGGGHTS). Demeter measures their error and cost. The grids use Demeter's own fast form, which works by rows of
// cells instead of single cells.
#include "reference/spec/clump_union_mass_properties.hpp"
#include "fast/clump_grid_mass_properties.hpp"
#include "kernels/subject.hpp"
#include "reference/family/clump/monte_carlo.hpp"

#include <fmt/format.h>

#include <cmath>

namespace demeter::clump_union_mass_properties {
namespace {

namespace sampling = clump_grid_mass_properties;
using Sampled = sampling::Output<double>;
std::vector<sampling::Ball<double>> balls_of(Input<double> const& in) {
  std::vector<sampling::Ball<double>> balls;
  for (auto const& ball : in.balls) balls.push_back({ball.centre, ball.radius});
  return balls;
}

/// Copies an output without surface and principal axes. Sampling of the volume gives no surface, and the principal axes
/// follow from the inertia.
void take(Sampled const& from, Output<double>& to) {
  to.volume = from.volume;
  to.mass = from.mass;
  to.centroid = from.centroid;
  to.inertia = from.inertia;
}

/// Makes the subject of a method. `cases` limits the cases per regime, because the finest grids take a second per case.
Subject method(std::string name, std::string doc, std::uint64_t cases, Answering answering) {
  Subject subject;
  subject.name = std::move(name);
  subject.doc = std::move(doc);
  subject.answers.push_back(std::move(answering));
  subject.origin = Origin::method;
  subject.cases = cases;
  return subject;
}

Subject grid(std::string name, std::string what, sampling::Method way, double cells) {
  std::string const doc = fmt::format("{}, {} cells in the smallest radius", what, cells);
  return method(std::move(name), doc, cells < 50 ? 16 : 3,
                answer_with<Contract>(doc + "; a grid of at most 2^30 cells",
                                      [way, cells](Input<double> const& in, Output<double>& out) -> char const* {
                                        sampling::Input<double> const grid{in.density, cells, way, balls_of(in)};
                                        Sampled const sampled = sampling::fast::evaluate(grid);
                                        if (std::isnan(sampled.volume))
                                          return "the grid would have more than 2^30 cells";
                                        take(sampled, out);
                                        return nullptr;
                                      }));
}

Subject random_points(std::string name, std::uint64_t points) {
  std::string const doc = fmt::format("Monte Carlo: {} uniform points in the box of the balls", points);
  return method(std::move(name), doc, 8,
                answer_with<Contract>(doc, [points](Input<double> const& in, Output<double>& out) -> char const* {
                  take(sampling::reference::monte_carlo<double>(in.density, balls_of(in), points, 1), out);
                  return nullptr;
                }));
}

}  // namespace

std::vector<Subject> methods() {
  using enum sampling::Method;
  return {
      grid("grid_centres@5", "cells by their centres", centres, 5),
      grid("grid_woo@5", "cells by their centres with the cells' own moments (Woo)", centres_with_self_inertia, 5),
      grid("grid_centres@20", "cells by their centres", centres, 20),
      grid("grid_centres@80", "cells by their centres", centres, 80),
      grid("grid_columns@20", "exact columns", columns, 20),
      grid("grid_columns@80", "exact columns", columns, 80),
      random_points("monte_carlo@1e6", 1'000'000),
  };
}

}  // namespace demeter::clump_union_mass_properties
