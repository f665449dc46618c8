// Laws of the solution of all contacts of a time step (a linear complementarity problem).
#pragma once

#include "properties/core/allowance.hpp"
#include "properties/core/invariance.hpp"
#include "properties/regimes/nscd_solve.hpp"

#include <Eigen/Eigenvalues>

namespace demeter::nscd_solve::properties {

using Answer = Output<double>;
using Wide = Vector2<long double>;

/// Appends simpler cases. First: cases without a run of contacts (half of all contacts, a quarter, and so on down to
/// single contacts). Then: the case without the bodies that have no contact. Last: cases without one body and its
/// contacts. When a body is removed, the indices of later bodies decrease.
inline void simpler(Case const& in, std::vector<Case>& all) {
  std::size_t const n = in.contacts.size();
  for (std::size_t run = std::max<std::size_t>(n / 2, 1); n > 0 && run > 0; run /= 2)
    for (std::size_t first = 0; first + run <= n && all.size() < 96; first += run) {
      Case fewer = in;
      fewer.contacts.erase(fewer.contacts.begin() + static_cast<std::ptrdiff_t>(first),
                           fewer.contacts.begin() + static_cast<std::ptrdiff_t>(first + run));
      all.push_back(std::move(fewer));
    }
  auto const without = [&](auto const& goes) {
    Case fewer;
    fewer.dt = in.dt;
    std::vector<double> place(in.masses.size(), -1);
    for (std::size_t a = 0; a < in.masses.size(); ++a)
      if (!goes(a)) place[a] = static_cast<double>(add_body(fewer, {in.masses[a], in.velocities[a]}));
    for (auto contact : in.contacts) {
      contact.i = place[static_cast<std::size_t>(contact.i)];
      contact.j = place[static_cast<std::size_t>(contact.j)];
      if (contact.i >= 0 && contact.j >= 0) fewer.contacts.push_back(contact);
    }
    if (!fewer.masses.empty() && fewer.masses.size() < in.masses.size()) all.push_back(std::move(fewer));
  };
  auto const touched = [&](std::size_t a) {
    return std::any_of(in.contacts.begin(), in.contacts.end(), [&](auto const& contact) {
      return contact.i == static_cast<double>(a) || contact.j == static_cast<double>(a);
    });
  };
  without([&](std::size_t a) { return !touched(a); });
  for (std::size_t out = 0; out < in.masses.size() && all.size() < 128; ++out)
    without([&](std::size_t a) { return a == out; });
}

// ------------------------------------------------------------------------------------------------------------ laws

using Inputs = std::span<Case const>;
using Outputs = std::span<Answer const>;

inline Unusable unusable(Inputs in, Outputs out) {
  return unusable_unless(in, out, [](Case const&) { return false; });
}
inline std::size_t body_i(Case const& in, std::size_t k) { return static_cast<std::size_t>(in.contacts[k].i); }
inline std::size_t body_j(Case const& in, std::size_t k) { return static_cast<std::size_t>(in.contacts[k].j); }
inline long double inverse_mass(Case const& in, std::size_t body) {
  return is_infinite(in.masses[body]) ? 0 : 1 / static_cast<long double>(in.masses[body]);
}
/// Returns W_kk = 1/m_i + 1/m_j of contact k.
inline long double own_share(Case const& in, std::size_t k) {
  return inverse_mass(in, body_i(in, k)) + inverse_mass(in, body_j(in, k));
}
inline long double separation(Case const& in, std::vector<Direction> const& velocities, std::size_t k) {
  Wide const relative = wide(velocities[body_i(in, k)]) - wide(velocities[body_j(in, k)]);
  return relative[0] * in.contacts[k].normal[0] + relative[1] * in.contacts[k].normal[1] + meeting_speed(in, k);
}
inline long double largest_speed(std::vector<Direction> const& velocities) {
  long double largest = 0;
  for (auto const& v : velocities) largest = std::max<long double>({largest, std::fabs(v[0]), std::fabs(v[1])});
  return largest;
}

/// Allowed errors of the velocities and of the natural residual. A contact is tight if it is about to close at the
/// answered velocities. `kappa` is the condition of the tight contacts. `allowed` uses only the case and the answer. It
/// returns nothing if the condition may be above 1e6.
struct Allowed {
  long double velocity, residual, kappa;
};
inline std::optional<Allowed> allowed(Case const& in, Answer const& out, Tolerance const& held) {
  long double S = std::max(largest_speed(in.velocities), largest_speed(out.velocities));
  std::vector<std::size_t> tight;
  long double meeting = 0;
  for (std::size_t k = 0; k < in.contacts.size(); ++k) {
    if (!(separation(in, out.velocities, k) <= 0x1p-20L * S)) continue;
    tight.push_back(k);
    meeting = std::max(meeting, meeting_speed(in, k));
  }
  S = std::max(S, meeting);
  long double least = std::numeric_limits<long double>::infinity(), kappa = 1;
  for (std::size_t const k : tight)
    for (std::size_t const body : {body_i(in, k), body_j(in, k)})
      least = std::min(least, static_cast<long double>(in.masses[body]));
  auto const n = static_cast<Index>(tight.size());
  Eigen::MatrixXd W(n, n);
  for (Index k = 0; k < n; ++k)
    for (Index l = 0; l < n; ++l) {
      std::size_t const a = tight[static_cast<std::size_t>(k)], b = tight[static_cast<std::size_t>(l)];
      long double shared = 0;
      if (body_i(in, a) == body_i(in, b)) shared += inverse_mass(in, body_i(in, a));
      if (body_j(in, a) == body_j(in, b)) shared += inverse_mass(in, body_j(in, a));
      if (body_i(in, a) == body_j(in, b)) shared -= inverse_mass(in, body_i(in, a));
      if (body_j(in, a) == body_i(in, b)) shared -= inverse_mass(in, body_j(in, a));
      W(k, l) = static_cast<double>(least * shared) * in.contacts[a].normal.dot(in.contacts[b].normal);
    }
  if (n > 0) {
    Eigen::VectorXd const values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(W, Eigen::EigenvaluesOnly).eigenvalues();
    // Eigenvalues up to `none` are zeros of dependent contacts plus rounding errors. For eigenvalues between `none` and
    // `few`, this is not clear: the case is not judged.
    double const none = 1e-14 * static_cast<double>(n), few = 1e-12;
    for (double const value : values) {
      if (value > none && value < few) return std::nullopt;
      if (value >= few) kappa = std::max<long double>(kappa, 1 / std::sqrt(static_cast<long double>(value)));
    }
  }
  // The rounding of the impulses is relative to the change of velocity that they cause. The contact with the largest
  // change counts.
  std::vector<long double> pushed(in.masses.size(), 0);
  long double most = S * kappa;
  for (std::size_t k = 0; k < out.impulses.size(); ++k)
    for (std::size_t const body : {body_i(in, k), body_j(in, k)})
      pushed[body] += std::fabs(out.impulses[k]) * inverse_mass(in, body);
  for (std::size_t k = 0; k < out.impulses.size(); ++k)
    most = std::max(most, pushed[body_i(in, k)] + pushed[body_j(in, k)]);
  return Allowed{allowance<Contract>(held, "velocities", S * kappa), allowance<Contract>(held, "impulses", most),
                 kappa};
}
/// Returns the allowed difference between the velocities of two answers.
inline std::optional<long double> both(Inputs in, Outputs out, Tolerance const& held) {
  auto const a = allowed(in[0], out[0], held), b = allowed(in[1], out[1], held);
  if (!a || !b) return std::nullopt;
  return a->velocity + b->velocity;
}

/// Returns the largest difference between the expected velocities and the first velocities of `got`, divided by the
/// tolerance `may`. `got` may contain more bodies.
inline double worst_of(std::vector<Direction> const& got, std::vector<Direction> const& expected, long double may) {
  double worst = 0;
  for (std::size_t a = 0; a < expected.size(); ++a)
    for (Index c = 0; c < 2; ++c)
      worst = std::max(worst, in_tolerances(std::fabs(static_cast<long double>(got[a][c]) - expected[a][c]), may));
  return worst;
}

inline std::optional<double> does_not_meet(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may) return std::nullopt;
  // The tolerance is four times the tolerance of a velocity component: there are two bodies with two components each.
  double worst = 0;
  for (std::size_t k = 0; k < in[0].contacts.size(); ++k)
    worst = std::max(worst, in_tolerances(-separation(in[0], out[0].velocities, k), 4 * may->velocity));
  return worst;
}

