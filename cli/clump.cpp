// A clump from a file: positions and radii as DEM codes exchange them, and the mass properties of their union.
#include "verbs.hpp"

#ifdef DEMETER_CLUMPS

#include "cli/core/command.hpp"

#include "fast/clump_grid_mass_properties.hpp"
#include "fast/clump_mass_properties.hpp"
#include "fast/clump_union_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

namespace demeter::cli {
namespace {

namespace exact = clump_union_mass_properties;
namespace additive = clump_mass_properties;
namespace grid = clump_grid_mass_properties;
using Sphere = exact::Ball<double>;
using Spheres = std::vector<Sphere>;
using Point = Vector3<double>;

// ---------------------------------------------------------------------------------------------------- reading a file

/// What stands in the cells of a row: x, y, z, radius.
constexpr std::array<std::string_view, 4> quantities = {"x", "y", "z", "radius"};

/// What a column's name says it is: the index of a quantity, 4 for a diameter.
std::optional<std::size_t> quantity_named(std::string_view name) {
  std::string word;
  for (char const c : name) {
    if (c == '[' || c == '(') break;  // a unit
    if (c != '"' && c != '\'' && c != ' ' && c != '_' && c != '-' && c != '.' && c != ':')
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::string const letter(quantities[axis]), number = std::to_string(axis);
    for (std::string_view const before : {"", "c", "p", "pos", "position", "centre", "center", "coord", "coordinate"})
      if (word == std::string(before) + letter) return axis;
    if (word == "points" + number || word == "coordinates" + number) return axis;
  }
  for (std::string_view const alias : {"r", "radius", "rad", "radii"})
    if (word == alias) return 3;
  for (std::string_view const alias : {"d", "diameter", "diam"})
    if (word == alias) return 4;
  return std::nullopt;
}

void split(std::string_view line, bool commas, std::vector<std::string_view>& cells) {
  cells.clear();
  if (commas) {
    for (std::size_t at = 0;;) {
      std::size_t const comma = line.find(',', at);
      cells.push_back(trimmed(line.substr(at, comma - at), " \t\r\""));
      if (comma == std::string_view::npos) return;
      at = comma + 1;
    }
  }
  constexpr std::string_view blank = " \t\r";
  for (std::size_t at = line.find_first_not_of(blank); at != std::string_view::npos;) {
    std::size_t const end = line.find_first_of(blank, at);
    cells.push_back(line.substr(at, end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(blank, end);
  }
}

/// Why the text is no finite number, or nothing.
std::optional<std::string> read_number(std::string_view text, double& value) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+') digits.remove_prefix(1);
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty() || error == std::errc::invalid_argument)
    return fmt::format("\"{}\", expected a number", text);
  if (error == std::errc::result_out_of_range) return fmt::format("{}, out of the range of a double", text);
  if (!std::isfinite(value)) return fmt::format("{}, expected a finite number", text);
  return std::nullopt;
}

class ClumpReader {
 public:
  /// Lengths are multiplied by `scale`.
  explicit ClumpReader(double scale) : scale_(scale) {}

  Spheres balls;
  std::string error;  ///< with the line's number

  void read(std::string_view text) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
    for (std::size_t at = 0; at < text.size() && error.empty();) {
      std::size_t const end = std::min(text.find('\n', at), text.size());
      ++line_;
      read_line(text.substr(at, end - at));
      at = end + 1;
    }
    if (error.empty() && balls.empty()) error = "no balls: expected lines of x, y, z and radius";
  }

 private:
  void read_line(std::string_view line) {
    line = line.substr(0, line.find_first_of("#;%"));
    if (line.find_first_not_of(" \t\r,") == std::string_view::npos) return;
    if (!begun_) {
      begun_ = true;
      commas_ = line.find(',') != std::string_view::npos;
      split(line, commas_, cells_);
      double ignored;
      if (read_number(cells_[0], ignored) && is_header()) return read_header();
    } else {
      split(line, commas_, cells_);
    }
    read_row();
  }

