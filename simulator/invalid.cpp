// Checks the values of a scene.
#include "simulator/invalid.hpp"
#include "simulator/force_law.hpp"
#include "simulator/reference/formulas.hpp"
#include "simulator/scene_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace demeter::simulations {
namespace {

using namespace simulator;

template <class Vector>
bool is_zero(Vector const& v) {
  for (Index k = 0; k < v.size(); ++k)
    if (v[k].value != 0) return false;
  return true;
}

class Check : SceneCheck {
 public:
  explicit Check(SceneFile const& file) : SceneCheck(file) {}

  std::optional<std::string> run() {
    settings();
    if (scene_->model.dynamics == Dynamics::smooth) {
      foreign();
      use();
      wall_formula();
      materials();
      bodies();
    } else if (!wrong_) {
      wrong_ = invalid_nonsmooth(*file_);
    }
    for (std::size_t k = 0; k < scene_->output.size(); ++k)
      if (auto const every = scene_->output[k].every; every == 0 || every > 1'000'000'000'000)
        say(fmt::format("output[{}].every", k), fmt::format("got {}, expected 1 to 1e12", every));
    for (std::size_t k = 0; k < scene_->expect.size(); ++k) {
      auto const& expect = scene_->expect[k];
      if (expect.tolerance.value < 0)
        say(fmt::format("expect[{}].tolerance", k), "got " + as_written(expect.tolerance) + ", expected >= 0");
      if (expect.relative.value < 0)
        say(fmt::format("expect[{}].relative", k), "got " + as_written(expect.relative) + ", expected >= 0");
      if (expect.at && !(expect.at->value >= 0))
        say(fmt::format("expect[{}].at", k), "got " + as_written(*expect.at) + ", expected >= 0");
    }
    return wrong_;
  }

 private:
  void not_negative(std::string const& key, Number const& x) {
    if (!(x.value >= 0)) say(key, "got " + as_written(x) + ", expected >= 0");
  }

  void settings() {
    auto const& settings = scene_->scene;
    // A terminal would execute control characters.
    auto const controls = [](unsigned char c) { return c < 32 || c == 127; };
    if (std::any_of(settings.title.begin(), settings.title.end(), controls))
      say("scene.title", "got a control character, expected one line of text");
    if (settings.duration) positive("scene.duration", *settings.duration);
    if (settings.duration.has_value() == (settings.steps > 0))
      say(settings.steps > 0 ? "scene.steps" : "scene",
          settings.steps > 0 ? "expected steps or duration, not both" : "expected duration, or steps above 0");
    if (settings.steps > 1'000'000'000'000)
      say("scene.steps", fmt::format("got {}, expected at most 1e12", settings.steps));
    if (settings.dt.dt) positive("scene.dt", *settings.dt.dt);
    positive("scene.dt.safety", settings.dt.safety);
    if (settings.dt.period == 0) say("scene.dt.period", "got 0, expected at least 1");
    if (!settings.dt.dt && settings.dt.rule == StepRule::fixed) say("scene.dt", "missing, expected seconds or a rule");
    static constexpr std::array<std::string_view, 3> oracles{"", "rotation", "impact"};
    if (std::find(oracles.begin(), oracles.end(), settings.oracle) == oracles.end())
      say("scene.oracle", fmt::format("got \"{}\", expected rotation or impact", settings.oracle));
    if (scene_->model.characteristic_velocity)
      positive("model.characteristic_velocity", *scene_->model.characteristic_velocity);
    if (!(scene_->model.damping.value >= 0 && scene_->model.damping.value < 1))
      say("model.damping", "got " + as_written(scene_->model.damping) + ", expected 0 to below 1");
    if (is_zero(scene_->view.direction)) say("view.direction", "got 0, expected a vector that is not 0");
    if (is_zero(scene_->view.up)) say("view.up", "got 0, expected a vector that is not 0");
    positive("view.speed", scene_->view.speed);
  }

