#include "reports/family/clump/picture.hpp"

#include "base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace demeter::clump_file {
namespace {

using Point = Vector3<double>;

constexpr std::size_t most_drawn = 20'000;
constexpr double side = 360, margin = 24;  // width and height of a view, and the margin inside it

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

/// An orthographic view: the axes that point to the right, up, and along the viewing direction.
struct View {
  Index right, up, near;
  double towards;  ///< +1 or -1: the viewer is infinitely far away at this end of the axis `near`
  std::string_view title;
};
constexpr std::array views = {View{0, 1, 2, 1, "from +z"}, View{0, 2, 1, -1, "from -y"}, View{1, 2, 0, 1, "from +x"}};

/// The box around all balls, centred in each view. Lengths are multiplied by a power of two. The clump then has a size
/// of about 1. Without this scaling, lengths of the file may be too large to add, or too small to divide by.
struct Frame {
  int shift;  ///< the exponent of the power of two
  Point middle;
  double extent;  ///< the longest edge of the box
  double unit = (side - 2 * margin) / extent;

  double shifted(double length) const { return std::ldexp(length, shift); }
  double length(double given) const { return unit * shifted(given); }
  double x(View const& view, Point const& point) const {
    return side / 2 + unit * (shifted(point[view.right]) - middle[view.right]);
  }
  double y(View const& view, Point const& point) const {
    return side / 2 - unit * (shifted(point[view.up]) - middle[view.up]);
  }
};

Frame frame_about(std::vector<Ball> const& balls) {
  double largest = 0, radius = 0;
  for (Ball const& ball : balls) {
    radius = std::max(radius, ball.radius);
    largest = std::max({largest, ball.radius, ball.centre.cwiseAbs().maxCoeff()});
  }
  int const shift = -std::ilogb(largest) - 2;
  auto const shifted = [shift](double length) { return std::ldexp(length, shift); };
  Point low = balls[0].centre.unaryExpr(shifted), high = low;
  for (Ball const& ball : balls) {
    Point const centre = ball.centre.unaryExpr(shifted);
    low = low.cwiseMin(centre - Point::Constant(shifted(ball.radius)));
    high = high.cwiseMax(centre + Point::Constant(shifted(ball.radius)));
  }
  double extent = (high - low).maxCoeff();
  if (!(extent > 0))
    extent = 2 * shifted(radius);       // the balls are so far from the origin that rounding removes the radii
  extent = std::max(extent, 0x1p-500);  // used as a divisor
  return {shift, low + (high - low) / 2, extent};
}

/// Keeps the largest balls if there are too many to draw.
void keep_largest(std::vector<std::size_t>& drawn, std::vector<Ball> const& balls) {
  if (drawn.size() <= most_drawn) return;
  std::nth_element(drawn.begin(), drawn.begin() + most_drawn, drawn.end(),
                   [&](std::size_t i, std::size_t j) { return balls[i].radius > balls[j].radius; });
  drawn.resize(most_drawn);
}

template <class... Values>
void put(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

void put_balls(std::string& text, Frame const& frame, View const& view, std::vector<Ball> const& balls,
               std::vector<std::size_t>& drawn) {
  std::sort(drawn.begin(), drawn.end(), [&](std::size_t i, std::size_t j) {
    double const a = view.towards * balls[i].centre[view.near], b = view.towards * balls[j].centre[view.near];
    return a < b || (a == b && i < j);
  });
  text += "<g fill=\"url(#ball)\">\n";
  for (std::size_t const i : drawn)
    put(text, "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n", frame.x(view, balls[i].centre),
        frame.y(view, balls[i].centre), frame.length(balls[i].radius));
  text += "</g>\n";
}

void put_axes(std::string& text, Frame const& frame, View const& view, Body const& body) {
  constexpr std::array<std::string_view, 3> colours = {"#0072b2", "#d55e00", "#009e73"};
  Matrix3<double> const axes = axes_of(body.orientation);
  for (Index axis = 0; axis < 3; ++axis) {
    Point const arm = 2 * std::sqrt(body.principal[axis] / body.mass) * axes.col(axis);
    Point const from = body.centroid - arm, to = body.centroid + arm;
    if (!from.allFinite() || !to.allFinite()) continue;
    std::string_view const colour = colours[static_cast<std::size_t>(axis)];
    put(text,
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" stroke-width=\"2\"/>"
        "<text x=\"{:.2f}\" y=\"{:.2f}\" fill=\"{}\">{}</text>\n",
        frame.x(view, from), frame.y(view, from), frame.x(view, to), frame.y(view, to), colour, frame.x(view, to) + 4,
        frame.y(view, to) - 4, colour, axis + 1);
  }
}

}  // namespace

Matrix3<double> axes_of(Quaternion<double> const& q) {
  double const w = q[0], x = q[1], y = q[2], z = q[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

std::string picture(std::vector<Ball> const& balls, std::vector<bool> const& hidden, Body const& body,
                    std::string_view name) {
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < balls.size(); ++i)
    if (!hidden[i]) drawn.push_back(i);
  std::size_t const visible = drawn.size();
  keep_largest(drawn, balls);
  Frame const frame = frame_about(balls);

  std::string text;
  put(text,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<!-- {} -->\n<title>{}</title>\n"
      "<defs><radialGradient id=\"ball\" cx=\"0.36\" cy=\"0.34\" r=\"0.72\"><stop offset=\"0\" "
      "stop-color=\"#f4ead8\"/><stop offset=\"0.6\" stop-color=\"#c9a86a\"/><stop offset=\"1\" "
      "stop-color=\"#7d6234\"/></radialGradient></defs>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      3 * side, side + 24, output_mark, escaped(name));
  double left = 0;
  for (View const& view : views) {
    put(text, "<g transform=\"translate({:.0f} 0)\">\n", left);
    put_balls(text, frame, view, balls, drawn);
    put_axes(text, frame, view, body);
    put(text, "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}: {} right, {} up</text>\n</g>\n", side / 2,
        side + 4, view.title, quantities[static_cast<std::size_t>(view.right)],
        quantities[static_cast<std::size_t>(view.up)]);
    left += side;
  }
  put(text,
      "<text x=\"{:.0f}\" y=\"{:.0f}\">{}{} balls, {:.4g} across; principal axes 1, 2, 3 in the order of the "
      "moments</text>\n</svg>\n",
      margin, side + 20, visible > most_drawn ? fmt::format("the {} largest of ", most_drawn) : "", visible,
      std::ldexp(frame.extent, -frame.shift));
  return text;
}

std::optional<std::string> write_picture(std::string const& path, std::string const& svg) {
  return write_whole(path, path.ends_with(".html") ? "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n" + svg : svg);
}

}  // namespace demeter::clump_file
