#include "simulator/reference/layout.hpp"

#include "simulator/reference/exact_number.hpp"

#include <random>

namespace demeter::simulator {
namespace {

/// One of the first `most_rows` rows of a filling must have room for a disc.
constexpr std::uint64_t most_rows = 1'000'000;

Rational ratio(Number const& x) { return *exact_ratio(x); }

Number written(Rational const& x) {
  double const value = nearest(x);
  if (Rational(value) == x) return Number(value);
  return Number(x.str(), value);
}

Rational least(Rational const& x, Rational const& y) { return y < x ? y : x; }

/// Returns half the width of a row of discs at the height y.
Rational half_of(Fill<Number> const& fill, Rational const& y) {
  return Rational(least(ratio(fill.half_width), ratio(fill.opening) + ratio(fill.slope) * y) - ratio(fill.clearance));
}

/// Returns the index of the vertex at a place. Adds a vertex if there is none at this place.
std::uint64_t vertex_at(std::vector<Vector2<Number>>& vertices, Vector2<Number> const& place) {
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (same(vertices[k][0], place[0]) && same(vertices[k][1], place[1])) return k;
  vertices.push_back(place);
  return vertices.size() - 1;
}

void add_polyline(Layout<Number>& layout, Body<Number> const& body, std::uint64_t polyline) {
  auto const add = [&](Vector2<Number> const& from, Vector2<Number> const& to) {
    std::uint64_t const first = vertex_at(layout.vertices, from), second = vertex_at(layout.vertices, to);
    layout.segments.push_back({first, second, polyline});
  };
  for (std::size_t k = 0; k + 1 < body.points.size(); ++k) add(body.points[k], body.points[k + 1]);
  if (body.closed) add(body.points.back(), body.points.front());
  for (auto const& line : body.lines) add(line[0], line[1]);
}

/// Returns x + k shift: exact, or rounded to a double if one of the numbers contains pi.
Number shifted(Number const& x, Number const& shift, std::uint64_t k) {
  if (k == 0) return x;
  auto const from = exact_ratio(x), by = exact_ratio(shift);
  if (from && by) return written(Rational(*from + *by * Rational(k)));
  return Number(x.value + shift.value * static_cast<double>(k));
}

void add_discs(Laid& laid, Body<Number> const& body, std::string const& name, std::optional<Number> const& density) {
  Disc<Number> disc;
  disc.velocity = {body.velocity[0], body.velocity[1]};
  disc.spin = body.spin[2];
  disc.mass = body.mass.mass;
  disc.density = density;
  if (body.fill) {
    std::uint64_t k = 0;
    for (auto const& each : filled(*body.fill)) {
      disc.position = each.position;
      disc.radius = each.radius;
      laid.layout.discs.push_back(disc);
      laid.discs.push_back(name + std::to_string(++k));
    }
    return;
  }
  disc.radius = *body.radius;
  for (std::uint64_t k = 0; k < body.copies; ++k) {
    disc.position = {shifted(body.position[0], body.shift[0], k), shifted(body.position[1], body.shift[1], k)};
    laid.layout.discs.push_back(disc);
    laid.discs.push_back(body.copies > 1 ? name + std::to_string(k + 1) : name);
  }
}

}  // namespace

bool same(Number const& x, Number const& y) {
  if (x.value != y.value) return false;
  auto const a = exact_ratio(x), b = exact_ratio(y);
  return a && b ? *a == *b : x.text == y.text;
}

std::optional<Misfit> misfit(Fill<Number> const& fill) {
  std::optional<Misfit> wrong;
  auto const say = [&](std::string_view key, std::string expected) {
    if (!wrong) wrong = {std::string(key), std::move(expected)};
  };
  if (fill.count == 0) say("count", "at least 1");
  for_each_field<Fill<Number>>([&](auto const& each) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(fill.*(each.member))>, Number>) {
      if (!exact_ratio(fill.*(each.member))) say(each.name, "a decimal or a ratio");
    }
  });
  if (!(fill.radius_least.value > 0)) say("radius_least", "> 0");
  if (!(fill.radius_most.value >= fill.radius_least.value)) say("radius_most", "at least radius_least");
  if (!(fill.rows.value > 0)) say("rows", "> 0");
  if (!(fill.pitch.value > 0)) say("pitch", "> 0");
  if (!(fill.slope.value >= 0)) say("slope", ">= 0");
  if (!(fill.jitter.value >= 0)) say("jitter", ">= 0");
  if (wrong) return wrong;
  // The width of the rows never decreases with the height. It is therefore enough to check the last of these rows.
  Rational const last = ratio(fill.first) + ratio(fill.rows) * Rational(most_rows);
  if (!(half_of(fill, last) > 0)) say("half_width", "room for a disc in one of the first 1000000 rows");
  return wrong;
}

std::vector<Filled> filled(Fill<Number> const& fill) {
  std::vector<Filled> discs;
  std::mt19937_64 twister(fill.seed);
  auto const uniform = [&] { return Rational(std::ldexp(static_cast<double>(twister() >> 11U), -53)); };
  Rational const pitch = ratio(fill.pitch), jitter = ratio(fill.jitter), least_radius = ratio(fill.radius_least),
                 range = ratio(fill.radius_most) - least_radius, half_of_one(1, 2);
  for (std::uint64_t row = 0; discs.size() < fill.count; ++row) {
    Rational const y = ratio(fill.first) + ratio(fill.rows) * Rational(row), half = half_of(fill, y);
    if (!(half > 0)) continue;
    Rational const width = half * 2;
    Rational const pitches = width / pitch;
    boost::multiprecision::mpz_int const whole = numerator(pitches) / denominator(pitches);
    Rational const last(whole);
    Rational const shift = row % 2 == 0 ? Rational(-pitch / 4) : Rational(pitch / 4),
                   start = (width - pitch * last) / 2 - half + shift;
    for (std::uint64_t k = 0; Rational(k) <= last && discs.size() < fill.count; ++k) {
      Rational const x = start + pitch * Rational(k) + jitter * (uniform() - half_of_one),
                     above = y + jitter * (uniform() - half_of_one), radius = least_radius + range * uniform();
      discs.push_back({{written(x), written(above)}, written(radius)});
    }
  }
  return discs;
}

Laid lay_out(Scene<Number> const& scene) {
  Laid laid;
  for (std::size_t k = 0; k < scene.body.size(); ++k) {
    auto const& body = scene.body[k];
    std::string const name = body.name.empty() ? "body" + std::to_string(k + 1) : body.name;
    if (body.shape == Form::polyline) {
      add_polyline(laid.layout, body, laid.polylines.size());
      laid.polylines.push_back(name);
      continue;
    }
    std::optional<Number> density;
    for (auto const& material : scene.material)
      if (material.name == body.material || scene.material.size() == 1) density = material.density;
    add_discs(laid, body, name, density);
  }
  for (auto const& event : scene.event) {
    Change<Number> change{event.at, std::nullopt, event.tolerance};
    for (std::size_t k = 0; k < laid.polylines.size(); ++k)
      if (laid.polylines[k] == event.remove) change.polyline = k;
    laid.layout.changes.push_back(change);
  }
  return laid;
}

}  // namespace demeter::simulator
