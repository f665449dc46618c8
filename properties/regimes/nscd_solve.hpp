// Regimes of the contacts of a time step (a linear complementarity problem).
#pragma once

#include "kernels/law.hpp"
#include "properties/core/generators.hpp"
#include "properties/family/nonsmooth.hpp"
#include "reference/spec/nscd_solve.hpp"

namespace demeter::nscd_solve::properties {

using Case = Input<double>;
using Direction = Vector2<double>;

// The arguments of add_body and add_contact are records in braces, because expressions in braces are evaluated in
// order. The order of function arguments depends on the compiler.
struct Body {
  double mass;
  Direction velocity;
};
struct Touching {
  std::size_t i, j;
  Direction normal;
  double gap;
};
inline std::size_t add_body(Case& in, Body const& body) {
  in.masses.push_back(body.mass);
  in.velocities.push_back(body.velocity);
  return in.masses.size() - 1;
}
inline void add_contact(Case& in, Touching const& at) {
  in.contacts.push_back({static_cast<double>(at.i), static_cast<double>(at.j), at.normal, at.gap});
}
inline double draw_mass(Random& random) { return random.log_uniform(-0.7, 0.7); }
/// Returns a gap. In half of the cases it is 0, otherwise -0.2 to 1.2 times the distance that a body with 1 m/s moves
/// in one step.
inline double draw_gap(Random& random, Case const& in) {
  return random.chance(0.5) ? 0 : random.uniform(-0.2, 1.2) * in.dt;
}

/// Motion of the grains: random velocities, or all grains fall together.
enum class Motion { any, falling };

struct Heap {
  std::int64_t grains, columns;  ///< number of grains; number of grains per row
  Motion motion;
  std::size_t most;  ///< largest number of contacts
};
/// Draws grains of unit size on a hexagonal lattice with random displacements. They are on a floor and, in half of the
/// cases, beside a wall at the left. Grains that are near enough to each other are in contact.
inline Case draw_heap(Random& random, Heap const& heap) {
  auto const [grains, columns, motion, most] = heap;
  Case in;
  in.dt = random.log_uniform(-4, -2);
  std::vector<Direction> places;
  for (std::int64_t k = 0; k < grains; ++k) {
    double const row = static_cast<double>(k / columns), column = static_cast<double>(k % columns);
    Direction const shaken{random.uniform(-0.12, 0.12), random.uniform(-0.12, 0.12)};
    places.push_back(Direction(column + (k / columns % 2 == 0 ? 0.0 : 0.5), 0.866 * row) + shaken);
    Direction const own = square_point(random);
    add_body(in, {draw_mass(random), motion == Motion::any ? own : Direction(0.05 * own[0], -1 + 0.05 * own[1])});
  }
  bool const beside = random.chance(0.5);
  std::size_t const ground = add_body(in, {wall, {0, 0}});
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (static_cast<std::int64_t>(k) < columns && in.contacts.size() < most)
      add_contact(in, {k, ground, {0, 1}, draw_gap(random, in)});
    if (beside && static_cast<std::int64_t>(k) % columns == 0 && in.contacts.size() < most)
      add_contact(in, {k, ground, {1, 0}, draw_gap(random, in)});
    for (std::size_t l = 0; l < k; ++l) {
      Direction const between = places[k] - places[l];
      double const square = between.squaredNorm();
      if (square < 1.4 && in.contacts.size() < most)
        add_contact(in, {k, l, between / std::sqrt(square), draw_gap(random, in)});
    }
  }
  return in;
}

inline Case draw_typical(Random& random) {
  return draw_heap(random, {random.integer(2, 6), random.integer(1, 3), Motion::any, 12});
}
inline Case draw_falling(Random& random) {
  return draw_heap(random, {random.integer(3, 7), random.integer(2, 3), Motion::falling, 12});
}
/// Draws 13 to 64 contacts: heaps of 8 to 28 grains.
inline Case draw_many(Random& random) {
  std::int64_t const grains = random.chance(0.75) ? random.integer(8, 14) : random.integer(15, 28);
  return draw_heap(random, {grains, random.integer(3, 5), random.chance(0.5) ? Motion::any : Motion::falling, 64});
}

