#include "reports/site/drawing.hpp"

#include "reports/site/html.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::report {
namespace {

constexpr std::string_view grid_colour = "#e2e2e2", frame_colour = "#555555";

/// The average width of a character of type `type_size`.
constexpr double character_width = 7.3;

/// A place in tenths of a pixel, with y downwards as in SVG.
struct Tenths {
  long x = 0, y = 0;
  bool operator==(Tenths const&) const = default;
};

std::string tenths_text(long value) {
  std::string const sign = value < 0 ? "-" : "";
  long const size = std::abs(value);
  return size % 10 == 0 ? fmt::format("{}{}", sign, size / 10) : fmt::format("{}{}.{}", sign, size / 10, size % 10);
}

/// Appends two numbers, separated only where this is necessary.
void append_pair(std::string& path, Tenths const& place) {
  bool const digit = !path.empty() && path.back() >= '0' && path.back() <= '9';
  std::string const y = tenths_text(place.y);
  path += (digit && place.x >= 0 ? " " : "") + tenths_text(place.x) + (y.front() == '-' ? "" : " ") + y;
}

/// Appends a line to a path, with relative coordinates. Points on a straight line between their neighbours are omitted.
void append_line(std::string& path, std::vector<Tenths> const& places) {
  std::vector<Tenths> kept;
  for (Tenths const& place : places) {
    if (!kept.empty() && kept.back() == place) continue;
    if (kept.size() >= 2) {
      Tenths const &a = kept[kept.size() - 2], &b = kept.back();
      bool const straight = (b.x - a.x) * (place.y - b.y) == (b.y - a.y) * (place.x - b.x);
      bool const forward = (b.x - a.x) * (place.x - b.x) + (b.y - a.y) * (place.y - b.y) > 0;
      if (straight && forward) kept.pop_back();
    }
    kept.push_back(place);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Tenths const step = i == 0 ? kept[0] : Tenths{kept[i].x - kept[i - 1].x, kept[i].y - kept[i - 1].y};
    path += i == 0 ? "M" : i == 1 ? "l" : "";
    append_pair(path, step);
  }
  if (kept.size() == 1) path += "h0";
}

/// Returns the outline of a symbol with its centre at the origin, as relative steps of an SVG path.
std::string outline(Symbol symbol, double radius) {
  auto const number = [](double value) { return tenths_text(std::lround(10 * value)); };
  double const r = radius;
  switch (symbol) {
    case Symbol::circle:
      return fmt::format("m-{0} 0a{0} {0} 0 1 0 {1} 0 {0} {0} 0 1 0-{1} 0", number(r), number(2 * r));
    case Symbol::square:
      return fmt::format("m-{0}-{0}h{1}v{1}h-{1}z", number(.9 * r), number(1.8 * r));
    case Symbol::triangle:
      return fmt::format("m0-{}l{} {}h-{}z", number(1.2 * r), number(1.1 * r), number(2 * r), number(2.2 * r));
    case Symbol::down:
      return fmt::format("m0 {}l{}-{}h-{}z", number(1.2 * r), number(1.1 * r), number(2 * r), number(2.2 * r));
    case Symbol::diamond:
      return fmt::format("m0-{0}l{0} {0}-{0} {0}-{0}-{0}z", number(1.2 * r));
  }
  return "";
}

/// Returns gnuplot's number of a symbol.
int point_type(Drawing::Mark const& mark) {
  static constexpr std::array<int, 5> open{6, 4, 8, 10, 12};
  return open[static_cast<std::size_t>(mark.symbol)] + (mark.filled ? 1 : 0);
}

/// A data file with blocks of rows, which gnuplot addresses by `index`.
class Blocks {
 public:
  void append(std::string const& rows) { data += (data.empty() ? "" : "\n\n") + rows; }
  std::string data;
};

}  // namespace