  /// Rejects keys of non-smooth dynamics.
  void foreign() {
    for (auto const& key : file_->given) {
      auto const plain = without_indices(key);
      for (std::string_view const theirs :
           {"solver", "orifice", "event", "body.points", "body.closed", "body.file", "body.fill"})
        if (plain == theirs) say(key, "only valid with dynamics = \"nonsmooth\" in [model]");
    }
  }

  void use() {
    for (auto const& [kernel, names] : reference::formula_names())
      for_each_field<Use<Number>>([&, &kernel = kernel, &names = names](auto const& each) {
        std::string const& chosen = scene_->use.*(each.member);
        if (each.name == kernel && std::find(names.begin(), names.end(), chosen) == names.end())
          say("use." + kernel, fmt::format("got \"{}\", expected one of {}", chosen, fmt::join(names, ", ")));
      });
    std::string const& law = scene_->use.contact_force;
    if (auto const found = named_law(law); !found.law)
      say("use.contact_force", fmt::format("got \"{}\"; {}", law, found.wrong));
  }

  /// The formula "conservative" has a spring at each end of a capsule. These springs need a linear law.
  void wall_formula() {
    if (scene_->use.wall_capsule_contact == "conservative" && scene_->model.law == ForceLaw::hertz)
      say("use.wall_capsule_contact", "got \"conservative\", expected reference or woo (law hertz)");
  }

  void materials() {
    for_each_material([&](std::string const& path, auto const& material) {
      if (material.young) positive(path + ".young", *material.young);
      if (material.kn) positive(path + ".kn", *material.kn);
      if (material.kn_hertz) positive(path + ".kn_hertz", *material.kn_hertz);
      if (material.normal_damping) not_negative(path + ".normal_damping", *material.normal_damping);
      if (material.damping_rate) not_negative(path + ".damping_rate", *material.damping_rate);
      if (!(material.poisson.value > -1 && material.poisson.value <= 0.5))
        say(path + ".poisson", "got " + as_written(material.poisson) + ", expected above -1 and at most 1/2");
      not_negative(path + ".kt_over_kn", material.kt_over_kn);
      not_negative(path + ".tan_phi", material.tan_phi);
      not_negative(path + ".tangential_damping", material.tangential_damping);
      not_negative(path + ".damping_ratio", material.damping_ratio);
      if (material.restitution && !(material.restitution->value > 0 && material.restitution->value <= 1))
        say(path + ".restitution", "got " + as_written(*material.restitution) + ", expected above 0 and at most 1");
    });
  }

  /// Checks that a material of a body in contact has the values that the force law needs.
  void law_of(std::string const& path, Material<Number> const& material) {
    auto const& model = scene_->model;
    static constexpr auto laws = labels(ForceLaw{});
    auto const law = laws[static_cast<std::size_t>(model.law)];
    bool const by_kn = model.law != ForceLaw::hertz && is_from_kn(model.stiffness);
    auto const missing = [&](std::string_view key) {
      say(path, fmt::format("{} of the material \"{}\": missing (law {})", key, material.name, law));
    };
    if (by_kn && !material.kn) missing("kn");
    if (model.law == ForceLaw::hertz && material.kn_hertz) return;
    if (!by_kn && !material.young) missing("young");
    if (model.law != ForceLaw::hertz && model.stiffness == Stiffness::liggghts_hooke && !model.characteristic_velocity)
      say("model.characteristic_velocity", "missing, expected > 0 (stiffness liggghts-hooke)");
    if (!by_kn && model.law != ForceLaw::hertz && material.young && std::isinf(material.young->value))
      say(path,
          fmt::format("young of the material \"{}\": got inf, expected a finite value (law {})", material.name, law));
  }

  void orientation(std::string const& path, Orientation<Number> const& of) {
    if (is_zero(of.quaternion)) say(path, "got 0, expected a quaternion that is not 0");
    if (of.axis && is_zero(*of.axis)) say(path + ".axis", "got 0, expected a vector that is not 0");
  }

