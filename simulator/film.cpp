#include "simulator/film.hpp"

#include "base/json_text.hpp"
#include "simulator/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace demeter::simulations {

std::string_view film_page();  // the text of film.html

namespace {

using nlohmann::ordered_json;
using simulator::Form;

/// Largest number of values of bodies and contacts in a film. A value takes about 8 characters, so a page has at most 5
/// MB.
constexpr std::size_t most_numbers = 400'000;
/// Largest number of coordinates of discs in a film. A coordinate takes 4 characters, so a page has at most 16 MB.
constexpr std::size_t most_coordinates = 4'000'000;

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    auto const end = line.find(separator);
    parts.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

double value_in(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return split(text, '\n');
}

/// Returns the value in 6 significant digits, which are enough for a picture.
std::string brief(double value) { return fmt::format("{:.6g}", value); }

struct Frame {
  std::string step, time;
  std::vector<std::array<double, 7>> poses;  ///< one entry per body of the dump: position, and quaternion w, x, y, z
  std::vector<double> contacts;              ///< point and force of each contact, six numbers per contact
};

std::vector<Frame> frames_of(std::string const& dump, std::string const& contacts, std::vector<std::size_t>& bodies) {
  std::vector<Frame> frames;
  std::map<std::string, std::size_t, std::less<>> by_step;
  auto const lines = lines_of(dump);
  for (std::size_t at = 0; at + 11 <= lines.size();) {
    if (lines[at] != "ITEM: TIME") break;
    Frame frame;
    frame.time = lines[at + 1];
    frame.step = lines[at + 3];
    auto const count = static_cast<std::size_t>(value_in(lines[at + 5]));
    at += 11;
    bool const first = frames.empty();
    for (std::size_t k = 0; k < count && at < lines.size(); ++k, ++at) {
      auto const cells = split(lines[at], ' ');
      if (cells.size() < 9) break;
      if (first) bodies.push_back(static_cast<std::size_t>(value_in(cells[0])) - 1);
      frame.poses.push_back({value_in(cells[2]), value_in(cells[3]), value_in(cells[4]), value_in(cells[8]),
                             value_in(cells[5]), value_in(cells[6]), value_in(cells[7])});
    }
    by_step[frame.step] = frames.size();
    frames.push_back(std::move(frame));
  }
  auto const rows = lines_of(contacts);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    auto const cells = split(rows[k], ',');
    auto const found = cells.size() >= 16 ? by_step.find(cells[0]) : by_step.end();
    if (found == by_step.end()) continue;
    for (std::size_t i = 10; i < 16; ++i) frames[found->second].contacts.push_back(value_in(cells[i]));
  }
  return frames;
}

template <class Numbers>
std::string joined(Numbers const& numbers) {
  std::string text;
  for (double const x : numbers) text += (text.empty() ? "" : ",") + brief(x);
  return text;
}

std::string vector_text(Vector3<double> const& v) { return fmt::format("[{},{},{}]", v[0], v[1], v[2]); }

/// Returns the position of a value in the range from `low` to `high`: a number of 24 bits, as four digits of base 64.
std::string packed(double value, double low, double high) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  double const share = high > low ? (value - low) / (high - low) : 0;
  auto const number = static_cast<unsigned>(std::lround(std::min(std::max(share, 0.0), 1.0) * 0xffffff));
  std::string text;
  for (unsigned const shift : {18U, 12U, 6U, 0U}) text += digits[(number >> shift) & 63U];
  return text;
}

/// Returns the discs, the lines and the frames as members of a JSON object. Positions are texts that packed() makes.
std::string discs_of(simulator::Simulation const& simulation, std::vector<Frame> const& frames) {
  Vector2<double> low(0, 0), high(0, 0);
  bool first = true;
  auto const include = [&](double x, double y) {
    Vector2<double> const at(x, y);
    low = first ? at : Vector2<double>(low.cwiseMin(at));
    high = first ? at : Vector2<double>(high.cwiseMax(at));
    first = false;
  };
  for (auto const& frame : frames)
    for (auto const& pose : frame.poses) include(pose[0], pose[1]);
  std::size_t coordinates = 0, forces = 0;
  for (auto const& frame : frames) {
    coordinates += 2 * frame.poses.size();
    forces += frame.contacts.size();
  }
  std::size_t const stride = coordinates / most_coordinates + 1;
  std::string data = fmt::format("\"low\":[{},{}],\"high\":[{},{}],\"discs\":[", low[0], low[1], high[0], high[1]);
  std::string comma;
  for (auto const& shape : simulation.shapes)
    if (shape.form == Form::disc) data += std::exchange(comma, ",") + brief(shape.radius);
  data += "],\"lines\":[";
  comma.clear();
  for (auto const& line : simulation.boundary)
    data += fmt::format("{}[{},{},{},{},{}]", std::exchange(comma, ","), line.from[0], line.from[1], line.to[0],
                        line.to[1], std::isfinite(line.until) ? fmt::format("{}", line.until) : "null");
  data += "],\"frames\":[";
  for (std::size_t k = 0; k < frames.size(); k += stride) {
    std::string poses, turns;
    bool turned = false;
    for (auto const& pose : frames[k].poses) {
      poses += packed(pose[0], low[0], high[0]) + packed(pose[1], low[1], high[1]);
      // Half the rotation angle about z.
      turns += (turns.empty() ? "" : ",") + fmt::format("{:.3g}", std::atan2(pose[6], pose[3]));
      turned = turned || pose[6] != 0;
    }
    data += fmt::format("{}[{},\"{}\",[{}],[{}]]", k > 0 ? "," : "", brief(value_in(frames[k].time)), poses,
                        forces <= most_numbers ? joined(frames[k].contacts) : "", turned ? turns : "");
  }
  return data + "]";
}

