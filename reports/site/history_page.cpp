// history.html: error and time of every implementation over the versions of a history, with the steps between them.
#include "reports/history.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/placing.hpp"
#include "reports/site/plots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter::report {
namespace {

/// The layout of a chart in pixels. Paths use whole quarters of a pixel, because integers are short to write.
struct Sheet {
  static constexpr double width = 330, height = 84, left = 46, right = 288, top = 14, bottom = 76;
  static constexpr int fine = 4;
};

/// Up to this number of versions, values are also drawn as dots.
constexpr std::size_t most_dots = 60;
/// The largest number of versions in the list of steps. It is also the largest number of remarks about comparisons.
constexpr std::size_t most_listed = 30;

std::string day(std::string const& created) { return created.substr(0, 10); }
std::string commit_of(Version const& version) { return "<code>" + escaped(shortened(version.commit, 20)) + "</code>"; }

/// A line as the data of an SVG path. Consecutive points of equal height become one horizontal segment.
class Stroke {
 public:
  void move_to(double x, double y) {
    end();
    x_ = rounded_to_fine(x), y_ = rounded_to_fine(y), level_ = x_;
    add(data_, "M{} {}", x_, y_);
    is_open_ = true;
  }
  void line_to(double x, double y) {
    if (!is_open_) return move_to(x, y);
    int const to_x = rounded_to_fine(x), to_y = rounded_to_fine(y);
    if (to_y == y_) {
      level_ = to_x;
      return;
    }
    end_level();
    add(data_, "l{} {}", to_x - x_, to_y - y_);
    x_ = level_ = to_x, y_ = to_y;
  }
  void dot(double x, double y) {
    end();
    add(data_, "M{} {}h0", rounded_to_fine(x), rounded_to_fine(y));
  }
  void end() {
    end_level();
    is_open_ = false;
  }
  std::string path(std::string_view classes) {
    end();
    return data_.empty() ? "" : fmt::format("<path class=\"{}\" d=\"{}\"/>", classes, data_);
  }

 private:
  static int rounded_to_fine(double value) { return static_cast<int>(std::lround(Sheet::fine * value)); }
  void end_level() {
    if (is_open_ && level_ != x_) add(data_, "h{}", level_ - x_);
    x_ = level_;
  }

  std::string data_;
  int x_ = 0, y_ = 0, level_ = 0;
  bool is_open_ = false;
};

/// Places versions and levels in a chart.
struct Chart {
  std::size_t versions = 1;
  double low = 0, high = 1;  ///< levels at the bottom and at the top

  double x(std::size_t version) const {
    return versions < 2 ? (Sheet::left + Sheet::right) / 2
                        : Sheet::left + (Sheet::right - Sheet::left) * static_cast<double>(version) /
                                            static_cast<double>(versions - 1);
  }
  double y(double level) const { return Sheet::bottom - (Sheet::bottom - Sheet::top) * (level - low) / (high - low); }
};

std::string power_of_ten(int exponent) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent == 0 || exponent == 1) return exponent == 0 ? "1" : "10";
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (char const c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
  return text;
}

/// The drawing inside a chart, and its labels.
struct Drawing {
  std::string strokes, texts;
  std::vector<double> ticks;

  /// Adds a line of the grid with its labels, unless the labels would cover other labels.
  void add_tick(double y, std::string_view before, std::string_view after) {
    if (std::any_of(ticks.begin(), ticks.end(), [&](double other) { return std::abs(other - y) < 10; })) return;
    ticks.push_back(y);
    add(strokes, "<path class=\"grid\" d=\"M{} {:.0f}H{}\"/>", Sheet::left * Sheet::fine, Sheet::fine * y,
        Sheet::right * Sheet::fine);
    add(texts, "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", Sheet::left - 3, y + 3, before);
    if (!after.empty()) add(texts, "<text x=\"{}\" y=\"{:.1f}\">{}</text>", Sheet::right + 3, y + 3, after);
  }
  std::string framed(std::string const& label) const {
    return fmt::format(
        "<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\"><g "
        "transform=\"scale(.25)\">{3}</g>{4}</svg>",
        Sheet::width, Sheet::height, escaped(label), strokes, texts);
  }
};