/// Draws one grain between two or three walls. The normals of the walls make acute angles.
inline Case draw_corner(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  Direction const velocity = square_point(random);
  add_body(in, {draw_mass(random), velocity});
  std::size_t const ground = add_body(in, {wall, {0, 0}});
  std::int64_t const count = random.integer(2, 3);
  Direction const middle = unit_direction_in_plane(random);
  for (std::int64_t k = 0; k < count; ++k) {
    Direction const off = middle + 0.7 * unit_direction_in_plane(random);
    add_contact(in, {0, ground, off / std::sqrt(off.squaredNorm()), random.chance(0.7) ? 0 : draw_gap(random, in)});
  }
  return in;
}
/// Draws grains that all touch one grain. Every grain moves in a random direction.
inline Case draw_collision(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  add_body(in, {draw_mass(random), square_point(random)});
  std::int64_t const count = random.integer(1, 5);
  for (std::int64_t k = 0; k < count; ++k) {
    std::size_t const other = add_body(in, {draw_mass(random), square_point(random)});
    Direction const normal = unit_direction_in_plane(random);
    if (random.chance(0.5))
      add_contact(in, {0, other, normal, draw_gap(random, in)});
    else
      add_contact(in, {other, 0, normal, draw_gap(random, in)});
  }
  return in;
}
/// Draws a row of grains. The first grain moves towards the others. In half of the cases, there is a wall at the end.
inline Case draw_row(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  Direction const along = unit_direction_in_plane(random);
  std::int64_t const count = random.integer(2, 10);
  for (std::int64_t k = 0; k < count; ++k) {
    Direction const velocity = (k == 0 ? 1 : 0.1 * random.uniform(-1, 1)) * along;
    std::size_t const body = add_body(in, {draw_mass(random), velocity});
    if (k > 0) add_contact(in, {body - 1, body, -along, random.chance(0.7) ? 0 : draw_gap(random, in)});
  }
  if (random.chance(0.5)) {
    std::size_t const last = in.masses.size() - 1, end = add_body(in, {wall, {0, 0}});
    add_contact(in, {last, end, -along, 0});
  }
  return in;
}
/// Draws heaps whose walls all move with one velocity.
inline Case draw_moving_walls(Random& random) {
  Case in = draw_heap(random, {random.integer(2, 5), random.integer(1, 2), Motion::any, 10});
  Direction const velocity = square_point(random);
  std::size_t const ground = in.masses.size() - 1, second = add_body(in, {wall, velocity});
  in.velocities[ground] = velocity;
  for (auto& contact : in.contacts)
    if (contact.j == static_cast<double>(ground) && random.chance(0.5)) {
      contact.j = contact.i;
      contact.i = static_cast<double>(second);
      contact.normal = -contact.normal;
    }
  return in;
}
/// Draws heaps in which the masses of some grains are multiplied by 1e3 to 1e6.
inline Case draw_heavy(Random& random) {
  Case in = draw_typical(random);
  double const heavier = random.log_uniform(3, 6);
  for (double& mass : in.masses)
    if (mass < wall && random.chance(0.3)) mass *= heavier;
  return in;
}