std::string Drawing::svg(std::string_view label) const {
  auto const at = [&](Place const& place) {
    return Tenths{std::lround(10 * place.x), std::lround(10 * (height_ - place.y))};
  };
  std::string html;
  add(html, "<svg class=\"plot\" role=\"img\" aria-label=\"{}\" width=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\">",
      escaped(label), width_, width_, height_);
  std::vector<std::pair<int, std::string>> fills;
  for (auto const& [box, colour] : fills_) {
    auto found = std::ranges::find(fills, colour, &std::pair<int, std::string>::first);
    if (found == fills.end()) found = fills.insert(fills.end(), {colour, ""});
    Tenths const corner = at({box.left, box.top}), other = at({box.right, box.bottom});
    found->second += "M";
    append_pair(found->second, corner);
    add(found->second, "h{0}v{1}h-{0}z", tenths_text(other.x - corner.x), tenths_text(other.y - corner.y));
  }
  for (auto const& [colour, path] : fills) add(html, "<path fill=\"#{:06x}\" d=\"{}\"/>", colour, path);
  for (auto const& [stroke, lines] : lines_) {
    std::string path;
    for (auto const& line : lines) {
      std::vector<Tenths> places;
      for (Place const& place : line) places.push_back(at(place));
      append_line(path, places);
    }
    add(html, "<path class=\"line{}\" stroke=\"{}\"{} d=\"{}\"/>", stroke.dashed ? " dashed" : "", stroke.colour,
        stroke.width == 1 ? "" : fmt::format(" stroke-width=\"{}\"", stroke.width), path);
  }
  for (auto const& [mark, places] : marks_) {
    std::string const shape = outline(mark.symbol, mark.radius);
    std::string path;
    for (Place const& place : places) {
      path += "M";
      append_pair(path, at(place));
      path += shape;
    }
    if (mark.filled)
      add(html, "<path fill=\"{}\" d=\"{}\"/>", mark.colour, path);
    else
      add(html, "<path class=\"open\" stroke=\"{}\" d=\"{}\"/>", mark.colour, path);
  }
  for (auto const& [type, texts] : texts_) {
    add(html, "<g class=\"{}\" font-size=\"{}\"{}>",
        type.justified == Justified::left    ? "l"
        : type.justified == Justified::right ? "r"
                                             : "c",
        type.size, type.colour == "#000000" ? "" : fmt::format(" fill=\"{}\"", type.colour));
    for (auto const& [place, text] : texts) {
      // A third of the type's size lowers the baseline, so that the middle of the text is at the place.
      if (type.degrees == 0) {
        Tenths const low = at({place.x, place.y - type.size / 3});
        add(html, "<text x=\"{}\" y=\"{}\">{}</text>", tenths_text(low.x), tenths_text(low.y), escaped(text));
      } else {
        Tenths const here = at(place);
        add(html, "<text transform=\"translate({} {})rotate({})\" y=\"{}\">{}</text>", tenths_text(here.x),
            tenths_text(here.y), -type.degrees, tenths_text(std::lround(10 * type.size / 3)), escaped(text));
      }
    }
    html += "</g>";
  }
  return html + "</svg>";
}

