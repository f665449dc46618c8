// Checks the values of a scene in non-smooth dynamics.
#include "simulator/invalid.hpp"
#include "simulator/reference/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter::simulations {
namespace {

using namespace simulator;

class NonsmoothCheck : SceneCheck {
 public:
  explicit NonsmoothCheck(SceneFile const& file) : SceneCheck(file) {}

  std::optional<std::string> run() {
    foreign();
    if (scene_->scene.gravity[2].value != 0) say("scene.gravity", "expected 0 along z: discs move in the plane");
    solver();
    for_each_material([](auto const&, auto const&) {});  // materials have no other keys to check
    bodies();
    events();
    return wrong_;
  }

 private:
  /// Rejects keys of smooth dynamics.
  void foreign() {
    static constexpr std::array<std::string_view, 41> known{
        "scene",          "scene.title",   "scene.gravity",    "scene.duration", "scene.steps",    "scene.dt",
        "scene.dt.dt",    "model",         "model.dynamics",   "solver",         "orifice",        "view",
        "material",       "material.name", "material.density", "body",           "body.name",      "body.shape",
        "body.material",  "body.position", "body.velocity",    "body.spin",      "body.radius",    "body.mass",
        "body.mass.mass", "body.copies",   "body.shift",       "body.points",    "body.closed",    "body.file",
        "body.fill",      "event",         "output",           "expect",         "view.direction", "view.up",
        "view.contacts",  "view.speed",    "event.at",         "event.remove",   "event.tolerance"};
    for (auto const& key : file_->given) {
      std::string const plain = without_indices(key);
      bool const ours = std::any_of(known.begin(), known.end(), [&](std::string_view each) { return plain == each; });
      bool const inside = plain.starts_with("solver.") || plain.starts_with("orifice.") ||
                          plain.starts_with("body.fill.") || plain.starts_with("output.") ||
                          plain.starts_with("expect.");
      if (!ours && !inside) say(key, "only valid with dynamics = \"smooth\" in [model]");
    }
  }

  void solver() {
    auto const& solver = scene_->solver;
    positive("solver.tolerance", solver.tolerance);
    if (!solver.alert) {
      say("solver.alert", "missing, expected > 0: the distance within which contacts are searched");
    } else {
      positive("solver.alert", *solver.alert);
    }
    if (solver.method == SolverMethod::documented_jacobi && solver.itmax == 0)
      say("solver.itmax", "got 0, expected a limit: documented_jacobi may never converge");
    auto const& direction = scene_->orifice.direction;
    if (direction[0].value == 0 && direction[1].value == 0)
      say("orifice.direction", "got 0, expected a vector that is not 0");
  }

  void bodies() {
    std::set<std::string> names;
    double discs = 0;
    for (std::size_t k = 0; k < scene_->body.size() && !wrong_; ++k) {
      auto const& body = scene_->body[k];
      std::string const path = fmt::format("body[{}]", k);
      if (auto const wrong = bad_name(body.name.empty() ? fmt::format("body{}", k + 1) : body.name, names))
        say(path + ".name", *wrong);
      if (body.shape == Form::disc) {
        discs += static_cast<double>(body.fill ? body.fill->count : body.copies);
        disc(path, body);
      } else if (body.shape == Form::polyline) {
        polyline(path, body);
      } else {
        say(path + ".shape",
            fmt::format("got \"{}\", expected disc or polyline in non-smooth dynamics", shape_name(body.shape)));
      }
    }
    if (discs == 0) say("body", "expected at least one disc");
    if (auto const wrong = too_many(discs)) say("body", *wrong);
  }

  /// Rejects these keys of a body. `why` is the reason: the shape of the body, or another key.
  void without(std::string const& path, std::initializer_list<std::string_view> keys, std::string_view why) {
    for (auto const key : keys)
      if (file_->given.count(path + "." + std::string(key)) > 0)
        say(path + "." + std::string(key), fmt::format("not valid {}", why));
  }

