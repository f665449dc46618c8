// The verb `clump`: reads the positions and radii of balls from a file as DEM codes exchange it, and prints the mass
// properties of their union. The verb finds its kernels by name. So a build without these kernels has the verb too, and
// the verb reports the missing kernel.
#include "cli/core/command.hpp"

#include "reports/family/clump/arrangement.hpp"
#include "reports/family/clump/picture.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace demeter::cli {
namespace {

using Balls = std::vector<clump_file::Ball>;

// ---------------------------------------------------------------------------------------------- asking kernels by name

constexpr std::string_view union_kernel = "clump_union_mass_properties", sum_kernel = "clump_mass_properties",
                           grid_kernel = "clump_grid_mass_properties";

/// Returns the kernel, or null after an error message.
Kernel const* needed_kernel(std::string_view name) {
  Kernel const* const kernel = find_kernel(name);
  if (kernel == nullptr) complain(bad_usage, "clump", fmt::format("this build does not have the kernel {}", name));
  return kernel;
}

std::size_t column(Schema const& schema, std::string_view path) {
  for (std::size_t k = 0; k < schema.columns.size(); ++k)
    if (schema.columns[k].path == path) return k;
  throw std::logic_error(fmt::format("demeter clump: no column {}", path));
}

/// Builds one case, field by field.
class Case {
 public:
  explicit Case(Kernel const& kernel) : schema_(kernel.input), table_(kernel.input) { table_.rows = 1; }

  void number(std::string_view path, double value) { table_.columns[column(schema_, path)].push_back(value); }
  /// Appends one value for each element of a list.
  template <class Value>
  void numbers(std::string_view path, Balls const& balls, Value const& value) {
    auto& cells = table_.columns[column(schema_, path)];
    cells.reserve(balls.size());
    for (auto const& ball : balls) cells.push_back(value(ball));
  }
  void list(std::string_view path, Balls const& balls) { number(path, static_cast<double>(balls.size())); }
  void vectors(std::string_view path, Balls const& balls) {
    for (Index axis = 0; axis < 3; ++axis)
      numbers(fmt::format("{}[{}]", path, axis), balls, [axis](auto const& ball) { return ball.centre[axis]; });
  }
  Table const& table() const { return table_; }

 private:
  Schema const& schema_;
  Table table_;
};

Case union_of_balls(Kernel const& kernel, Balls const& balls, double density) {
  Case in(kernel);
  in.number("density", density);
  in.list("balls", balls);
  in.vectors("balls.centre", balls);
  in.numbers("balls.radius", balls, [](auto const& ball) { return ball.radius; });
  return in;
}

Case sum_of_balls(Kernel const& kernel, Balls const& balls, double density) {
  auto const mass = [density](auto const& ball) {
    double const r = ball.radius;
    return 4.1887902047863909846 * r * r * r * density;
  };
  auto const moment = [&mass](auto const& ball) { return 0.4 * mass(ball) * ball.radius * ball.radius; };
  Case in(kernel);
  in.list("members", balls);
  in.vectors("members.position", balls);
  for (int k = 0; k < 4; ++k)
    in.numbers(fmt::format("members.orientation[{}]", k), balls, [k](auto const&) { return k == 0 ? 1.0 : 0.0; });
  in.numbers("members.mass", balls, mass);
  for (int axis = 0; axis < 3; ++axis) in.numbers(fmt::format("members.inertia[{}]", axis), balls, moment);
  return in;
}

Case grid_of_balls(Kernel const& kernel, Balls const& balls, double density, unsigned cells, std::size_t method) {
  Case in(kernel);
  in.number("density", density);
  in.number("cells", cells);
  in.number("method", static_cast<double>(method));
  in.list("balls", balls);
  in.vectors("balls.centre", balls);
  in.numbers("balls.radius", balls, [](auto const& ball) { return ball.radius; });
  return in;
}

/// The answer of the fast form of a kernel to one case.
class FastAnswer {
 public:
  FastAnswer(Kernel const& kernel, Case const& in) : kernel_(&kernel) {
    Subject const& fast = *find_subject("fast");
    answer(fast, kernel, in.table(), answers_);
  }
  double number(std::string_view path) const { return table().columns[column(kernel_->output, path)][0]; }
  template <int size>
  Vector<double, size> vector(std::string_view path) const {
    std::size_t const first = column(kernel_->output, fmt::format("{}[0]", path));
    Vector<double, size> result;
    for (Index i = 0; i < size; ++i) result[i] = table().columns[first + static_cast<std::size_t>(i)][0];
    return result;
  }
  Kernel const& kernel() const { return *kernel_; }
  Table const& table() const { return answers_.output; }