std::string series_of(std::string const& table) {
  static constexpr std::array<std::string_view, 13> wanted{"time",   "kinetic",  "potential",    "stored", "dissipated",
                                                           "energy", "gained",   "damping_work", "passed", "contacts",
                                                           "sweeps", "residual", "overlap"};
  auto const rows = lines_of(table);
  auto const head = split(rows.front(), ',');
  std::string text;
  std::size_t const stride = std::max<std::size_t>(1, rows.size() / 1500);
  for (auto const name : wanted) {
    auto const column = static_cast<std::size_t>(std::find(head.begin(), head.end(), name) - head.begin());
    std::string numbers;
    for (std::size_t k = 1; k < rows.size(); k += stride) {
      auto const cells = split(rows[k], ',');
      if (column < cells.size()) numbers += (numbers.empty() ? "" : ",") + brief(value_in(cells[column]));
    }
    text += fmt::format("{}\"{}\":[{}]", text.empty() ? "" : ",", name, numbers);
  }
  return text;
}

}  // namespace

std::optional<std::string> write_film(SceneFile const& file, simulator::Simulation const& simulation,
                                      std::filesystem::path const& folder) {
  // Demeter wrote these files, so there is no limit on their length.
  auto const read_written = [&](char const* name) {
    return read_whole(folder / name, std::numeric_limits<std::size_t>::max() / 2);
  };
  auto const dump = read_written("trajectory.dump"), contacts = read_written("contacts.csv"),
             table = read_written("observables.csv");
  if (!dump || !contacts || !table)
    return fmt::format("{}: expected the files trajectory.dump, contacts.csv and observables.csv in this folder",
                       folder.string());
  std::vector<std::size_t> bodies;
  auto const frames = frames_of(*dump, *contacts, bodies);
  std::size_t numbers = 0;
  for (auto const& frame : frames) numbers += 7 * frame.poses.size() + frame.contacts.size();
  std::size_t const stride = numbers / most_numbers + 1;

  std::string data = "{\"title\":" + json_text(file.scene.scene.title) + ",\"name\":" + json_text(file.name);
  data += ",\"bodies\":[";
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k] < simulation.bodies.size() && simulation.bodies[bodies[k]].form != Form::disc)
      data += (k > 0 ? "," : "") + json_text(simulation.bodies[bodies[k]].name);
  data += "],\"shapes\":[";
  bool first = true;
  for (auto const& shape : simulation.shapes) {
    if (is_boundary(shape.form) || shape.form == Form::disc) continue;
    auto const at = std::find(bodies.begin(), bodies.end(), shape.body);
    if (at == bodies.end()) continue;
    data += fmt::format("{}{{\"body\":{},\"centre\":{},\"half\":{},\"radius\":{}}}", first ? "" : ",",
                        at - bodies.begin(), vector_text(shape.centre), vector_text(shape.half), shape.radius);
    first = false;
  }
  data += "],\"walls\":[";
  first = true;
  for (auto const& body : file.scene.body) {
    if (body.shape != Form::wall) continue;
    data += fmt::format("{}{{\"axis\":{},\"at\":{}}}", first ? "" : ",", body.axis,
                        body.position[static_cast<Index>(body.axis)].value);
    first = false;
  }
  data += "],";
  if (simulation.dynamics == simulator::Dynamics::nonsmooth) {
    data += discs_of(simulation, frames);
  } else {
    data += "\"frames\":[";
    for (std::size_t k = 0; k < frames.size(); k += stride) {
      std::string poses;
      for (auto const& pose : frames[k].poses) poses += (poses.empty() ? "" : ",") + joined(pose);
      data += fmt::format("{}[{},[{}],[{}]]", k > 0 ? "," : "", brief(value_in(frames[k].time)), poses,
                          joined(frames[k].contacts));
    }
    data += "]";
  }
  auto const view = cast<simulator::View<double>>(file.scene.view);
  data += fmt::format(",\"series\":{{{}}},\"view\":{{\"direction\":{},\"up\":{},\"contacts\":{},\"speed\":{}}}}}",
                      series_of(*table), vector_text(view.direction), vector_text(view.up), view.contacts, view.speed);
  // A "<" in a name could end the script of the page, or begin a comment or another script in it. Only names contain
  // "<".
  for (auto at = data.find('<'); at != std::string::npos; at = data.find('<', at)) data.replace(at, 1, "\\u003c");
  std::string page(film_page());
  auto const at = page.find("DATA");
  page.replace(at, 4, data);
  return write_whole(folder / "film.html", page, Links::replaced);
}

}  // namespace demeter::simulations