inline std::optional<double> does_not_attract(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may) return std::nullopt;
  double worst = 0;
  for (std::size_t k = 0; k < in[0].contacts.size(); ++k)
    worst = std::max(worst, in_tolerances(-out[0].impulses[k] * own_share(in[0], k), may->residual));
  return worst;
}

inline std::optional<double> is_complementary(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may) return std::nullopt;
  double worst = 0;
  for (std::size_t k = 0; k < in[0].contacts.size(); ++k) {
    long double const own = own_share(in[0], k) * out[0].impulses[k], w = separation(in[0], out[0].velocities, k);
    worst = std::max(worst, in_tolerances(std::min(own, w), 4 * may->velocity + may->residual));
  }
  return worst;
}

/// Checks that the velocities change only by the impulses along the normals.
inline std::optional<double> is_pushed_along_normals(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may) return std::nullopt;
  std::vector<Wide> pushed, size;
  for (auto const& v : in[0].velocities) {
    pushed.push_back(wide(v));
    size.push_back(Wide::Zero());
  }
  for (std::size_t k = 0; k < in[0].contacts.size(); ++k)
    for (int side = 0; side < 2; ++side) {
      std::size_t const body = side == 0 ? body_i(in[0], k) : body_j(in[0], k);
      Wide const change = out[0].impulses[k] * inverse_mass(in[0], body) * wide(in[0].contacts[k].normal);
      pushed[body] += side == 0 ? change : Wide(-change);
      size[body] += change.cwiseAbs();
    }
  // A residual of the impulses changes the velocities by at most the residual times the condition.
  double worst = 0;
  for (std::size_t a = 0; a < pushed.size(); ++a)
    for (Index c = 0; c < 2; ++c) {
      // The rounding of each impulse also moves its bodies.
      long double const rounded = roundings(2) * size[a][c];
      long double const tolerance = may->velocity + 4 * may->kappa * may->residual + rounded;
      worst = std::max(worst, in_tolerances(std::fabs(pushed[a][c] - out[0].velocities[a][c]), tolerance));
    }
  return worst;
}