/// The page of one history.
class HistoryPage {
 public:
  HistoryPage(Results const& results, History const& history) : results_(results), history_(history) {}

  std::string html() {
    add_head();
    if (history_.versions.size() > 1) {
      add_steps_of_versions();
      for (Kernel const& kernel : results_.kernels) add_kernel(kernel);
    }
    add_versions();
    add_remarks();
    html_ += "<h2 id=\"rules\">Rules</h2>\n<p>A step is a change that <code>demeter compare</code> reports:</p>\n<ul>";
    for (std::string const& rule : rules_text({})) add(html_, "<li>{}</li>", escaped(rule));
    html_ += "</ul>\n";
    return html_;
  }

 private:
  using Values = std::vector<HistoryValue>;

  void add_head() {
    auto const& versions = history_.versions;
    html_ += "<h1>History</h1>\n";
    if (versions.empty()) {
      html_ += "<p class=\"lead\">The folder of <code>--history</code> has no results.</p>\n";
    } else if (versions.size() == 1) {
      add(html_,
          "<p class=\"lead\">The history has one result, of {}, commit {}. Charts of errors and times need at least "
          "two results.</p>\n<p>To add a result, make the report at another commit with the same folder:</p>\n",
          escaped(day(versions[0].created)), commit_of(versions[0]));
      html_ += copyable("demeter report --history DIR");
    } else {
      add(html_, "<p class=\"lead\">{} from {} to {}, {}.</p>\n",
          counted(static_cast<std::int64_t>(versions.size()), "result", "results"),
          escaped(day(versions.front().created)), escaped(day(versions.back().created)),
          counted(static_cast<std::int64_t>(history_.steps.size()), "step", "steps"));
      html_ +=
          "<p>Each chart shows all results, the oldest at the left. An error is the largest error of a profile, in u "
          "on the left axis and in correct digits on the right axis. All charts of a kernel have the same error "
          "axis. A time is the time per case in cache, for the ordinary regime, with the 95 % interval of its "
          "median. Each chart has its own time axis. The line of times is interrupted where the processor "
          "changes.</p>\n<p class=\"key history\"><svg width=\"150\" height=\"14\" viewBox=\"0 0 150 14\" "
          "aria-hidden=\"true\"><path class=\"everyday\" d=\"M2 7h20\"/><text x=\"26\" y=\"11\">everyday</text><path "
          "class=\"degenerate\" d=\"M76 7h20\"/><text x=\"100\" y=\"11\">degenerate</text></svg><svg width=\"190\" "
          "height=\"14\" viewBox=\"0 0 190 14\" aria-hidden=\"true\"><path class=\"worse\" d=\"M3 3h8l-4 8z\"/><text "
          "x=\"15\" y=\"11\">step: worse</text><path class=\"better\" d=\"M93 11h8l-4 -8z\"/><text x=\"105\" "
          "y=\"11\">step: better</text></svg></p>\n";
    }
    for (std::string const& line : history_.skipped)
      add(html_, "<p class=\"note\" role=\"note\">{}</p>\n", escaped(line));
  }