  void disc(std::string const& path, Body<Number> const& body) {
    without(path, {"points", "closed", "file"}, "for a disc");
    auto const flat = [&](std::string_view key, Vector3<Number> const& v) {
      if (v[2].value != 0) say(fmt::format("{}.{}", path, key), "expected 0 along z: discs move in the plane");
    };
    flat("position", body.position);
    flat("velocity", body.velocity);
    flat("shift", body.shift);
    if (body.spin[0].value != 0 || body.spin[1].value != 0) say(path + ".spin", "expected a spin about z only");
    if (body.fill) {
      without(path, {"position", "radius", "copies", "shift"}, "together with fill");
      if (auto const wrong = too_many(static_cast<double>(body.fill->count))) return say(path + ".fill.count", *wrong);
      if (auto const wrong = misfit(*body.fill)) say(path + ".fill." + wrong->key, "expected " + wrong->expected);
    } else if (!body.radius) {
      say(path + ".radius", "missing, expected > 0");
    } else {
      positive(path + ".radius", *body.radius);
    }
    if (body.copies == 0) say(path + ".copies", "got 0, expected at least 1");
    if (body.copies > 1 && body.shift[0].value == 0 && body.shift[1].value == 0)
      say(path + ".shift", "got 0, expected a shift between the copies");
    mass(path, body);
  }

  void mass(std::string const& path, Body<Number> const& body) {
    if (body.mass.mass) return positive(path + ".mass.mass", *body.mass.mass);
    if (body.mass.rule != MassRule::sum) return say(path + ".mass", "expected { mass = ... } for a disc");
    auto const& materials = scene_->material;
    if (materials.empty()) return say(path, "expected a [[material]], or mass = { mass = ... }");
    Material<Number> const* const of = material_of(body);
    if (of == nullptr && body.material.empty()) return say(path + ".material", "missing, expected a material's name");
    if (of == nullptr)
      return say(path + ".material",
                 fmt::format("unknown material \"{}\", expected a material of the scene", body.material));
    if (!of->density) say(path, fmt::format("expected mass, or a density of its material \"{}\"", of->name));
  }

  void polyline(std::string const& path, Body<Number> const& body) {
    without(path, {"material", "position", "velocity", "spin", "radius", "mass", "copies", "shift", "fill"},
            "for a polyline");
    if (!body.file.empty()) return without(path, {"points", "closed"}, "together with file");
    std::size_t const least = body.closed ? 3 : 2;
    if (body.points.size() < least)
      return say(path + ".points",
                 fmt::format("number of points: got {}, expected at least {}, or a file", body.points.size(), least));
    for (std::size_t k = 0; k + (body.closed ? 0 : 1) < body.points.size(); ++k) {
      auto const &a = body.points[k], &b = body.points[(k + 1) % body.points.size()];
      if (same(a[0], b[0]) && same(a[1], b[1]))
        say(fmt::format("{}.points[{}]", path, k), "equal to the next point, expected a different point");
    }
  }

  void events() {
    for (std::size_t k = 0; k < scene_->event.size(); ++k) {
      auto const& event = scene_->event[k];
      std::string const path = fmt::format("event[{}]", k);
      if (!(event.at.value >= 0)) say(path + ".at", "got " + as_written(event.at) + ", expected >= 0");
      if (event.tolerance) positive(path + ".tolerance", *event.tolerance);
      if (event.remove.empty() && !event.tolerance) say(path, "expected remove or tolerance");
      if (event.remove.empty()) continue;
      bool known = false;
      for (auto const& body : scene_->body)
        known = known || (body.shape == Form::polyline && body.name == event.remove);
      if (!known) say(path + ".remove", fmt::format("got \"{}\", expected the name of a polyline", event.remove));
    }
  }
};

}  // namespace

std::optional<std::string> invalid_nonsmooth(SceneFile const& file) { return NonsmoothCheck(file).run(); }

}  // namespace demeter::simulations