/// Checks that bodies of infinite mass and bodies without a contact keep their velocities.
inline std::optional<double> leaves_what_is_not_touched(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may) return std::nullopt;
  std::vector<bool> moves(in[0].masses.size(), false);
  for (std::size_t k = 0; k < in[0].contacts.size(); ++k)
    for (std::size_t const body : {body_i(in[0], k), body_j(in[0], k)}) moves[body] = !is_infinite(in[0].masses[body]);
  double worst = 0;
  for (std::size_t a = 0; a < moves.size(); ++a)
    for (Index c = 0; c < 2 && !moves[a]; ++c) {
      long double const was = in[0].velocities[a][c];
      worst = std::max(worst,
                       in_tolerances_if_different(held, out[0].velocities[a][c] - was, std::fabs(was), may->velocity));
    }
  return worst;
}

inline std::optional<double> keeps_momentum(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may || in[0].contacts.empty()) return std::nullopt;
  for (std::size_t k = 0; k < in[0].contacts.size(); ++k)
    for (std::size_t const body : {body_i(in[0], k), body_j(in[0], k)})
      if (is_infinite(in[0].masses[body])) return std::nullopt;
  Wide change = Wide::Zero();
  long double mass = 0;
  for (std::size_t a = 0; a < in[0].masses.size(); ++a) {
    if (is_infinite(in[0].masses[a])) continue;
    mass += in[0].masses[a];
    change += static_cast<long double>(in[0].masses[a]) * (wide(out[0].velocities[a]) - wide(in[0].velocities[a]));
  }
  return in_tolerances(change.cwiseAbs().maxCoeff(), mass * may->velocity);
}

/// Checks the kinetic energy of the grains in the frame of the walls. The sum of the energy after the step and the
/// energy of the velocity changes is at most the energy before the step.
inline std::optional<double> gains_no_energy(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowed(in[0], out[0], held);
  if (!may) return std::nullopt;
  Wide frame = Wide::Zero();
  for (std::size_t a = 0; a < in[0].masses.size(); ++a)
    if (is_infinite(in[0].masses[a])) frame = wide(in[0].velocities[a]);
  long double gained = 0, tolerance = 0;
  for (std::size_t a = 0; a < in[0].masses.size(); ++a) {
    if (is_infinite(in[0].masses[a])) continue;
    long double const mass = in[0].masses[a];
    Wide const before = wide(in[0].velocities[a]) - frame, after = wide(out[0].velocities[a]) - frame,
               change = after - before;
    gained += mass * (after.squaredNorm() + change.squaredNorm() - before.squaredNorm());
    tolerance += mass * (2 * after.cwiseAbs().sum() + 2 * change.cwiseAbs().sum() + 2 * may->velocity) * may->velocity;
  }
  return in_tolerances(gained, tolerance);
}