  bool is_header() const {
    return std::any_of(cells_.begin(), cells_.end(), [](std::string_view cell) { return quantity_named(cell); });
  }
  void read_header() {
    std::array<bool, 4> found{};
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      auto const named = quantity_named(cells_[i]);
      if (!named) continue;
      std::size_t const which = std::min<std::size_t>(*named, 3);
      if (found[which]) return fail(fmt::format("column \"{}\": a second {}", cells_[i], quantities[which]));
      found[which] = true;
      column_[which] = i;
      if (which == 3) diameter_ = *named == 4;
    }
    for (std::size_t which = 0; which < 4; ++which)
      if (!found[which]) return fail(fmt::format("no column for {}", quantities[which]));
    columns_ = cells_.size();
  }

  void read_row() {
    if (cells_.size() != columns_)
      return fail(
          fmt::format("ball {}: {} values, expected {}{}", balls.size(), cells_.size(), columns_,
                      columns_ == 4 && cells_.size() > 4 ? ": x y z radius (a header names other columns)" : ""));
    std::array<double, 4> values;
    for (std::size_t which = 0; which < 4; ++which) {
      auto wrong = read_number(cells_[column_[which]], values[which]);
      double const given = values[which];
      if (!wrong && which == 3 && diameter_) values[which] /= 2;
      if (!wrong) values[which] *= scale_;
      if (!wrong && !std::isfinite(values[which])) wrong = fmt::format("{} times {}, out of range", given, scale_);
      if (!wrong && which == 3 && !(values[which] > 0))
        wrong = given > 0 ? fmt::format("{} times {}, below the least double", given, scale_)
                          : fmt::format("{}, expected > 0", given);
      if (wrong) return fail(fmt::format("ball {}: {}: {}", balls.size(), quantities[which], *wrong));
    }
    balls.push_back({{values[0], values[1], values[2]}, values[3]});
  }

  void fail(std::string message) { error = fmt::format("line {}: {}", line_, message); }

  double scale_;
  std::vector<std::string_view> cells_;
  std::array<std::size_t, 4> column_{0, 1, 2, 3};
  std::size_t columns_ = 4, line_ = 0;
  bool begun_ = false, commas_ = false, diameter_ = false;
};

bool read_all(InputFile const& file, std::string& text) {
  std::size_t size = 0;
  do {
    size = text.size();
    text.resize(std::max<std::size_t>(2 * size, 1 << 16));
    text.resize(size + std::fread(text.data() + size, 1, text.size() - size, file.stream()));
  } while (text.size() > size);
  return std::ferror(file.stream()) == 0;
}

// ------------------------------------------------------------------------------------------------- what balls there
// are

/// Balls that change nothing, and how the others hang together.
struct Arrangement {
  std::size_t duplicates = 0;  ///< given before
  std::size_t contained = 0;   ///< inside another one, and no duplicates
  std::size_t parts = 0;       ///< of balls that overlap or touch
  std::size_t largest = 0;     ///< balls of the largest part, without duplicates
  std::vector<bool> hidden;    ///< duplicates and contained ones
};

/// Balls in cells of twice to four times their own size, one size for each power of two of a radius: what overlaps a
/// ball and is no smaller by a factor of two stands in the 27 cells about it of each coarser size.
class Neighbours {
 public:
  Neighbours(Spheres const& balls, std::vector<std::size_t> const& chosen) {
    for (std::size_t const i : chosen) {
      int const own = level(balls[i].radius);
      levels_.push_back(own);
      placed_.push_back({cell(balls[i].centre, own), balls[i].centre, balls[i].radius, i, own});
    }
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    // Rows of cells along x stand together.
    std::sort(placed_.begin(), placed_.end(), [](Placed const& a, Placed const& b) {
      return std::tuple(a.level, a.cell[2], a.cell[1], a.cell[0], a.index) <
             std::tuple(b.level, b.cell[2], b.cell[1], b.cell[0], b.index);
    });
    head_.assign(std::bit_ceil(2 * placed_.size()), none);
    for (std::size_t k = placed_.size(); k-- > 0;) head_[find(placed_[k].level, placed_[k].cell)] = k;
  }