  void member(std::string const& path, Form shape, std::optional<Number> const& radius, Number const& shaft) {
    if (!radius) {
      say(path + ".radius", "missing, expected > 0");
    } else {
      positive(path + ".radius", *radius);
    }
    not_negative(path + ".shaft", shaft);
    if (shape == Form::sphere && shaft.value > 0) say(path + ".shaft", "only valid with shape = \"capsule\"");
  }

  void mass(std::string const& path, Body<Number> const& body) {
    auto const& mass = body.mass;
    if (mass.rule == MassRule::given) {
      if (!mass.mass || !mass.moments) return say(path + ".mass", "expected mass and moments");
      positive(path + ".mass.mass", *mass.mass);
      auto const& I = *mass.moments;
      for (Index k = 0; k < 3; ++k) positive(fmt::format("{}.mass.moments[{}]", path, k), I[k]);
      for (Index k = 0; k < 3; ++k)
        if (I[k].value > (I[(k + 1) % 3].value + I[(k + 2) % 3].value) * (1 + 0x1p-50))
          say(path + ".mass.moments",
              fmt::format("got {}, expected at most the sum of the other two moments", as_written(I[k])));
      orientation(path + ".mass.orientation", mass.orientation);
      return;
    }
    if (body.shape == Form::none && !body.fixed)
      say(path + ".mass", "missing, expected mass and moments (the body has no shape)");
    if (mass.rule == MassRule::joined)
      for (std::size_t k = 0; k < body.members.size(); ++k)
        if (body.members[k].shape != Form::sphere)
          say(fmt::format("{}.members[{}].shape", path, k),
              fmt::format("got \"{}\", expected sphere (mass rule union)", shape_name(body.members[k].shape)));
  }

  void bodies() {
    std::set<std::string> names;
    double shapes = 0;
    auto const& model = scene_->model;
    bool const spheres_only =
        is_of_spheres(model.kinematics) || model.arms == Arms::radius || model.arms == Arms::middle;
    if (scene_->body.empty()) say("body", "expected at least one body");
    for (std::size_t k = 0; k < scene_->body.size() && !wrong_; ++k) {
      auto const& body = scene_->body[k];
      std::string const path = fmt::format("body[{}]", k);
      std::string const name = body.name.empty() ? fmt::format("body{}", k + 1) : body.name;
      if (auto const wrong = bad_name(name, names)) say(path + ".name", *wrong);
      if (body.copies == 0) say(path + ".copies", "got 0, expected at least 1");
      if (body.copies > 1 && is_zero(body.shift)) say(path + ".shift", "got 0, expected a shift between the copies");
      orientation(path + ".orientation", body.orientation);
      shape(path, body, spheres_only);
      mass(path, body);
      static constexpr std::string_view letters = "xyzXYZ";
      for (std::size_t i = 0; i < body.blocked.size(); ++i)
        if (letters.find(body.blocked[i]) == std::string_view::npos || body.blocked.find(body.blocked[i]) != i)
          say(path + ".blocked", fmt::format("got \"{}\", expected letters of xyzXYZ, each once", body.blocked));
      if ((body.fixed || body.shape == Form::wall) && (!is_zero(body.velocity) || !is_zero(body.spin)))
        say(path + (is_zero(body.velocity) ? ".spin" : ".velocity"), "must be 0 for a fixed body");
      material(path, body);
      shapes += static_cast<double>(body.copies) * static_cast<double>(std::max<std::size_t>(body.members.size(), 1));
    }
    if (auto const wrong = too_many(shapes)) say("body", *wrong);
  }