 private:
  Kernel const* kernel_;
  Answers answers_;
};

// -------------------------------------------------------------------------------------------------------------- output

struct ClumpArguments {
  InputPath file;
  std::string method = "centres";
  OutputPath picture;
  double density = 1, scale = 1;
  unsigned digits = 17, cells = 0;
  bool json = false, as_case = false;
};

void write_json(Output& out, std::string_view key, Schema const& schema, Table const& table) {
  out.print(",\"{}\":", key);
  write_record(schema, table, 0, out.buffer());
}

/// Prints a line of the table: the value for the union, the value for the sum of the balls, and their difference
/// relative to `size`.
void line(Output& out, std::string_view name, double of_union, std::optional<double> of_sum, double size) {
  out.print("  {:<24}{:>22.15g}", name, of_union + 0.0);
  if (of_sum) {
    double const off = (*of_sum - of_union) / size;
    out.print("{:>24.15g}{:>14}", *of_sum + 0.0, std::isfinite(off) ? fmt::format("{:+.3g} %", 100 * off) : "");
  }
  out.print("\n");
}

/// Prints a line for each component of a vector. `name` has a placeholder for the name of the component.
template <int size>
void lines(Output& out, std::string_view path, fmt::format_string<std::string_view const&> name,
           std::array<std::string_view, size> const& components, FastAnswer const& body, FastAnswer const& other,
           double scale) {
  auto const a = body.vector<size>(path), b = other.vector<size>(path);
  for (std::size_t i = 0; i < size; ++i) {
    auto const k = static_cast<Index>(i);
    line(out, fmt::format(name, components[i]), a[k], b[k], scale);
  }
}

/// Prints the table. `other` is the sum of the balls or a sampling. A sampling has a volume but no principal moments.
void table(Output& out, FastAnswer const& body, FastAnswer const& other, double size) {
  bool const sampling = other.kernel().name == grid_kernel;
  double const volume = body.number("volume"), mass = body.number("mass"),
               largest = body.vector<6>("inertia").head<3>().maxCoeff();
  if (sampling) line(out, "volume [m^3]", volume, other.number("volume"), volume);
  line(out, "mass [kg]", mass, other.number("mass"), mass);
  lines<3>(out, "centroid", "centroid {} [m]", {"x", "y", "z"}, body, other, size);
  lines<6>(out, "inertia", "inertia {} [kg m^2]", {"xx", "yy", "zz", "xy", "xz", "yz"}, body, other, largest);
  if (!sampling) lines<3>(out, "principal", "moment {} [kg m^2]", {"1", "2", "3"}, body, other, largest);
}

struct Properties {
  Balls const& balls;
  clump_file::Arrangement const& arrangement;
  FastAnswer body, sum;
  std::optional<FastAnswer> grid;
  std::optional<TextTable> reference;
};

void print_json(Output& out, ClumpArguments const& options, std::string_view name, Properties const& found) {
  out.print("{{\"file\":");
  write_string(std::string(name), out.buffer());
  out.print(",\"balls\":{},\"duplicates\":{},\"contained\":{},\"parts\":{},\"largest_part\":{},\"density\":{}",
            found.balls.size(), found.arrangement.duplicates, found.arrangement.contained, found.arrangement.parts,
            found.arrangement.largest, options.density);
  Schema const& schema = found.body.kernel().output;
  write_json(out, "union", schema, found.body.table());
  write_json(out, "sum_of_balls", found.sum.kernel().output, found.sum.table());
  if (found.grid) {
    out.print(",\"cells\":{},\"method\":\"{}\"", options.cells, options.method);
    write_json(out, "grid", found.grid->kernel().output, found.grid->table());
  }
  if (found.reference) {
    out.print(",\"reference\":");
    write_record(schema, *found.reference, 0, true, out.buffer());
  }
  out.print("}}\n");
}

void print_text(Output& out, ClumpArguments const& options, std::string_view name, Properties const& found) {
  clump_file::Arrangement const& balls = found.arrangement;
  out.print("{}: {} balls, {} given twice, {} inside another, {}\n\n", name, found.balls.size(), balls.duplicates,
            balls.contained,
            balls.parts == 1 ? "all connected"
                             : fmt::format("{} parts, {} balls not in the largest", balls.parts,
                                           found.balls.size() - balls.duplicates - balls.largest));
  FastAnswer const& body = found.body;
  double const volume = body.number("volume"), size = std::cbrt(volume);
  out.print("  {:<24}{:>22}{:>24}{:>14}\n", "", "union", "sum of the balls", "difference");
  line(out, "volume [m^3]", volume, found.sum.number("mass") / options.density, volume);
  line(out, "surface area [m^2]", body.number("surface_area"), std::nullopt, 1);
  table(out, body, found.sum, size);
  Matrix3<double> const axes = clump_file::axes_of(body.vector<4>("orientation"));
  for (Index i = 0; i < 3; ++i)
    out.print("  {:<24}{:>22.15g}{:>24.15g}{:>24.15g}\n", fmt::format("axis {}", i + 1), axes(0, i), axes(1, i),
              axes(2, i));
  out.print(
      "  Differences are relative to mass, V^(1/3) and the largest moment. The sum counts overlaps once per ball.\n");
  if (found.grid) {
    out.print("\n  {:<24}{:>22}{:>24}{:>14}\n", "", "union",
              fmt::format("{}, {} cells", options.method.substr(0, 14), options.cells), "difference");
    table(out, body, *found.grid, size);
  }
  if (found.reference) {
    out.print("\n  reference, {} digits\n", options.digits);
    auto const& columns = body.kernel().output.columns;
    for (std::size_t k = 0; k < columns.size(); ++k)
      out.print("  {:<24}{}\n", columns[k].path, found.reference->columns[k][0]);
  }
}

/// Returns the index of the method that --method names, or nothing after an error message.
std::optional<std::size_t> method_or_complain(Kernel const& grid, std::string_view name) {
  Node const* method = nullptr;
  for (auto const& field : grid.input.root.children)
    if (field.name == "method") method = &field;
  auto const& methods = method->labels;
  auto const at = std::find(methods.begin(), methods.end(), name);
  if (at != methods.end()) return static_cast<std::size_t>(at - methods.begin());
  complain(bad_usage, "clump", fmt::format("unknown method \"{}\"; expected {}", name, fmt::join(methods, ", ")));
  return std::nullopt;
}

/// Reads the balls of the file. Returns `held` (success), or the exit code after an error message.
int read_balls(ClumpArguments const& options, InputFile& file, Balls& balls) {
  if (!file.open_or_complain("clump", options.file == "-" ? "" : options.file)) return bad_usage;
  std::string text;
  if (!file.read_or_complain("clump", text)) return broken;
  if (auto const wrong = clump_file::read_balls(text, options.scale, balls))
    return complain(bad_data, "clump", fmt::format("{}: {}", file.name(), *wrong));
  return held;
}

int print_case(Kernel const& kernel, Case const& in) {
  Output out;
  out.print("{{\"kernel\":\"{}\"", kernel.name);
  write_json(out, "input", kernel.input, in.table());
  out.print("}}\n");
  return out.flush() ? held : complain(broken, "clump", out.error());
}

int run_clump(ClumpArguments const& options) {
  constexpr std::string_view verb = "clump";
  Kernel const* const exact = needed_kernel(union_kernel);
  Kernel const* const additive = exact == nullptr ? nullptr : needed_kernel(sum_kernel);
  if (additive == nullptr) return bad_usage;
  Kernel const* const grid = options.cells > 0 ? needed_kernel(grid_kernel) : find_kernel(grid_kernel);
  if (grid == nullptr && options.cells > 0) return bad_usage;
  auto const method = grid != nullptr ? method_or_complain(*grid, options.method) : std::optional<std::size_t>(0);
  if (!method) return bad_usage;
  if (!options.picture.empty() && !options.picture.ends_with(".svg") && !options.picture.ends_with(".html"))
    return complain(bad_usage, verb,
                    fmt::format("--picture: got {}, expected a name that ends in .svg or .html", options.picture));

  InputFile file;
  Balls balls;
  if (int const code = read_balls(options, file, balls); code != held) return code;
  Case const in = union_of_balls(*exact, balls, options.density);
  if (options.as_case) return print_case(*exact, in);
  clump_file::Arrangement const arrangement = clump_file::arrangement(balls);
  Properties found{balls,
                   arrangement,
                   FastAnswer(*exact, in),
                   FastAnswer(*additive, sum_of_balls(*additive, balls, options.density)),
                   {},
                   {}};
  if (std::isnan(found.body.number("volume")))
    return complain(
        broken, verb,
        fmt::format("{}: too many of the {} balls overlap at one place: the work grows with the cube of their number",
                    file.name(), balls.size()));
  if (options.cells > 0) {
    found.grid.emplace(*grid, grid_of_balls(*grid, balls, options.density, options.cells, *method));
    if (std::isnan(found.grid->number("volume")))
      return complain(
          bad_usage, verb,
          fmt::format("--cells: got {}, expected at most 2^30 cells in the box and 2^20 along an axis", options.cells));
  }
  if (options.digits > 17) {
    found.reference = empty_text(exact->output);
    exact->evaluate_text(0, Arithmetic{}, options.digits, in.table(), 0, *found.reference);
  }
  if (!options.picture.empty()) {
    clump_file::Body const body{found.body.number("mass"), found.body.vector<3>("centroid"),
                                found.body.vector<3>("principal"), found.body.vector<4>("orientation")};
    auto const svg = clump_file::picture(balls, arrangement.hidden, body, file.name());
    if (auto const wrong = clump_file::write_picture(options.picture, svg)) return complain(bad_usage, verb, *wrong);
  }
  Output out;
  options.json ? print_json(out, options, file.name(), found) : print_text(out, options, file.name(), found);
  return out.flush() ? held : complain(broken, verb, out.error());
}

}  // namespace