std::string Drawing::script(std::string_view stem) const {
  constexpr double points = paper_type_size / type_size;  // per pixel
  std::string script =
      "set encoding utf8\nset datafile separator '\\t'\nset datafile commentschars ''\nset datafile missing '?'\n"
      "set lmargin at screen 0\nset rmargin at screen 1\nset bmargin at screen 0\nset tmargin at screen 1\n"
      "unset border\nunset tics\nunset key\n";
  add(script, "set xrange [0:{}]\nset yrange [0:{}]\n", width_, height_);
  // pdfcairo draws a font of size 1 with 4/3 points, and rounds the size of the page down to points.
  add(script, "set terminal pdfcairo noenhanced size {:.5f}in,{:.5f}in font 'sans,{}' fontscale {:.6f}\n",
      (width_ * points + .01) / 72, (height_ * points + .01) / 72, type_size, points * 3 / 4);
  add(script, "set output '{}.pdf'\n", stem);
  int index = 0;
  std::string plot;
  auto const clause = [&](std::string const& with) {
    add(plot, "{}'{}.dat' index {} {}", plot.empty() ? "plot " : ", \\\n  ", stem, index++, with);
  };
  if (!fills_.empty()) clause("using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor rgb variable");
  for (auto const& [stroke, lines] : lines_)
    clause(fmt::format("using 1:2 with lines linewidth {:.2f} dashtype {} linecolor rgb '{}'", stroke.width * points,
                       stroke.dashed ? 2 : 1, stroke.colour));
  for (auto const& [mark, places] : marks_)
    clause(fmt::format("using 1:2 with points pointtype {} pointsize {:.3f} linewidth {:.2f} linecolor rgb '{}'",
                       point_type(mark), mark.radius * points / 3.6, 1.6 * points, mark.colour));
  for (auto const& [type, texts] : texts_)
    clause(fmt::format("using 1:2:(stringcolumn(3)) with labels {} rotate by {} font ',{}' textcolor rgb '{}'",
                       type.justified == Justified::left    ? "left"
                       : type.justified == Justified::right ? "right"
                                                            : "center",
                       type.degrees, type.size, type.colour));
  return script + plot + "\n";
}

std::string Drawing::data() const {
  Blocks blocks;
  std::string rows;
  for (auto const& [box, colour] : fills_)
    add(rows, "{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{}\n", (box.left + box.right) / 2,
        (box.bottom + box.top) / 2, box.left, box.right, box.bottom, box.top, colour);
  if (!rows.empty()) blocks.append(rows);
  for (auto const& [stroke, lines] : lines_) {
    rows.clear();
    for (auto const& line : lines) {
      if (!rows.empty()) rows += "\n";  // ends the previous line
      for (Place const& place : line) add(rows, "{:.2f}\t{:.2f}\n", place.x, place.y);
    }
    blocks.append(rows);
  }
  for (auto const& [mark, places] : marks_) {
    rows.clear();
    for (Place const& place : places) add(rows, "{:.2f}\t{:.2f}\n", place.x, place.y);
    blocks.append(rows);
  }
  for (auto const& [type, texts] : texts_) {
    rows.clear();
    for (auto const& [place, text] : texts) add(rows, "{:.2f}\t{:.2f}\t{}\n", place.x, place.y, plot_field(text, 200));
    blocks.append(rows);
  }
  return blocks.data;
}

std::vector<std::vector<Place>> Drawing::lines(Stroke const& stroke) const {
  for (auto const& [other, lines] : lines_)
    if (other == stroke) return lines;
  return {};
}

std::vector<Place> Drawing::marks(Mark const& mark) const {
  for (auto const& [other, places] : marks_)
    if (other == mark) return places;
  return {};
}

std::vector<std::pair<Place, std::string>> Drawing::texts() const {
  std::vector<std::pair<Place, std::string>> all;
  for (auto const& [type, texts] : texts_) all.insert(all.end(), texts.begin(), texts.end());
  return all;
}

std::vector<double> Drawing::type_sizes() const {
  std::vector<double> sizes;
  for (auto const& [type, texts] : texts_) sizes.push_back(type.size);
  return sizes;
}

// ---- axes and legends -------------------------------------------------------------------------------------------

std::vector<Tic> round_tics(double low, double high, int count) {
  std::vector<Tic> tics;
  if (!(high > low) || !std::isfinite(high - low)) return tics;
  double const decade = std::pow(10, std::floor(std::log10((high - low) / count)));
  double step = 10 * decade;
  for (double const factor : {5.0, 2.0, 1.0})
    if (factor * decade * count >= high - low) step = factor * decade;
  for (double multiple = std::ceil(low / step); multiple * step <= high && tics.size() < 50; ++multiple) {
    double const value = multiple == 0 ? 0 : multiple * step;
    tics.push_back({value, fmt::format("{:.6g}", value)});
  }
  return tics;
}