/// Checks that two cases have the same velocities, because they describe the same problem in different ways. The bodies
/// of the second case begin with the bodies of the first case.
inline std::optional<double> has_the_same_velocities(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = both(in, out, held);
  if (!may) return std::nullopt;
  return worst_of(out[1].velocities, out[0].velocities, *may);
}

inline void derive_other_order(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (in.contacts.size() < 2) return;
  Case other = in;
  for (std::size_t k = other.contacts.size(); k-- > 1;)
    std::swap(other.contacts[k],
              other.contacts[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(k)))]);
  inputs.push_back(std::move(other));
}
inline void derive_exchanged(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (in.contacts.empty()) return;
  Case other = in;
  for (auto& contact : other.contacts)
    if (random.chance(0.7)) {
      std::swap(contact.i, contact.j);
      contact.normal = -contact.normal;
    }
  inputs.push_back(std::move(other));
}
inline void derive_given_twice(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (in.contacts.empty()) return;
  Case other = in;
  auto const any = [&] {
    return static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(in.contacts.size()) - 1));
  };
  other.contacts.push_back(in.contacts[any()]);
  if (random.chance(0.5)) other.contacts.insert(other.contacts.begin(), in.contacts[any()]);
  inputs.push_back(std::move(other));
}
/// Derives the case with one more contact. The gap of this contact is so large that no velocity of the problem can
/// close it.
inline void derive_far_contact(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  std::size_t first = in.masses.size();
  long double least = std::numeric_limits<long double>::infinity(), most = 0, energy = 0;
  for (std::size_t a = 0; a < in.masses.size(); ++a) {
    if (is_infinite(in.masses[a])) continue;
    first = std::min(first, a);
    least = std::min<long double>(least, in.masses[a]);
    most = std::max<long double>(most, in.masses[a]);
    energy += 1;
  }
  if (first == in.masses.size()) return;
  // In the frame of the walls, no speed exceeds sqrt(sum of m v^2 / least mass).
  double const speed = static_cast<double>(8 * largest_speed(in.velocities) * std::sqrt(energy * most / least)),
               gap = std::max(speed * in.dt, 1e-30);
  if (!(gap < Contract::largest)) return;
  std::size_t const far = add_body(other, {static_cast<double>(most), in.velocities[first]});
  add_contact(other, {first, far, unit_direction_in_plane(random), gap});
  if (!Contract::domain_error(other)) inputs.push_back(std::move(other));
}
/// Derives a case that consists of the given case and a copy of it. The velocities of the copy may be reversed. The
/// solution consists of the solutions of both parts.
inline void derive_beside_another(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  auto const shift = static_cast<double>(in.masses.size());
  bool const walls = std::any_of(in.masses.begin(), in.masses.end(), [](double m) { return is_infinite(m); });
  double const sense = !walls && random.chance(0.5) ? -1 : 1;
  for (std::size_t a = 0; a < in.masses.size(); ++a) add_body(other, {in.masses[a], sense * in.velocities[a]});
  bool const before = random.chance(0.5);
  std::vector<Contact<double>> moved;
  for (auto contact : in.contacts) {
    contact.i += shift;
    contact.j += shift;
    moved.push_back(contact);
  }
  other.contacts.insert(before ? other.contacts.begin() : other.contacts.end(), moved.begin(), moved.end());
  inputs.push_back(std::move(other));
}

