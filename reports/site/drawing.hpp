// A figure as a list of shapes: written as SVG into a page, or drawn as PDF by gnuplot. The layout is computed here, so
// that the shapes have equal places in both. All lengths are in pixels; y points upwards.
#pragma once

#include "reports/site/placing.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter::report {

/// The font size of a figure, in pixels. On paper all text has this size.
inline constexpr double type_size = 13;
/// The font size on paper, in points.
inline constexpr double paper_type_size = 8;

/// The medium of a figure. On the screen a figure has the width that it needs, on paper the given width.
struct Sheet {
  int points = 0;  ///< 0: the screen

  bool is_paper() const { return points > 0; }
  /// Returns the width of the figure in pixels. On paper, a font of `type_size` pixels is `paper_type_size` points
  /// high.
  double width(double on_screen) const { return is_paper() ? points * type_size / paper_type_size : on_screen; }
  /// Returns the size of a small font. On paper all text has the same size.
  double small() const { return is_paper() ? type_size : 11; }
};
inline constexpr Sheet screen{}, one_column{240}, two_columns{500};

enum class Symbol { circle, square, triangle, down, diamond };

struct Place {
  double x = 0, y = 0;
};

enum class Justified { left, centre, right };

class Drawing {
 public:
  struct Stroke {
    std::string_view colour;
    double width = 1;
    bool dashed = false;
    bool operator==(Stroke const&) const = default;
  };
  struct Mark {
    Symbol symbol = Symbol::circle;
    bool filled = true;
    std::string_view colour;
    double radius = 5;
    bool operator==(Mark const&) const = default;
  };
  struct Type {
    Justified justified = Justified::left;
    double size = type_size;
    int degrees = 0;  ///< counterclockwise
    std::string_view colour = "#000000";
    bool operator==(Type const&) const = default;
  };

  Drawing() = default;
  Drawing(double width, double height) : width_(width), height_(height) {}

  void fill(Box const& box, int colour) { fills_.push_back({box, colour}); }
  void line(Stroke const& stroke, std::vector<Place> places) { of(lines_, stroke).push_back(std::move(places)); }
  void mark(Mark const& mark, Place place) { of(marks_, mark).push_back(place); }
  /// Adds a text whose middle height is at the place.
  void text(Type const& type, Place place, std::string_view text) {
    of(texts_, type).push_back({place, std::string(text)});
  }

  double width() const { return width_; }
  double height() const { return height_; }

  /// Returns an element <svg> for a page. Later kinds of shapes cover earlier ones: fills, lines, marks, texts.
  std::string svg(std::string_view label) const;

  /// Return a gnuplot script that draws `stem`.pdf from `stem`.dat, and this data. The script contains only numbers and
  /// fixed text; every text of the figure is in the data.
  std::string script(std::string_view stem) const;
  std::string data() const;

  /// Return the shapes, for tests: the places of the lines or marks with a style, and all texts.
  std::vector<std::vector<Place>> lines(Stroke const& stroke) const;
  std::vector<Place> marks(Mark const& mark) const;
  std::vector<std::pair<Place, std::string>> texts() const;
  std::vector<double> type_sizes() const;

 private:
  template <class Style, class Shape>
  using Styled = std::vector<std::pair<Style, std::vector<Shape>>>;

  template <class Style, class Shape>
  static std::vector<Shape>& of(Styled<Style, Shape>& all, Style const& style) {
    for (auto& [other, shapes] : all)
      if (other == style) return shapes;
    return all.emplace_back(style, std::vector<Shape>{}).second;
  }

  double width_ = 0, height_ = 0;
  std::vector<std::pair<Box, int>> fills_;
  Styled<Stroke, std::vector<Place>> lines_;
  Styled<Mark, Place> marks_;
  Styled<Type, std::pair<Place, std::string>> texts_;
};

/// A tic of an axis: the value and its text. Without text it is only a line of the grid.
struct Tic {
  double at = 0;
  std::string text;
};

/// Returns tics at round values, about `count` of them, with their shortest text.
std::vector<Tic> round_tics(double low, double high, int count);

/// Draw the grid, the tics and their texts: along the bottom, or along the left or right side.
void draw_across(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics);
void draw_upwards(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics);
void draw_right(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics);

/// An entry of a legend: a mark or a line if it has a colour, or a coloured box.
struct Entry {
  std::string text;
  Drawing::Mark mark{};
  Drawing::Stroke stroke{};
  int fill = -1;  ///< colour of the box, as 0xRRGGBB
};

/// Return the height of a legend whose rows have at most the given width, and draw a legend below the height `top`.
double legend_height(std::vector<Entry> const& entries, double width);
void draw_legend(Drawing& drawing, std::vector<Entry> const& entries, double left, double right, double top);

/// Returns a power of ten as text: "0.01", "1", "10⁸".
std::string power_text(int power);

/// Returns a name as a field of a gnuplot data file: without tabs, line ends, quotes and escapes, so that it cannot end
/// the field.
std::string plot_field(std::string_view name, std::size_t length = 40);

}  // namespace demeter::report