  /// `visit(i, j)` for every pair of balls that may overlap, j no smaller than i by a factor of two; some of them
  /// twice.
  template <class Visit>
  void for_each_pair(Visit const& visit) const {
    for (Placed const& ball : placed_)
      for (auto l = std::lower_bound(levels_.begin(), levels_.end(), ball.level); l != levels_.end(); ++l) {
        Point const middle = cell(ball.centre, *l);
        for (int step = 0; step < 27; ++step) {
          Point const at = middle + Point(step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1);
          for (std::size_t k = head_[find(*l, at)]; k < placed_.size() && same(placed_[k], *l, at); ++k) {
            double const reach = 1.001 * (ball.radius + placed_[k].radius);
            Point const d = (placed_[k].centre - ball.centre).cwiseAbs();
            if (d.maxCoeff() <= reach && placed_[k].index != ball.index) visit(ball.index, placed_[k].index);
          }
        }
      }
  }

 private:
  struct Placed {
    Point cell, centre;
    double radius;
    std::size_t index;
    int level;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  static int level(double radius) { return std::ilogb(radius); }
  static Point cell(Point const& x, int level) {
    if (std::abs(level) < 1000) {
      double const inverse = std::ldexp(1.0, -level - 2);
      return {std::floor(x[0] * inverse), std::floor(x[1] * inverse), std::floor(x[2] * inverse)};
    }
    auto const of = [level](double coordinate) { return std::floor(std::ldexp(coordinate, -level - 2)); };
    return {of(x[0]), of(x[1]), of(x[2])};
  }
  static bool same(Placed const& ball, int level, Point const& at) { return ball.level == level && ball.cell == at; }

  /// Where the first ball of this cell is noted, or would be: open addressing.
  std::size_t find(int level, Point const& at) const {
    auto hash = static_cast<std::uint64_t>(level);
    for (double const x : at) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    std::size_t slot = static_cast<std::size_t>(hash) & (head_.size() - 1);
    while (head_[slot] != none && !same(placed_[head_[slot]], level, at)) slot = (slot + 1) & (head_.size() - 1);
    return slot;
  }