/// Derives the case with the bodies in reverse order.
inline void derive_renumbered(Case const& in, Random&, std::vector<Case>& inputs) {
  if (in.masses.size() < 2) return;
  Case other = in;
  std::reverse(other.masses.begin(), other.masses.end());
  std::reverse(other.velocities.begin(), other.velocities.end());
  auto const last = static_cast<double>(in.masses.size() - 1);
  for (auto& contact : other.contacts) contact.i = last - contact.i, contact.j = last - contact.j;
  inputs.push_back(std::move(other));
}
inline std::optional<double> is_renumbered(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = both(in, out, held);
  if (!may) return std::nullopt;
  std::vector<Direction> expected(out[0].velocities.rbegin(), out[0].velocities.rend());
  return worst_of(out[1].velocities, expected, *may);
}

/// Derives the case with a common velocity added to all bodies. Each component of this velocity is a power of two with
/// either sign, about as large as the largest velocity.
inline void derive_moving(Case const& in, Random& random, std::vector<Case>& inputs) {
  double const largest = static_cast<double>(largest_speed(in.velocities));
  if (!(largest > 0)) return;
  Case other = in;
  Direction const shift = std::ldexp(1.0, std::ilogb(largest)) * Direction{random.sign(), random.sign()};
  for (Direction& velocity : other.velocities) velocity += shift;
  if (!Contract::domain_error(other)) inputs.push_back(std::move(other));
}
inline std::optional<double> moves_with_the_frame(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const before = allowed(in[0], out[0], held), after = allowed(in[1], out[1], held);
  if (!before || !after) return std::nullopt;
  Direction shift;
  for (Index c = 0; c < 2; ++c) {
    // Reads the sign of the added velocity from the body with the smallest speed, because the sum of this body has the
    // smallest rounding error.
    std::size_t least = 0;
    for (std::size_t a = 0; a < in[0].velocities.size(); ++a)
      if (std::fabs(in[0].velocities[a][c]) < std::fabs(in[0].velocities[least][c])) least = a;
    double const sum = in[1].velocities[least][c] - in[0].velocities[least][c];
    shift[c] = std::copysign(std::ldexp(1.0, std::ilogb(static_cast<double>(largest_speed(in[0].velocities)))), sum);
  }
  long double const speed = std::max(largest_speed(in[1].velocities), largest_speed(out[1].velocities));
  // Each sum rounds once, and the condition multiplies these errors.
  long double const rounding = roundings(4) * before->kappa * speed;
  double worst = 0;
  for (std::size_t a = 0; a < in[0].velocities.size(); ++a)
    for (Index c = 0; c < 2; ++c) {
      long double const expected = static_cast<long double>(out[0].velocities[a][c]) + shift[c];
      worst = std::max(worst, in_tolerances(std::fabs(out[1].velocities[a][c] - expected),
                                            before->velocity + after->velocity + rounding));
    }
  return worst;
}

/// Derives the case with other depths of the overlaps. The answer must not change, because an overlap counts as a gap
/// of 0.
inline void derive_deeper(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  bool any = false;
  for (auto& contact : other.contacts) {
    if (contact.gap > 0) continue;
    double const deeper = contact.gap < 0 ? contact.gap * random.uniform(0.5, 2) : -in.dt;
    contact.gap = -deeper >= Contract::least && -deeper <= Contract::largest ? deeper : 0;
    any = true;
  }
  if (any) inputs.push_back(std::move(other));
}
inline std::optional<double> is_equal(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = both(in, out, held);
  if (!may) return std::nullopt;
  if (!held.to_the_bit) return worst_of(out[1].velocities, out[0].velocities, *may);
  return out[0].velocities == out[1].velocities && out[0].impulses == out[1].impulses ? 0 : 2;
}

/// Selects the outputs for the laws of properties/core/invariance.hpp.
struct Invariant {
  using Contract = nscd_solve::Contract;
  static std::vector<std::string_view> outputs() { return {"velocities", "impulses"}; }
  static Unusable unusable(Inputs inputs, Outputs outputs) { return properties::unusable(inputs, outputs); }
};
using Shared = Invariances<Invariant>;