  /// Adds a list of the versions with steps, the newest first. Each step is a link to the text about it.
  void add_steps_of_versions() {
    html_ += "<h2 id=\"steps\">Steps by commit</h2>\n";
    std::size_t listed_versions = 0;
    std::string items, older;
    for (std::size_t v = history_.versions.size(); v-- > 0;) {
      std::string links;
      for (std::size_t i = 0; i < history_.steps.size(); ++i) {
        Step const& step = history_.steps[i];
        if (step.version != v || find_named(results_.kernels, step.kernel) == nullptr) continue;
        add(links, "{}<a href=\"#step-{}\">{} {}: {}</a>", links.empty() ? "" : ", ", i, escaped(step.kernel),
            escaped(step.subject), word(step));
      }
      if (links.empty()) continue;
      Version const& version = history_.versions[v];
      add(listed_versions++ < most_listed ? items : older, "<li>{} {}: {}</li>\n", escaped(day(version.created)),
          commit_of(version), links);
    }
    html_ += items.empty() ? "<p class=\"quiet\">No significant change from one result to the next.</p>\n"
                           : "<ul class=\"lines\">" + items + "</ul>\n";
    if (!older.empty())
      html_ += "<details><summary>Older steps</summary><ul class=\"lines\">" + older + "</ul></details>\n";
    std::string contents;
    for (Kernel const& kernel : results_.kernels)
      add(contents, "<a href=\"#{}\">{}</a>", anchor(kernel.slug), breakable(kernel.name));
    html_ += "<nav class=\"contents\" aria-label=\"Kernels\">" + contents + "</nav>\n";
  }

  static std::string word(Step const& step) {
    return fmt::format("{} {}", step.is_speed ? "time" : "accuracy",
                       step.worse == 0    ? "better"
                       : step.better == 0 ? "worse"
                                          : "worse and better");
  }

  void add_kernel(Kernel const& kernel) {
    add(html_, "<h2 id=\"{}\"><a href=\"{}.html\">{}</a></h2>\n", anchor(kernel.slug), kernel.slug,
        escaped(kernel.name));
    std::vector<double> levels;
    for (auto const& [key, values] : history_.values) {
      if (key.first != kernel.name) continue;
      for (HistoryValue const& value : values)
        for (Number const error : {value.everyday, value.degenerate})
          if (error) levels.push_back(level_of_relative(*error));
    }
    ErrorAxis const axis = error_axis(levels);
    std::string codes, formulas;
    std::int64_t number = 0;
    for (Contender const& contender : kernel.subjects) {
      auto const values = history_.values.find({kernel.name, contender.name});
      if (values == history_.values.end()) continue;
      bool const is_formula = contender.origin == Origin::formula || contender.origin == Origin::method;
      add_row(is_formula ? formulas : codes, kernel, contender.name, values->second, axis);
      if (is_formula) ++number;
    }
    for (auto const& [key, values] : history_.values)
      if (key.first == kernel.name && find_named(kernel.subjects, key.second) == nullptr)
        add_row(codes, kernel, key.second, values, axis);
    add_table(codes, "History of " + kernel.name);
    if (!formulas.empty()) {
      add(html_, "<details><summary>{} in binary64</summary>\n",
          counted(number, "formula or method", "formulas and methods"));
      add_table(formulas, "History of the formulas of " + kernel.name);
      html_ += "</details>\n";
    }
    add_steps(kernel);
  }

  void add_table(std::string const& rows, std::string const& label) {
    if (rows.empty()) {
      html_ += "<p class=\"quiet\">No implementation was measured.</p>\n";
      return;
    }
    open_table(html_, label, "stacked history");
    add(html_,
        "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">largest error, {0} to {1}</th><th "
        "scope=\"col\">latest</th><th scope=\"col\">time per case, {0} to {1}</th><th scope=\"col\" "
        "class=\"figure\">latest</th></tr></thead>\n<tbody>\n",
        escaped(day(history_.versions.front().created)), escaped(day(history_.versions.back().created)));
    html_ += rows;
    close_table(html_);
  }

  void add_row(std::string& rows, Kernel const& kernel, std::string const& subject, Values const& values,
               ErrorAxis const& axis) {
    HistoryValue const& latest = values.back();
    add(rows, "<tr><th scope=\"row\">{}", breakable(subject));
    if (latest.version + 1 != history_.versions.size())
      add(rows, "<small>last measured {}</small>", escaped(day(history_.versions[latest.version].created)));
    add(rows, "</th><td data-label=\"largest error\">{}</td><td data-label=\"latest error\">",
        error_chart(kernel, subject, values, axis));
    if (!latest.everyday && !latest.degenerate) rows += "no answers";
    for (auto const& [name, error] :
         {std::pair("everyday", latest.everyday), std::pair("degenerate", latest.degenerate)})
      if (error)
        add(rows, "<small>{}: {}, {}</small>", name, digits_text(error),
            std::isfinite(*error) ? readable(*error * 0x1p53) + " u" : "not finite");
    add(rows, "</td><td data-label=\"time per case\">{}</td><td class=\"figure\" data-label=\"latest time\">",
        time_chart(kernel, subject, values));
    if (!latest.time)
      rows += "not timed";
    else
      add(rows, "{} ns", readable(latest.time));
    if (latest.time && latest.middle)
      add(rows, "<small>{} to {}</small>", readable(latest.middle->low), readable(latest.middle->high));
    rows += "</td></tr>\n";
  }