/// Returns the normal (cos a, sin a), where sin a is the small number `angle`.
inline Direction nearly_along_x(double angle) { return {std::sqrt(1 - angle * angle), angle}; }
/// Rotates the whole case by a random number of quarter turns.
inline void turn_all(Case& in, Random& random) {
  std::int64_t const quarters = random.integer(0, 3);
  auto const quarter = [&](Direction& v) {
    for (std::int64_t k = 0; k < quarters; ++k) v = Direction(-v[1], v[0]);
  };
  for (Direction& velocity : in.velocities) quarter(velocity);
  for (auto& contact : in.contacts) quarter(contact.normal);
}
/// Draws a grain between two bodies (walls or grains) on nearly opposite sides.
inline Case draw_wedge(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  add_body(in, {draw_mass(random), {random.uniform(-0.5, 0.5), -random.uniform(0.1, 1)}});
  double const angle = random.log_uniform(-4, -0.5);
  for (double const side : {1.0, -1.0}) {
    std::size_t const other = random.chance(0.6) ? add_body(in, {wall, {0, 0}})
                                                 : add_body(in, {draw_mass(random), 0.2 * square_point(random)});
    Direction normal = nearly_along_x(angle * random.uniform(0.5, 1));
    normal[0] *= side;
    add_contact(in, {0, other, normal, random.chance(0.7) ? 0 : draw_gap(random, in)});
  }
  turn_all(in, random);
  return in;
}
/// Draws two contacts with nearly equal normals. They belong to one grain, or to one pair of bodies. Each normal
/// differs from a common direction by an angle of 10^low to 0.01.
template <int low, int least_gap>
Case draw_nearly_parallel(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  add_body(in, {draw_mass(random), {-random.uniform(0.1, 1), random.uniform(-1, 1)}});
  bool const pair = random.chance(0.4);
  for (int k = 0; k < 2; ++k) {
    if (k == 0 || !pair) add_body(in, {random.chance(0.5) ? wall : draw_mass(random), Direction(0, 0)});
    add_contact(in, {0, in.masses.size() - 1, nearly_along_x(signed_log_uniform(random, low, -2)),
                     random.chance(0.5) ? 0 : random.log_uniform(least_gap, -1) * in.dt});
  }
  turn_all(in, random);
  return in;
}
/// Draws heaps and corners in which the approach in one step closes some gaps exactly, up to a few ulps.
inline Case draw_just_meeting(Random& random) {
  Case in = random.chance(0.5) ? draw_corner(random) : draw_typical(random);
  for (auto& contact : in.contacts) {
    auto const i = static_cast<std::size_t>(contact.i), j = static_cast<std::size_t>(contact.j);
    double const speed = (in.velocities[i] - in.velocities[j]).dot(contact.normal);
    if (speed < 0 && random.chance(0.7)) contact.gap = random.nudge(-speed * in.dt, 4);
  }
  return in;
}
/// Draws the cases of `draw_just_meeting` with other gaps: changed by a relative 1e-15 to 1e-3, or at most 1e-3 dt.
inline Case draw_nearly_meeting(Random& random) {
  Case in = draw_just_meeting(random);
  for (auto& contact : in.contacts) {
    double const off = off_a_threshold(random);
    contact.gap = random.chance(0.3) ? off * in.dt : contact.gap * (1 + off);
  }
  return in;
}
/// Returns a normal with the ratios of the sides of a Pythagorean triangle. Its length is 1 up to rounding. A normal
/// and the opposite normal are equally likely.
inline Direction lattice_normal(Random& random) {
  static constexpr double pairs[][2] = {{0, 1}, {0, 1}, {0.6, 0.8}, {5.0 / 13, 12.0 / 13}};
  auto const& of = pairs[random.integer(0, 3)];
  bool const swapped = random.chance(0.5);
  return {random.sign() * of[swapped ? 1 : 0], random.sign() * of[swapped ? 0 : 1]};
}
/// Draws problems with more contacts than degrees of freedom: repeated contacts, opposite walls, and several walls at
/// one grain.
inline Case draw_redundant(Random& random) {
  Case in;
  in.dt = static_cast<double>(random.integer(1, 1 << 12)) / (1 << 12);
  std::int64_t const grains = random.integer(1, 3), contacts = random.integer(2, 12);
  for (std::int64_t k = 0; k < grains; ++k) {
    double const x = static_cast<double>(random.integer(-2, 2)), y = static_cast<double>(random.integer(-3, 1));
    add_body(in, {static_cast<double>(random.integer(1, 3)), {x, y}});
  }
  std::size_t const ground = add_body(in, {wall, {0, 0}});
  for (std::int64_t k = 0; k < contacts; ++k) {
    if (!in.contacts.empty() && random.chance(0.3)) {
      auto again =
          in.contacts[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(in.contacts.size()) - 1))];
      if (random.chance(0.3) && again.j == static_cast<double>(ground)) again.normal = -again.normal;
      in.contacts.push_back(again);
      continue;
    }
    auto const i = static_cast<std::size_t>(random.integer(0, grains - 1));
    std::size_t const j = random.chance(0.5) && i > 0 ? i - 1 : ground;
    add_contact(in, {i, j, lattice_normal(random), in.dt * static_cast<double>(random.integer(0, 3))});
    if (random.chance(0.5)) in.contacts.back().gap = 0;
  }
  return in;
}
/// Draws grains on a square lattice, at rest or falling, with small whole numbers. Many numbers are zero or equal, and
/// some contacts touch without an impulse.
inline Case draw_lattice(Random& random) {
  Case in;
  in.dt = static_cast<double>(random.integer(1, 1 << 12)) / (1 << 12);
  std::int64_t const columns = random.integer(1, 3), rows = random.integer(1, 3);
  bool const any = random.chance(0.4);
  std::size_t const ground = add_body(in, {wall, {0, 0}});
  for (std::int64_t k = 0; k < columns * rows; ++k) {
    double const x = any ? static_cast<double>(random.integer(-1, 1)) : 0;
    double const y = any ? static_cast<double>(random.integer(-2, 1)) : -1;
    std::size_t const body = add_body(in, {static_cast<double>(random.integer(1, 2)), {x, y}});
    double const gap = random.chance(0.8) ? 0 : in.dt * static_cast<double>(random.integer(-1, 2));
    if (k < columns)
      add_contact(in, {body, ground, {0, 1}, gap});
    else
      add_contact(in, {body, body - static_cast<std::size_t>(columns), {0, 1}, gap});
    if (k % columns == 0)
      add_contact(in, {body, ground, {1, 0}, 0});
    else
      add_contact(in, {body - 1, body, {-1, 0}, 0});
  }
  return in;
}
/// Draws one to three grains without a contact or with only one contact.
inline Case draw_few(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  std::int64_t const grains = random.integer(1, 3);
  for (std::int64_t k = 0; k < grains; ++k) add_body(in, {draw_mass(random), square_point(random)});
  if (random.chance(0.3)) return in;
  std::size_t const other = random.chance(0.5) ? add_body(in, {wall, {0, 0}}) : add_body(in, {1, square_point(random)});
  add_contact(in, {0, other, unit_direction_in_plane(random), draw_gap(random, in)});
  return in;
}
inline Case draw_global_scale(Random& random) {
  Case const in = random.chance(0.5) ? draw_typical(random) : draw_corner(random);
  auto const power = [&] { return std::ldexp(1.0, static_cast<int>(random.integer(-50, 50))); };
  double const metre = power(), kilogram = power(), second = power();
  return scaled_by(in, metre, kilogram, second);
}
/// Draws masses that are multiplied by 1e-5 to 1e5. Each velocity, each gap and the time step has its own magnitude.
inline Case draw_mixed_scale(Random& random) {
  Case in = random.chance(0.5) ? draw_typical(random) : draw_collision(random);
  for (double& mass : in.masses)
    if (mass < wall) mass *= random.log_uniform(-5, 5);
  for (Direction& velocity : in.velocities) velocity *= random.log_uniform(-10, 10);
  for (auto& contact : in.contacts) contact.gap *= random.log_uniform(-10, 10);
  in.dt *= random.log_uniform(-20, 20);
  return in;
}

