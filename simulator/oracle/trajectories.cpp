#include "simulator/oracle/trajectories.hpp"

#include <array>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>

namespace demeter::simulator::oracle {
namespace {

namespace odeint = boost::numeric::odeint;
using Real = long double;
constexpr Real pi = 3.14159265358979323846264338327950288L;

template <std::size_t size>
using Vector = std::array<Real, size>;
template <std::size_t size>
using Stepper = odeint::runge_kutta_fehlberg78<Vector<size>, Real, Vector<size>, Real>;

/// Returns a stepper with errors of at most 1e-18 per step, absolute and relative.
template <std::size_t size>
auto controlled() {
  return odeint::make_controlled(Real(1e-18L), Real(1e-18L), Stepper<size>());
}

Vector<4> product(Vector<4> const& p, Vector<4> const& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

Vector<4> unit(Vector<4> q) {
  Real const size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (Real& x : q) x /= size;
  return q;
}

/// Returns q (0, v) q*, the vector v rotated by q. With `back`, returns q* (0, v) q.
Vector<3> turned(Vector<4> const& q, Vector<3> const& v, bool back) {
  Vector<4> const conjugate{q[0], -q[1], -q[2], -q[3]}, inner{0, v[0], v[1], v[2]};
  Vector<4> const is = back ? product(product(conjugate, inner), q) : product(product(q, inner), conjugate);
  return {is[1], is[2], is[3]};
}

Vector<4> quaternion_of(Orientation<double> const& orientation) {
  if (!orientation.axis) {
    auto const& q = orientation.quaternion;
    return unit({q[0], q[1], q[2], q[3]});
  }
  auto const& axis = *orientation.axis;
  Real const x = axis[0], y = axis[1], z = axis[2], size = std::sqrt(x * x + y * y + z * z),
             half = Real(orientation.angle) / 2, share = std::sin(half) / size;
  return {std::cos(half), share * x, share * y, share * z};
}

}  // namespace

std::vector<Truth> rotation(Scene<double> const& scene, long double duration) {
  std::vector<Truth> truths;
  for (auto const& body : scene.body) {
    if (body.fixed || body.shape == Form::wall || !body.mass.moments || body.copies != 1) continue;
    auto const& moments = *body.mass.moments;
    Vector<4> const q = unit(product(quaternion_of(body.orientation), quaternion_of(body.mass.orientation)));
    Vector<3> const w = turned(q, {body.spin[0], body.spin[1], body.spin[2]}, true);
    Vector<7> state{q[0], q[1], q[2], q[3], w[0], w[1], w[2]};
    auto const derivative = [&](Vector<7> const& at, Vector<7>& by, Real) {
      Vector<4> const dq = product({at[0], at[1], at[2], at[3]}, {0, at[4], at[5], at[6]});
      for (std::size_t k = 0; k < 4; ++k) by[k] = dq[k] / 2;
      for (std::size_t k = 0; k < 3; ++k) {
        std::size_t const i = (k + 1) % 3, j = (k + 2) % 3;
        auto const moment = [&](std::size_t which) { return Real(moments[static_cast<Index>(which)]); };
        by[4 + k] =
            ((moment(i) - moment(j)) * at[4 + i] * at[4 + j] + Real(body.torque[static_cast<Index>(k)])) / moment(k);
      }
    };
    odeint::integrate_adaptive(controlled<7>(), derivative, state, Real(0), Real(duration), Real(duration) / 1000);
    Vector<4> const end = unit({state[0], state[1], state[2], state[3]});
    Vector<3> const spin = turned(end, {state[4], state[5], state[6]}, false);
    std::string const name = body.name;
    truths.push_back({name + ".orientation", {end.begin(), end.end()}});
    for (std::size_t k = 0; k < 3; ++k) truths.push_back({name + ".spin[" + std::to_string(k) + "]", {spin[k]}});
  }
  return truths;
}

Rebound rebound(Impact const& impact) {
  // The unit of velocity is v. The unit of time is sqrt(m / k). For the Hertz law, the unit of time is delta / v. Here
  // delta = (m v^2 sqrt(r) / k)^(2/5) is about the largest overlap.
  bool const hertz = impact.law == ForceLaw::hertz;
  Real const v = impact.velocity;
  Real const unit_time =
      hertz ? std::pow(impact.mass * v * v * std::sqrt(impact.radius) / impact.stiffness, Real(0.4L)) / v
            : std::sqrt(impact.mass / impact.stiffness);
  Real const unit_length = v * unit_time;
  Real const c = impact.law == ForceLaw::linear
                     ? 0
                     : impact.damping * unit_time / impact.mass *
                           (hertz ? std::pow(unit_length / impact.radius, Real(0.25L)) : Real(1));
  auto const softer = [&](Real x) { return hertz ? std::sqrt(std::max(x, Real(0))) : Real(1); };
  // Deceleration as a function of the overlap x and its velocity.
  auto const force = [&](Vector<2> const& at) {
    Real const stiffer = softer(at[0]), is = stiffer * at[0] + c * std::sqrt(stiffer) * at[1];
    return !impact.tension && is < 0 ? Real(0) : is;
  };
  auto const derivative = [&](Vector<2> const& at, Vector<2>& by, Real) {
    by[0] = at[1];
    by[1] = -force(at);
  };
  Vector<2> state{0, 1};
  Real time = 0, overlap = 0, largest = force(state);
  Stepper<2> stepper;
  auto const inside = [&](Vector<2> const& at) {
    if (at[0] <= 0) return false;
    return impact.tension || at[1] > 0 || force(at) > 0;
  };
  auto const after = [&](Real by) {
    Vector<2> at = state;
    stepper.do_step(derivative, at, time, by);
    return at;
  };
  /// Returns the first time within dt after which `holds` is false, by bisection.
  auto const bisected = [&](Real dt, auto const& holds) {
    Real low = 0, high = dt;
    for (int k = 0; k < 90; ++k) {
      Real const middle = (low + high) / 2;
      (holds(after(middle)) ? low : high) = middle;
    }
    return low;
  };
  // The Hertz force contains roots of the overlap, which are not smooth at the overlap 0. Each step is therefore a
  // fraction of the time since the touch, or of the time until the separation.
  Real const least = 1e-17L, share = 1.0L / 32;
  bool leaves = false;
  while (!leaves) {
    Real dt = std::min(Real(1e-3L), std::max(time, least) * share);
    if (state[1] < 0) {
      Real const left = state[0] / -state[1];
      if (left < least) {
        time += left;
        break;
      }
      dt = std::min(dt, std::max(left * share, least * share));
    }
    Vector<2> next = after(dt);
    if (time > 0 && !inside(next)) {
      dt = bisected(dt, inside);
      next = after(dt);
      leaves = true;
    }
    if (state[1] > 0 && next[1] <= 0) overlap = after(bisected(dt, [](Vector<2> const& at) { return at[1] > 0; }))[0];
    time += dt;
    state = next;
    largest = std::max(largest, force(state));
  }
  if (c == 0) largest = hertz ? overlap * std::sqrt(overlap) : overlap;  // the force at the largest overlap
  Real const unit_force = impact.mass * v / unit_time;
  return {-state[1] * v, overlap * unit_length, largest * unit_force, time * unit_time};
}

std::vector<Truth> impact(Scene<double> const& scene) {
  std::vector<Truth> truths;
  auto const material_of = [&](Body<double> const& body) -> Material<double> const& {
    for (auto const& each : scene.material)
      if (each.name == body.material) return each;
    return scene.material.front();
  };
  for (auto const& body : scene.body) {
    if (body.shape != Form::sphere || body.fixed) continue;
    auto const& material = material_of(body);
    for (auto const& wall : scene.body) {
      auto const axis = static_cast<Index>(wall.axis);
      if (wall.shape != Form::wall || !(body.velocity[axis] * static_cast<double>(wall.sense) < 0)) continue;
      auto const& other = material_of(wall);
      Real const r = *body.radius, r3 = r * r * r;
      Impact is;
      is.law = scene.model.law;
      is.tension = scene.model.tension == Tension::allowed;
      is.mass = body.mass.mass ? Real(*body.mass.mass) : 4 * pi * r3 * Real(*material.density) / 3;
      is.radius = r;
      is.velocity = std::fabs(Real(body.velocity[axis]));
      Real const e = std::min(Real(material.restitution.value_or(1)), Real(other.restitution.value_or(1)));
      Real const ratio = e < 1 ? -std::log(e) / std::sqrt(std::log(e) * std::log(e) + pi * pi)
                               : std::min(Real(material.damping_ratio), Real(other.damping_ratio));
      if (is.law == ForceLaw::hertz) {
        auto const flexible = [](Material<double> const& of) {
          Real const nu = of.poisson;
          return (1 - nu * nu) / Real(*of.young);
        };
        is.stiffness = 4 * r / (3 * (flexible(material) + flexible(other)));
        is.damping = std::sqrt(Real(5)) * (e < 1 ? ratio : Real(0)) * std::sqrt(is.mass * is.stiffness);
      } else {
        Real const k1 = *material.kn, k2 = *other.kn;
        is.stiffness = 2 * k1 * k2 / (k1 + k2);
        is.damping = 2 * ratio * std::sqrt(is.mass * is.stiffness);
      }
      Rebound const after = rebound(is);
      for (std::uint64_t copy = 0; copy < body.copies; ++copy) {
        std::string const name = body.name + (body.copies > 1 ? std::to_string(copy + 1) : "");
        truths.push_back({name + ".velocity[" + std::to_string(axis) + "]", {Real(wall.sense) * after.velocity}});
        truths.push_back({name + ".overlap_max", {after.overlap}});
        truths.push_back({name + ".contact_time", {after.time}});
      }
    }
  }
  return truths;
}

std::vector<Truth> truths(Scene<double> const& scene, long double duration) {
  if (scene.scene.oracle == "rotation") return rotation(scene, duration);
  if (scene.scene.oracle == "impact") return impact(scene);
  return {};
}

long double discrete_restitution_squared(long double dt, long double stiffness, long double mass, long double a,
                                         long double b) {
  long double const W2 = dt * dt * stiffness / mass;
  return (1 - W2 * a * (1 - a)) / (1 - W2 * b * (1 - b));
}

}  // namespace demeter::simulator::oracle