  std::string error_chart(Kernel const& kernel, std::string const& subject, Values const& values,
                          ErrorAxis const& axis) const {
    Chart const chart{history_.versions.size(), axis.low, axis.high};
    Drawing drawing;
    int const first = static_cast<int>(std::ceil(axis.lowest)), last = static_cast<int>(std::floor(axis.highest));
    int const every = std::max(1, (last - first + 2) / 3);
    if (axis.exact_seen) drawing.add_tick(chart.y(axis.exact), "exact", "");
    if (axis.infinite_seen) drawing.add_tick(chart.y(axis.infinite), "∞", "none");
    for (int exponent = first; exponent <= last; exponent += every)
      drawing.add_tick(chart.y(exponent), power_of_ten(exponent) + " u",
                       fmt::format("{:.1f}", std::max(0.0, std::floor(10 * (ErrorAxis::no_digit - exponent)) / 10)));
    bool any = false;
    for (auto const& [classes, error] :
         {std::pair("degenerate", &HistoryValue::degenerate), std::pair("everyday", &HistoryValue::everyday)}) {
      Stroke line, dots;
      for (HistoryValue const& value : values) {
        if (!(value.*error)) continue;
        double const y = chart.y(axis.at(level_of_relative(*(value.*error))));
        any = true;
        line.line_to(chart.x(value.version), y);
        if (values.size() <= most_dots) dots.dot(chart.x(value.version), y);
      }
      drawing.strokes += line.path(classes) + dots.path(std::string(classes) + " dot");
    }
    if (!any) return "";
    drawing.strokes += markers(kernel, subject, chart, false);
    return drawing.framed(fmt::format("error of {} in {} over versions", subject, kernel.name));
  }

  std::string time_chart(Kernel const& kernel, std::string const& subject, Values const& values) const {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (HistoryValue const& value : values) {
      if (!value.time) continue;
      low = std::min(low, value.middle ? std::min(value.middle->low, *value.time) : *value.time);
      high = std::max(high, value.middle ? std::max(value.middle->high, *value.time) : *value.time);
    }
    if (!(high > 0)) return "";
    // The axis spans at least a factor of two, so that noise does not look like a change.
    double const middle = std::log10(low * high) / 2, half = std::max(std::log10(high / low), std::log10(2.0)) / 2;
    Chart const chart{history_.versions.size(), middle - 1.1 * half, middle + 1.1 * half};
    Drawing drawing;
    for (double const level : {middle - half, middle, middle + half})
      drawing.add_tick(chart.y(level), readable(std::pow(10, level), 2) + " ns", "");
    Stroke line, dots, intervals;
    std::string const* cpu = nullptr;
    for (HistoryValue const& value : values) {
      if (!value.time) continue;
      double const x = chart.x(value.version), y = chart.y(std::log10(*value.time));
      std::string const& on = history_.versions[value.version].cpu;
      if (cpu != nullptr && *cpu != on) line.end();
      cpu = &on;
      line.line_to(x, y);
      if (values.size() <= most_dots) dots.dot(x, y);
      if (!value.middle || !(value.middle->low > 0)) continue;
      intervals.move_to(x, chart.y(std::log10(value.middle->low)));
      intervals.line_to(x, chart.y(std::log10(value.middle->high)));
    }
    drawing.strokes += intervals.path("interval") + line.path("everyday") + dots.path("everyday dot");
    drawing.strokes += markers(kernel, subject, chart, true);
    return drawing.framed(fmt::format("time of {} in {} over versions", subject, kernel.name));
  }