/// Draws heaps with every number of contacts up to 130. For more contacts, the truth would take too long. Additional
/// grains that fall on the floor complete this number. The last contact therefore has an impulse.
inline Case draw_lengths(Random& random) {
  // The time to compute a truth grows like the cube of the number of contacts. Therefore more than 64 contacts occur
  // only in every fourth round of 140 cases.
  std::int64_t const contacts = list_length(random, random.index() / 140 % 4 == 3 ? 130 : 64),
                     grains = contacts / 2 + 2;
  std::int64_t const columns = random.integer(3, 6);
  Motion const motion = random.chance(0.5) ? Motion::any : Motion::falling;
  Case in = draw_heap(random, {grains, columns, motion, static_cast<std::size_t>(contacts - 1)});
  auto const ground = static_cast<std::size_t>(grains);
  while (static_cast<std::int64_t>(in.contacts.size()) < contacts) {
    std::size_t const grain = add_body(in, {draw_mass(random), {0, -random.uniform(0.1, 1)}});
    add_contact(in, {grain, ground, {0, 1}, 0});
  }
  return in;
}
/// Draws 131 to 140 contacts, and in one case of eight up to 400. One large heap and many small heaps are side by side
/// on one floor: the time to compute a truth grows like the cube of the number of contacts of one heap.
inline Case draw_crowd(Random& random) {
  double const few = random.uniform(131, 141), many = random.log_uniform(2.1175, 2.602);
  auto const wanted = static_cast<std::size_t>(random.index() % 8 == 5 ? many : few);
  Motion const motion = random.chance(0.5) ? Motion::any : Motion::falling;
  Case in = draw_heap(random, {random.integer(8, 20), random.integer(3, 5), motion, 48});
  std::size_t const ground = in.masses.size() - 1;
  while (in.contacts.size() < wanted) {
    Case const heap =
        draw_heap(random, {random.integer(2, 6), random.integer(1, 3), motion, wanted - in.contacts.size()});
    std::size_t const first = in.masses.size(), its_ground = heap.masses.size() - 1;
    for (std::size_t a = 0; a < its_ground; ++a) add_body(in, {heap.masses[a], heap.velocities[a]});
    auto const place = [&](double body) {
      auto const at = static_cast<std::size_t>(body);
      return static_cast<double>(at == its_ground ? ground : first + at);
    };
    for (auto contact : heap.contacts) {
      contact.i = place(contact.i);
      contact.j = place(contact.j);
      contact.gap *= in.dt / heap.dt;
      in.contacts.push_back(contact);
    }
  }
  shuffle(in.contacts, random);
  return in;
}
/// Draws a grain with 1 to 40 grains around it. Most or all of these grains move towards the first grain.
inline Case draw_rings(Random& random) {
  Case in;
  in.dt = random.log_uniform(-4, -2);
  auto const count = static_cast<std::int64_t>(random.index() * 17 % 40 + 1);
  add_body(in, {10 * draw_mass(random), square_point(random)});
  for (std::int64_t k = 0; k < count; ++k) {
    Direction const normal = unit_direction_in_plane(random);
    double const other_mass = draw_mass(random), speed = random.uniform(-0.2, 1);
    Direction const own = square_point(random);
    std::size_t const other = add_body(in, {other_mass, speed * normal + 0.3 * own});
    add_contact(in, {0, other, normal, draw_gap(random, in)});
  }
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "heaps of two to six grains on a floor (half of them beside a wall), all kinds of velocities, up to "
       "12 contacts; sizes of 10 um to 10 m",
       of_everyday_size<draw_typical>},
      {"falling", Profile::everyday, "heaps of three to seven grains that fall together under gravity",
       of_everyday_size<draw_falling>},
      {"many", Profile::everyday, "heaps of 8 to 28 grains, up to 64 contacts", of_everyday_size<draw_many>},
      {"corner", Profile::everyday, "one grain and two or three walls whose normals make acute angles",
       of_everyday_size<draw_corner>},
      {"collision", Profile::everyday, "one grain and up to five grains that touch it",
       of_everyday_size<draw_collision>},
      {"row", Profile::everyday, "a row of up to ten grains; the first grain hits the others",
       of_everyday_size<draw_row>},
      {"moving_walls", Profile::everyday, "heaps with moving walls, as body i or j",
       of_everyday_size<draw_moving_walls>},
      {"heavy", Profile::everyday, "heaps with some grains that are 1e3 to 1e6 times as heavy",
       of_everyday_size<draw_heavy>},
      {"wedge", Profile::degenerate, "a grain between two grains that are opposite up to 1e-4 to 0.3 rad",
       of_everyday_size<draw_wedge>},
      {"nearly_parallel", Profile::degenerate, "two normals of a grain are equal up to 1e-5 to 0.01 rad",
       of_everyday_size<draw_nearly_parallel<-5, -9>>},
      {"just_meeting", Profile::degenerate, "gaps equal the approach per step up to some ulps",
       of_everyday_size<draw_just_meeting>},
      {"redundant", Profile::degenerate, "more contacts than degrees of freedom: duplicates, slots, fans of walls",
       of_everyday_size<draw_redundant, true>},
      {"lattice", Profile::degenerate, "square lattices of small integers: ties, and contacts that are just inactive",
       of_everyday_size<draw_lattice, true>},
      {"few", Profile::degenerate, "no contact or one contact", of_everyday_size<draw_few>},
      {"global_scale", Profile::extreme, "metre, kilogram and second times 2^-50 to 2^50", draw_global_scale},
      {"mixed_scale", Profile::extreme, "masses of 1e-5 to 1e5; speeds, gaps and time step have their own magnitudes",
       draw_mixed_scale},
      {"lengths", Profile::everyday, "heaps with 1 to 130 contacts, every number", of_everyday_size<draw_lengths>},
      {"rings", Profile::everyday, "a grain and 1 to 40 grains that touch it", of_everyday_size<draw_rings>},
      {"crowd", Profile::everyday, "131 to 400 contacts and 64 or more bodies, in heaps on one floor",
       of_everyday_size<draw_crowd>},
      {"nearly_meeting", Profile::extreme,
       "gaps equal the approach per step, or 0, up to 1e-15 to 1e-3: the reference in double ignores "
       "differences below half of its digits",
       of_everyday_size<draw_nearly_meeting>},
      {"parallel_to_ulps", Profile::extreme,
       "two normals of a grain are equal up to 1e-16 to 0.01 rad: plain code treats some as dependent",
       of_everyday_size<draw_nearly_parallel<-16, -15>>},
  };
  return list;
}

}  // namespace demeter::nscd_solve::properties