Verb clump() {
  Verb verb{"clump", "computes the mass properties of a clump from a file: the union of its balls"};
  auto options = std::make_shared<ClumpArguments>();
  verb.option("file", options->file,
              "file with one ball per line: x y z radius, separated by blanks or commas; a header can name the columns "
              "(x, y, z, radius or diameter; also cx, pos_x, centre_x, r, ...); #, ; and % begin a comment; - for "
              "standard input")
      .required();
  verb.option("--density", options->density, "density in kg/m^3").check(positive_number()).shows_default();
  verb.option("--scale", options->scale, "factor for all lengths; 0.001 for a file in millimetres")
      .check(positive_number())
      .shows_default();
  verb.option("--cells", options->cells, "compare with a grid that has this number of cells per smallest radius")
      .check(whole_number(1, 1 << 20));
  verb.option("--method", options->method, "method of the grid: centres, centres_with_self_inertia or columns")
      .needs({"--cells"})
      .shows_default();
  verb.option("--digits", options->digits,
              "significant digits; above 17: also print the answer of the reference with this number of digits")
      .check(whole_number(1, 10000))
      .shows_default();
  verb.option("--picture", options->picture,
              "file for a picture of the clump from three sides with its principal axes: .svg or .html");
  verb.flag("--json", options->json, "print one JSON object");
  verb.flag("--as-case", options->as_case,
            "print only the case, as input for demeter evaluate clump_union_mass_properties");
  verb.only_with("--as-case", {"--density", "--scale"});
  verb.example = "echo -e '0 0 0 0.5\\n0 0 0.8 0.4' | demeter clump - --density 2600 --picture clump.svg";
  verb.run = [options]() -> int { return run_clump(*options); };
  return verb;
}

}  // namespace demeter::cli