namespace {

void draw_side(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics, bool right) {
  double const x = right ? frame.right : frame.left, out = right ? 5 : -5;
  for (Tic const& tic : tics) {
    double const y = scale.pixel(tic.at);
    if (!right) drawing.line({grid_colour}, {{frame.left, y}, {frame.right, y}});
    drawing.line({frame_colour}, {{x, y}, {x + out, y}});
    if (tic.text.empty()) continue;
    drawing.text({.justified = right ? Justified::left : Justified::right}, {x + 1.8 * out, y}, tic.text);
  }
  drawing.line({frame_colour}, {{x, frame.bottom}, {x, frame.top}});
}

}  // namespace

void draw_across(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics) {
  for (Tic const& tic : tics) {
    double const x = scale.pixel(tic.at);
    drawing.line({grid_colour}, {{x, frame.bottom}, {x, frame.top}});
    drawing.line({frame_colour}, {{x, frame.bottom}, {x, frame.bottom - 5}});
    if (!tic.text.empty()) drawing.text({.justified = Justified::centre}, {x, frame.bottom - 15}, tic.text);
  }
  drawing.line({frame_colour}, {{frame.left, frame.bottom}, {frame.right, frame.bottom}});
}

void draw_upwards(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics) {
  draw_side(drawing, frame, scale, tics, false);
}

void draw_right(Drawing& drawing, Box const& frame, Scale const& scale, std::vector<Tic> const& tics) {
  draw_side(drawing, frame, scale, tics, true);
}

namespace {

constexpr double row_height = 19, symbol_width = 24, entry_gap = 16;

double entry_width(Entry const& entry) { return symbol_width + text_width(entry.text, character_width); }

/// Returns the entries in rows of at most the given width.
std::vector<std::vector<Entry const*>> legend_rows(std::vector<Entry> const& entries, double width) {
  std::vector<std::vector<Entry const*>> rows;
  double used = 0;
  for (Entry const& entry : entries) {
    double const wide = entry_width(entry);
    if (rows.empty() || used + entry_gap + wide > width) rows.emplace_back(), used = -entry_gap;
    rows.back().push_back(&entry);
    used += entry_gap + wide;
  }
  return rows;
}

}  // namespace

double legend_height(std::vector<Entry> const& entries, double width) {
  return row_height * static_cast<double>(legend_rows(entries, width).size());
}

void draw_legend(Drawing& drawing, std::vector<Entry> const& entries, double left, double right, double top) {
  double y = top - row_height / 2;
  for (auto const& row : legend_rows(entries, right - left)) {
    double wide = -entry_gap;
    for (Entry const* entry : row) wide += entry_gap + entry_width(*entry);
    double x = (left + right - wide) / 2;
    for (Entry const* entry : row) {
      if (!entry->stroke.colour.empty()) drawing.line(entry->stroke, {{x, y}, {x + symbol_width - 6, y}});
      if (entry->fill >= 0) drawing.fill({x, y - 7, x + symbol_width - 6, y + 7}, entry->fill);
      if (!entry->mark.colour.empty()) drawing.mark(entry->mark, {x + symbol_width / 2 - 3, y});
      drawing.text({}, {x + symbol_width, y}, entry->text);
      x += entry_width(*entry) + entry_gap;
    }
    y -= row_height;
  }
}

std::string power_text(int power) {
  if (power >= -2 && power <= 3) return fmt::format("{:.{}f}", std::pow(10.0, power), std::max(0, -power));
  std::string const text = readable(std::pow(10.0, power), 1);
  return text.substr(text.find("10"));
}

std::string plot_field(std::string_view name, std::size_t length) {
  std::string field;
  for (char const c : shortened(name, length)) {
    auto const code = static_cast<unsigned char>(c);
    if (c == '"') {
      field += "”";
    } else if (c == '\\') {
      field += "＼";  // gnuplot interprets escapes such as "\n" in labels
    } else {
      field += code < 0x20 || code == 0x7f ? ' ' : c;
    }
  }
  // gnuplot would read a blank field, or "?", as a missing value.
  if (field.find_first_not_of(' ') == std::string::npos) return "(no name)";
  return field == "?" ? "(?)" : field;
}

}  // namespace demeter::report