  std::vector<Placed> placed_;
  std::vector<int> levels_;
  std::vector<std::size_t> head_;
};

Arrangement arrangement(Spheres const& balls) {
  Arrangement result;
  result.hidden.assign(balls.size(), false);
  std::vector<std::size_t> order(balls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const key = [&](std::size_t i) {
    Sphere const& ball = balls[i];
    return std::tuple(ball.centre[0], ball.centre[1], ball.centre[2], ball.radius);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && key(order[k]) == key(order[k - 1])) {
      ++result.duplicates;
      result.hidden[order[k]] = true;
    } else {
      chosen.push_back(order[k]);
    }
  }

  std::vector<std::size_t> parent(balls.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  auto const root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  Neighbours const neighbours(balls, chosen);
  neighbours.for_each_pair([&](std::size_t i, std::size_t j) {
    using Wide = long double;
    Wide const a = balls[i].radius, b = balls[j].radius;
    Wide const square = (balls[i].centre.cast<Wide>() - balls[j].centre.cast<Wide>()).squaredNorm();
    if (square > (a + b) * (a + b)) return;
    parent[root(i)] = root(j);
    if (b > a && square <= (b - a) * (b - a)) result.hidden[i] = true;
  });
  std::vector<std::size_t> size(balls.size(), 0);
  for (std::size_t const i : chosen) {
    if (result.hidden[i]) ++result.contained;
    result.largest = std::max(result.largest, ++size[root(i)]);
    if (root(i) == i) ++result.parts;
  }
  return result;
}

// ------------------------------------------------------------------------------------------------------ mass
// properties

additive::Output<double> sum_of_balls(Spheres const& balls, double density) {
  additive::Input<double> in;
  in.members.reserve(balls.size());
  for (Sphere const& ball : balls) {
    double const r = ball.radius, mass = 4.1887902047863909846 * r * r * r * density;
    in.members.push_back({ball.centre, {1, 0, 0, 0}, mass, Point::Constant(0.4 * mass * r * r)});
  }
  return additive::fast::evaluate(in);
}

grid::Output<double> sampled(Spheres const& balls, double density, double cells, grid::Method method) {
  grid::Input<double> in{density, cells, method, {}};
  in.balls.reserve(balls.size());
  for (Sphere const& ball : balls) in.balls.push_back({ball.centre, ball.radius});
  return grid::fast::evaluate(in);
}

/// The columns are the principal axes, in the order of the moments.
Eigen::Matrix3d axes_of(Quaternion<double> const& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

// ------------------------------------------------------------------------------------------------------------ a
// picture

constexpr std::size_t most_drawn = 20'000;

std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '<' || c == '>' || c == '&' || c == '"')
      result += fmt::format("&#{};", static_cast<int>(c));
    else
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result;
}

/// One orthographic view: which axes go right and up, and which towards the viewer.
struct View {
  Eigen::Index right, up, near;
  double towards;  ///< the viewer is at + or - infinity along `near`
  std::string_view title;
};

/// Three views of shaded balls, farther ones first, and the principal axes through the centroid, each as long on both
/// sides as the body's radius of gyration about it times two.
std::string picture(Spheres const& balls, std::vector<bool> const& hidden, exact::Output<double> const& body,
                    std::string_view name) {
  constexpr double side = 360, margin = 24;
  constexpr std::array views = {View{0, 1, 2, 1, "from +z"}, View{0, 2, 1, -1, "from -y"}, View{1, 2, 0, 1, "from +x"}};
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < balls.size(); ++i)
    if (!hidden[i]) drawn.push_back(i);
  std::size_t const visible = drawn.size();
  if (drawn.size() > most_drawn) {
    std::nth_element(drawn.begin(), drawn.begin() + most_drawn, drawn.end(),
                     [&](std::size_t i, std::size_t j) { return balls[i].radius > balls[j].radius; });
    drawn.resize(most_drawn);
  }
  Point low = balls[drawn[0]].centre, high = low;
  for (Sphere const& ball : balls) {
    low = low.cwiseMin(ball.centre - Point::Constant(ball.radius));
    high = high.cwiseMax(ball.centre + Point::Constant(ball.radius));
  }
  double const extent = (high - low).maxCoeff(), unit = (side - 2 * margin) / extent;
  Point const middle = low + (high - low) / 2;