  /// Returns the marks of the steps: a vertical line with a triangle on top, as a link to the text about the step.
  std::string markers(Kernel const& kernel, std::string const& subject, Chart const& chart, bool is_speed) const {
    std::string svg;
    for (std::size_t i = 0; i < history_.steps.size(); ++i) {
      Step const& step = history_.steps[i];
      if (step.kernel != kernel.name || step.subject != subject || step.is_speed != is_speed) continue;
      long const x = std::lround(Sheet::fine * chart.x(step.version));
      Version const& version = history_.versions[step.version];
      add(svg,
          "<a href=\"#step-{}\"><path class=\"step\" d=\"M{} 48V{}\"/><path class=\"{}\" d=\"M{} {}\"/><title>{} {}: "
          "{}</title></a>",
          i, x, Sheet::bottom * Sheet::fine, step.worse > 0 ? "worse" : "better", x - 20,
          step.worse > 0 ? "8h40l-20 40z" : "48h40l-20 -40z", escaped(day(version.created)),
          escaped(shortened(version.commit, 20)), escaped(step.first));
    }
    return svg;
  }

  void add_steps(Kernel const& kernel) {
    std::string items;
    for (std::size_t i = 0; i < history_.steps.size(); ++i) {
      Step const& step = history_.steps[i];
      if (step.kernel != kernel.name) continue;
      Version const& version = history_.versions[step.version];
      add(items, "<li id=\"step-{}\"><span class=\"verdict {}\">{}</span> {} {} {}: {}", i,
          step.worse > 0 ? "exceeded" : "held", word(step), escaped(day(version.created)), commit_of(version),
          escaped(step.subject), escaped(step.first));
      std::size_t const others = step.worse + step.better - 1;
      if (others > 0)
        add(items, "; {} changed too (in total {} worse, {} better)",
            counted(static_cast<std::int64_t>(others), "other result", "other results"), step.worse, step.better);
      if (step.is_of_machine) items += "; a comparison routine changed too: probably the machine, not the code";
      items += "</li>\n";
    }
    html_ += items.empty() ? "<p class=\"quiet\">No step.</p>\n" : "<ul class=\"lines\">" + items + "</ul>\n";
  }

  void add_versions() {
    if (history_.versions.empty()) return;
    html_ += "<h2 id=\"versions\">Results</h2>\n<details><summary>Dates, commits and processors</summary>\n";
    open_table(html_, "Results of the history");
    html_ +=
        "<thead><tr><th scope=\"col\">date (UTC)</th><th scope=\"col\">commit</th><th scope=\"col\">Demeter</th><th "
        "scope=\"col\">processor</th></tr></thead>\n<tbody>\n";
    for (auto version = history_.versions.rbegin(); version != history_.versions.rend(); ++version)
      add(html_, "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(version->created),
          commit_of(*version), escaped(version->version), escaped(version->cpu));
    close_table(html_);
    html_ += "</details>\n";
  }

  /// Adds the newest remarks about comparisons: other seeds, numbers of cases, processors or compilers.
  void add_remarks() {
    if (history_.remarks.empty()) return;
    html_ += "<details><summary>Remarks about the comparisons</summary>\n<ul class=\"lines\">";
    std::size_t number = 0;
    for (auto remark = history_.remarks.rbegin(); remark != history_.remarks.rend() && number < most_listed;
         ++remark, ++number) {
      Version const& version = history_.versions[remark->first];
      add(html_, "<li>{} {}: {}</li>\n", escaped(day(version.created)), commit_of(version), escaped(remark->second));
    }
    html_ += "</ul></details>\n";
  }

  Results const& results_;
  History const& history_;
  std::string html_;
};

}  // namespace

std::string history_page(Results const& results, History const& history) {
  return page(results, "History – Demeter", HistoryPage(results, history).html());
}

}  // namespace demeter::report