  void shape(std::string const& path, Body<Number> const& body, bool spheres_only) {
    if (body.shape != Form::clump && !body.members.empty()) say(path + ".members", "only valid with shape = \"clump\"");
    switch (body.shape) {
      case Form::sphere:
      case Form::capsule:
        member(path, body.shape, body.radius, body.shaft);
        break;
      case Form::clump:
        if (body.members.empty()) say(path + ".members", "missing, expected at least one");
        for (std::size_t k = 0; k < body.members.size(); ++k) {
          auto const& each = body.members[k];
          std::string const inner = fmt::format("{}.members[{}]", path, k);
          if (each.shape != Form::sphere && each.shape != Form::capsule)
            say(inner + ".shape", fmt::format("got \"{}\", expected sphere or capsule", shape_name(each.shape)));
          member(inner, each.shape, each.radius, each.shaft);
          orientation(inner + ".orientation", each.orientation);
          if (spheres_only && each.shaft.value > 0)
            say(inner, "expected a sphere: the kinematics or arms of the model support only spheres");
        }
        break;
      case Form::wall:
        if (body.axis > 2) say(path + ".axis", fmt::format("got {}, expected 0, 1 or 2", body.axis));
        if (body.sense != 1 && body.sense != -1)
          say(path + ".sense", fmt::format("got {}, expected 1 or -1", body.sense));
        break;
      case Form::none:
        break;
      case Form::disc:
      case Form::polyline:
        say(path + ".shape", "only valid with dynamics = \"nonsmooth\" in [model]");
        break;
    }
    if (body.shape != Form::sphere && body.shape != Form::capsule && body.radius)
      say(path + ".radius", "only valid with shape = \"sphere\" or \"capsule\"");
    if (spheres_only && body.shaft.value > 0)
      say(path + ".shape", "expected a sphere: the kinematics or arms of the model support only spheres");
  }

  void material(std::string const& path, Body<Number> const& body) {
    if (body.shape == Form::none) return;
    auto const& materials = scene_->material;
    if (materials.empty()) return say(path, "expected a [[material]]");
    Material<Number> const* const of = material_of(body);
    if (of == nullptr && body.material.empty()) return say(path + ".material", "missing, expected a material's name");
    if (of == nullptr) {
      std::vector<std::string> known;
      for (auto const& each : materials) known.push_back(each.name);
      return say(path + ".material",
                 fmt::format("unknown material \"{}\", expected one of {}", body.material, fmt::join(known, ", ")));
    }
    law_of(path, *of);
    bool const heavy = !body.fixed && body.shape != Form::wall && body.mass.rule != MassRule::given;
    if (heavy && !of->density) say(path, fmt::format("expected mass, or a density of its material \"{}\"", of->name));
    if (scene_->model.law == ForceLaw::hertz && heavy && of->young && std::isinf(of->young->value))
      for (auto const& each : materials)
        if (each.young && std::isinf(each.young->value)) rigid_pair(path, each);
  }

  /// Reports two rigid bodies that may touch: their contact would have an infinite stiffness.
  void rigid_pair(std::string const& path, Material<Number> const& other) {
    say(path, fmt::format("this body and the material \"{}\" are rigid, expected a finite young for one of them",
                          other.name));
  }
};

}  // namespace

std::string as_written(Number const& x) { return x.text.empty() ? fmt::format("{}", x.value) : "\"" + x.text + "\""; }

std::string without_indices(std::string_view key) {
  std::string plain;
  bool inside = false;
  for (char const c : key) {
    inside = (inside || c == '[') && c != ']';
    if (!inside && c != ']') plain += c;
  }
  return plain;
}

std::optional<std::string> bad_name(std::string const& name, std::set<std::string>& names) {
  if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
    return fmt::format("got \"{}\", expected letters, digits, _ and -", name);
  if (!names.insert(name).second) return fmt::format("got \"{}\" twice, expected different names", name);
  return std::nullopt;
}

std::optional<std::string> too_many(double shapes) {
  double const memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  if (shapes * 20000 <= memory) return std::nullopt;
  return fmt::format("got {:.0f} shapes, expected at most {:.0f} in the memory of this machine", shapes,
                     memory / 20000);
}

std::optional<std::string> invalid(SceneFile const& file) { return Check(file).run(); }

}  // namespace demeter::simulations