  std::string text;
  auto const put = [&text](auto format, auto const&... values) {
    fmt::format_to(std::back_inserter(text), format, values...);
  };
  put(FMT_STRING("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<title>{}</title>\n"
                 "<defs><radialGradient id=\"ball\" cx=\"0.36\" cy=\"0.34\" r=\"0.72\"><stop offset=\"0\" "
                 "stop-color=\"#f4ead8\"/><stop offset=\"0.6\" stop-color=\"#c9a86a\"/><stop offset=\"1\" "
                 "stop-color=\"#7d6234\"/></radialGradient></defs>\n<rect width=\"100%\" height=\"100%\" "
                 "fill=\"#ffffff\"/>\n"),
      3 * side, side + 24, escaped(name));
  constexpr std::array<std::string_view, 3> colours = {"#0072b2", "#d55e00", "#009e73"};
  Eigen::Matrix3d const axes = axes_of(body.orientation);
  for (std::size_t v = 0; v < views.size(); ++v) {
    View const& view = views[v];
    auto const px = [&](Point const& x) { return side / 2 + unit * (x[view.right] - middle[view.right]); };
    auto const py = [&](Point const& x) { return side / 2 - unit * (x[view.up] - middle[view.up]); };
    std::sort(drawn.begin(), drawn.end(), [&](std::size_t i, std::size_t j) {
      double const a = view.towards * balls[i].centre[view.near], b = view.towards * balls[j].centre[view.near];
      return a < b || (a == b && i < j);
    });
    put(FMT_STRING("<g transform=\"translate({:.0f} 0)\">\n<g fill=\"url(#ball)\">\n"), side * static_cast<double>(v));
    for (std::size_t const i : drawn)
      put(FMT_STRING("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n"), px(balls[i].centre), py(balls[i].centre),
          unit * balls[i].radius);
    put(FMT_STRING("</g>\n"));
    for (std::size_t a = 0; a < 3; ++a) {
      auto const axis = static_cast<Eigen::Index>(a);
      Point const arm = 2 * std::sqrt(body.principal[axis] / body.mass) * axes.col(axis);
      if (!arm.allFinite()) continue;
      Point const from = body.centroid - arm, to = body.centroid + arm;
      put(FMT_STRING("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
                     "stroke-width=\"2\"/><text x=\"{:.2f}\" y=\"{:.2f}\" fill=\"{}\">{}</text>\n"),
          px(from), py(from), px(to), py(to), colours[a], px(to) + 4, py(to) - 4, colours[a], a + 1);
    }
    put(FMT_STRING("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}: {} right, {} up</text>\n</g>\n"),
        side / 2, side + 4, view.title, quantities[static_cast<std::size_t>(view.right)],
        quantities[static_cast<std::size_t>(view.up)]);
  }
  put(FMT_STRING("<text x=\"{:.0f}\" y=\"{:.0f}\">{}{} balls, {:.4g} across; principal axes 1, 2, 3 in the order of "
                 "the moments</text>\n</svg>\n"),
      margin, side + 20, visible > most_drawn ? fmt::format("the {} largest of ", most_drawn) : "", visible, extent);
  return text;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Why the picture could not be written, or nothing.
std::optional<std::string> write_picture(std::string const& path, std::string const& svg) {
  bool const page = ends_with(path, ".html");
  std::FILE* const file = std::fopen(path.c_str(), "w");
  bool good = file != nullptr;
  if (good && page) good = std::fputs("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n", file) >= 0;
  good = good && std::fwrite(svg.data(), 1, svg.size(), file) == svg.size();
  int const error = errno;
  if (file != nullptr && std::fclose(file) != 0 && good) return path + ": " + std::strerror(errno);
  if (!good) return path + ": " + std::strerror(error);
  return std::nullopt;
}

// ---------------------------------------------------------------------------------------------------------------
// output

struct ClumpArguments {
  std::string file, method = "centres", picture;
  double density = 1, scale = 1;
  unsigned digits = 17, cells = 0;
  bool json = false, as_case = false;
};

template <class Record>
void write_json(Output& out, std::string_view key, Record const& value) {
  static Schema const schema = schema_of<Record>();
  Table table(schema);
  append(table, value);
  out.print(",\"{}\":", key);
  write_record(schema, table, 0, out.buffer());
}

/// A line of the table: a quantity of the union, of the sum of the balls, and by how much of `size` they differ.
void line(Output& out, std::string_view name, double of_union, std::optional<double> of_sum, double size) {
  out.print("  {:<24}{:>22.15g}", name, of_union + 0.0);
  if (of_sum) {
    double const off = (*of_sum - of_union) / size;
    out.print("{:>24.15g}{:>14}", *of_sum + 0.0, std::isfinite(off) ? fmt::format("{:+.3g} %", 100 * off) : "");
  }
  out.print("\n");
}

constexpr std::array<std::string_view, 6> entries = {"xx", "yy", "zz", "xy", "xz", "yz"};

/// `sum` is that of the balls, or a sampling without principal moments.
template <class Other>
void table(Output& out, exact::Output<double> const& body, Other const& sum, double size) {
  constexpr bool sampling = requires { sum.volume; };
  if constexpr (sampling) line(out, "volume [m^3]", body.volume, sum.volume, body.volume);
  line(out, "mass [kg]", body.mass, sum.mass, body.mass);
  for (Eigen::Index i = 0; i < 3; ++i)
    line(out, fmt::format("centroid {} [m]", quantities[static_cast<std::size_t>(i)]), body.centroid[i],
         sum.centroid[i], size);
  double const largest = body.inertia.head<3>().maxCoeff();
  for (Eigen::Index i = 0; i < 6; ++i)
    line(out, fmt::format("inertia {} [kg m^2]", entries[static_cast<std::size_t>(i)]), body.inertia[i], sum.inertia[i],
         largest);
  if constexpr (!sampling)
    for (Eigen::Index i = 0; i < 3; ++i)
      line(out, fmt::format("moment {} [kg m^2]", i + 1), body.principal[i], sum.principal[i], largest);
}

struct Properties {
  Spheres const& balls;
  Arrangement const& arrangement;
  exact::Output<double> body;
  additive::Output<double> sum;
  std::optional<grid::Output<double>> grid;
  std::optional<TextTable> reference;
};

void print_json(Output& out, ClumpArguments const& options, std::string_view name, Properties const& found) {
  out.print("{{\"file\":");
  write_string(std::string(name), out.buffer());
  out.print(",\"balls\":{},\"duplicates\":{},\"contained\":{},\"parts\":{},\"largest_part\":{},\"density\":{}",
            found.balls.size(), found.arrangement.duplicates, found.arrangement.contained, found.arrangement.parts,
            found.arrangement.largest, options.density);
  write_json(out, "union", found.body);
  write_json(out, "sum_of_balls", found.sum);
  if (found.grid) {
    out.print(",\"cells\":{},\"method\":\"{}\"", options.cells, options.method);
    write_json(out, "grid", *found.grid);
  }
  if (found.reference) {
    out.print(",\"reference\":");
    write_record(find_kernel(exact::Contract::name)->output, *found.reference, 0, true, out.buffer());
  }
  out.print("}}\n");
}

void print_text(Output& out, ClumpArguments const& options, std::string_view name, Properties const& found) {
  Arrangement const& balls = found.arrangement;
  out.print("{}: {} balls, {} given twice, {} inside another, {}\n\n", name, found.balls.size(), balls.duplicates,
            balls.contained,
            balls.parts == 1 ? "all connected"
                             : fmt::format("{} parts, {} balls not in the largest", balls.parts,
                                           found.balls.size() - balls.duplicates - balls.largest));
  exact::Output<double> const& body = found.body;
  double const size = std::cbrt(body.volume);
  out.print("  {:<24}{:>22}{:>24}{:>14}\n", "", "union", "sum of the balls", "difference");
  line(out, "volume [m^3]", body.volume, found.sum.mass / options.density, body.volume);
  line(out, "surface area [m^2]", body.surface_area, std::nullopt, 1);
  table(out, body, found.sum, size);
  Eigen::Matrix3d const axes = axes_of(body.orientation);
  for (Eigen::Index i = 0; i < 3; ++i)
    out.print("  {:<24}{:>22.15g}{:>24.15g}{:>24.15g}\n", fmt::format("axis {}", i + 1), axes(0, i), axes(1, i),
              axes(2, i));
  out.print(
      "  differences are of the mass, of the volume's cube root and of the largest inertia; the sum counts what "
      "overlaps as often as it does\n");
  if (found.grid) {
    out.print("\n  {:<24}{:>22}{:>24}{:>14}\n", "", "union",
              fmt::format("{}, {} cells", options.method.substr(0, 14), options.cells), "difference");
    table(out, body, *found.grid, size);
  }
  if (found.reference) {
    out.print("\n  reference, {} digits\n", options.digits);
    Kernel const& kernel = *find_kernel(exact::Contract::name);
    for (std::size_t k = 0; k < kernel.output.columns.size(); ++k)
      out.print("  {:<24}{}\n", kernel.output.columns[k].path, found.reference->columns[k][0]);
  }
}

int run(ClumpArguments const& options) {
  constexpr std::string_view verb = "clump";
  std::size_t method = 0;
  constexpr auto methods = labels(grid::Method{});
  while (method < methods.size() && methods[method] != options.method) ++method;
  if (method == methods.size())
    return complain(bad_usage, verb,
                    fmt::format("unknown method \"{}\"; expected {}", options.method, fmt::join(methods, ", ")));
  Kernel const* const kernel = find_kernel(exact::Contract::name);
  if (!options.picture.empty() && !ends_with(options.picture, ".svg") && !ends_with(options.picture, ".html"))
    return complain(bad_usage, verb,
                    fmt::format("--picture {}: expected a name that ends in .svg or .html", options.picture));

  InputFile file;
  if (!file.open_or_complain(verb, options.file == "-" ? "" : options.file)) return bad_usage;
  std::string text;
  if (!read_all(file, text)) return complain(broken, verb, fmt::format("{}: {}", file.name(), std::strerror(errno)));
  ClumpReader reader(options.scale);
  reader.read(text);
  text = {};
  if (!reader.error.empty()) return complain(bad_data, verb, fmt::format("{}: {}", file.name(), reader.error));

  Output out;
  exact::Input<double> const in{options.density, std::move(reader.balls)};
  if (options.as_case) {
    out.print("{{\"kernel\":\"{}\"", exact::Contract::name);
    write_json(out, "input", in);
    out.print("}}\n");
    return out.flush() ? held : complain(broken, verb, out.error());
  }
  Arrangement const balls = arrangement(in.balls);
  Properties found{in.balls, balls, exact::fast::evaluate(in), sum_of_balls(in.balls, options.density), {}, {}};
  if (options.cells > 0) {
    found.grid = sampled(in.balls, options.density, options.cells, static_cast<grid::Method>(method));
    if (std::isnan(found.grid->volume))
      return complain(bad_usage, verb,
                      fmt::format("--cells {}: more than 2^30 cells in the box, or 2^20 along an axis", options.cells));
  }
  if (options.digits > 17) {
    Table cases(kernel->input);
    append(cases, in);
    found.reference = empty_text(kernel->output);
    kernel->evaluate_text(0, Arithmetic{}, options.digits, cases, 0, *found.reference);
  }
  if (!options.picture.empty())
    if (auto const wrong = write_picture(options.picture, picture(in.balls, balls.hidden, found.body, file.name())))
      return complain(bad_usage, verb, *wrong);
  options.json ? print_json(out, options, file.name(), found) : print_text(out, options, file.name(), found);
  return out.flush() ? held : complain(broken, verb, out.error());
}

}  // namespace