inline std::optional<double> is_scaled(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const change = Shared::change_between<Dimension{}>(in[0], in[1]);
  int const of_velocity = change.exponent(*dimension_of(unit::velocity)),
            of_impulse = change.exponent(*dimension_of(unit::impulse));
  std::vector<Direction> expected = out[0].velocities;
  std::vector<double> impulses = out[0].impulses;
  for (Direction& v : expected)
    for (double& x : v) x = std::ldexp(x, of_velocity);
  for (double& p : impulses) p = std::ldexp(p, of_impulse);
  if (held.to_the_bit) return out[1].velocities == expected && out[1].impulses == impulses ? 0 : 2;
  auto const may = allowed(in[0], out[0], held), other = allowed(in[1], out[1], held);
  if (!may || !other) return std::nullopt;
  return worst_of(out[1].velocities, expected, std::ldexp(may->velocity, of_velocity) + other->velocity);
}
inline std::optional<double> is_permuted(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = both(in, out, held);
  if (!may) return std::nullopt;
  return worst_of(out[1].velocities, turned(out[0], *Shared::motion_of(in[0])).velocities, *may);
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> about_the_answer() {
  return {
      {.name = "no_meeting",
       .doc = "no contact closes within the step: w >= 0",
       .tolerance = "the budget of the velocities times the condition of the active contacts",
       .uses = {"velocities"},
       .violation = does_not_meet},
      {.name = "no_attraction",
       .doc = "no impulse is negative",
       .tolerance = "the budget of the impulses",
       .uses = {"velocities", "impulses"},
       .violation = does_not_attract},
      {.name = "complementary",
       .doc = "a separating contact has no impulse: w or the impulse is 0",
       .tolerance = "both budgets",
       .uses = {"velocities", "impulses"},
       .violation = is_complementary},
      {.name = "impulse_balance",
       .doc = "only the impulses along the normals change the velocities",
       .tolerance = "the budget of the velocities, plus that of the impulses times the condition",
       .uses = {"velocities", "impulses"},
       .violation = is_pushed_along_normals},
      {.name = "untouched",
       .doc = "the velocity of walls and of bodies without contact does not change",
       .tolerance = "0 with tolerance strict, otherwise the budget of the velocities",
       .uses = {"velocities"},
       .violation = leaves_what_is_not_touched},
      {.name = "momentum",
       .doc = "without walls, the momentum does not change",
       .tolerance = "the budget of the velocities",
       .uses = {"velocities"},
       .violation = keeps_momentum},
      {.name = "energy",
       .doc = "in the frame of the walls, the energy after plus the energy of the change is at most the energy before",
       .tolerance = "the budget of the velocities",
       .uses = {"velocities"},
       .violation = gains_no_energy},
  };
}

inline std::vector<Rule> about_the_problem() {
  return {
      {.name = "order",
       .doc = "the order of the contacts does not change the answer",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = derive_other_order,
       .violation = has_the_same_velocities},
      {.name = "exchange",
       .doc = "an exchange of i and j with a reversed normal changes no velocity",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = derive_exchanged,
       .violation = has_the_same_velocities},
      {.name = "duplicate",
       .doc = "a duplicate contact changes no velocity",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = derive_given_twice,
       .violation = has_the_same_velocities},
      {.name = "far_contact",
       .doc = "a contact that cannot close changes nothing",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = derive_far_contact,
       .violation = has_the_same_velocities},
      {.name = "split",
       .doc = "two problems without common contacts have independent solutions",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = derive_beside_another,
       .violation = has_the_same_velocities},
      {.name = "renumbering",
       .doc = "the order of the bodies does not change their velocities",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = derive_renumbered,
       .violation = is_renumbered},
      {.name = "moving_frame",
       .doc = "a common velocity is added to all velocities",
       .tolerance = "both budgets, plus the roundings of the sums times the condition",
       .uses = {"velocities"},
       .derive = derive_moving,
       .violation = moves_with_the_frame},
      {.name = "overlap",
       .doc = "the depth of an overlap does not change the answer",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"velocities", "impulses"},
       .derive = derive_deeper,
       .violation = is_equal},
  };
}

inline std::vector<Rule> changes_of_unit_and_axes() {
  return {
      {.name = "scaling",
       .doc = "a change of units by powers of two scales each output exactly",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"velocities", "impulses"},
       .derive = Shared::derive_scaling<Dimension{}>,
       .violation = is_scaled},
      {.name = "axis_permutation",
       .doc = "a permutation or mirroring of the axes does the same to the answer",
       .tolerance = "both budgets",
       .uses = {"velocities"},
       .derive = Shared::derive_axis_permutation,
       .violation = is_permuted},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list =
      joined<Rule>({about_the_answer(), about_the_problem(), changes_of_unit_and_axes()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{.simpler = simpler};

}  // namespace demeter::nscd_solve::properties