Run clump(CLI::App& app) {
  auto* verb = app.add_subcommand("clump", "a clump from a file: mass properties of the union of its balls");
  auto options = std::make_shared<ClumpArguments>();
  verb->add_option(
          "file", options->file,
          "lines of x y z radius, blanks or commas between them; a header names other columns (x, y, z, radius "
          "or diameter; cx, pos_x, centre_x, r, ... too); #, ; and % begin a comment; - for standard input")
      ->required();
  verb->add_option("--density", options->density, "mass per volume")->check(positive_number())->capture_default_str();
  verb->add_option("--scale", options->scale, "what lengths are multiplied by, 0.001 for a file in millimetres")
      ->check(positive_number())
      ->capture_default_str();
  verb->add_option("--cells", options->cells, "compare with a grid of this many cells in the smallest radius")
      ->check(whole_number(1, 1 << 20));
  verb->add_option("--method", options->method, "of the grid: centres, centres_with_self_inertia or columns")
      ->capture_default_str();
  verb->add_option("--digits", options->digits, "above 17: the reference's answer too, with that many digits")
      ->check(whole_number(1, 10000))
      ->capture_default_str();
  verb->add_option("--picture", options->picture,
                   "draw the clump from three sides with its principal axes: .svg, .html");
  auto* const json = verb->add_flag("--json", options->json, "one JSON object");
  verb->add_flag("--as-case", options->as_case,
                 "only the case, as demeter evaluate clump_union_mass_properties takes it")
      ->excludes(json);
  verb->footer("Example:\n  echo -e '0 0 0 0.5\\n0 0 0.8 0.4' | demeter clump - --density 2600 --picture clump.svg");
  return [options]() -> int { return run(*options); };
}

}  // namespace demeter::cli

#endif
