#include "reports/site/html.hpp"

#include "base/files.hpp"
#include "reports/format/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>

namespace demeter::report {
namespace {

constexpr std::string_view style =
#include "reports/site/style.css.inc"
    ;
constexpr std::string_view script =
#include "reports/site/script.js.inc"
    ;

/// The icon of the pages: two overlapping discs.
constexpr std::string_view icon =
    "%3Csvg xmlns='http:%2F%2Fwww.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='11' cy='16' r='10' "
    "fill='%230072B2'/%3E%3Ccircle cx='21' cy='16' r='10' fill='%23D55E00' fill-opacity='.75'/%3E%3C/svg%3E";

std::string superscript(int number) {
  static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (char const digit : std::to_string(std::abs(number))) text += digits[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::vector<std::string> ordered_keys(Json const& value, std::vector<Field> const& fields) {
  std::vector<std::string> keys;
  for (Field const& field : fields) {
    if (value.contains(field.name)) keys.push_back(field.name);
  }
  for (auto const& [key, element] : value.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

/// Returns a JSON value as text with a space after each comma and colon. Strings and keys have no quotes, null is "–".
std::string value_text(Json const& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::string text = "[";
    for (Json const& element : value) text += (text.size() > 1 ? ", " : "") + value_text(element);
    return text + "]";
  }
  if (value.is_object()) {
    std::string text = "{";
    for (auto const& [key, element] : value.items()) {
      text += (text.size() > 1 ? ", " : "") + key + ": " + value_text(element);
    }
    return text + "}";
  }
  return value.is_null() ? "–" : value.dump();
}

/// Returns the largest error of a profile, divided by its budget. This ratio selects the colour of a failure.
Number over(ProfileTally const& sum) { return sum.where != nullptr ? over_budget(*sum.where) : std::nullopt; }

}  // namespace

void add_formatted(std::string& to, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(to), format, arguments);
}

void open_table(std::string& html, std::string_view label, std::string_view classes) {
  add(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table{}{}{}>\n", escaped(label),
      classes.empty() ? "" : " class=\"", classes, classes.empty() ? "" : "\"");
}

void close_table(std::string& html) { html += "</tbody></table></div>\n"; }

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (char const c : text) {
    auto const code = static_cast<unsigned char>(c);
    bool const control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f;
    if (auto const written = entity(c); !written.empty())
      html += written;
    else if (c == '\'')
      html += "&#39;";
    else
      html += control ? "\uFFFD" : std::string(1, c);
  }
  return html;
}

std::string breakable(std::string_view name) {
  std::string html;
  for (char const c : escaped(name)) {
    if (c == '@') html += "<wbr>";
    html += c;
    if (c == '_') html += "<wbr>";
  }
  return html;
}

std::string rounded(std::int64_t count) {
  auto const number = static_cast<double>(count);
  if (count >= 1'000'000'000) return readable(number / 1e9) + " billion";
  if (count >= 1'000'000) return readable(number / 1e6) + " million";
  return grouped(count);
}

std::string readable(Number value, int significant) {
  if (!value) return "–";
  double const x = *value;
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  if (x == 0) return "0";
  std::string const sign = x < 0 ? "−" : "";
  // The exponent is read from the rounded text, so that 9.999 is shown as 10.0 and not as 10.00.
  std::string const written = fmt::format("{:.{}e}", std::abs(x), significant - 1);
  std::size_t const e = written.find('e');
  int const exponent = std::atoi(written.c_str() + e + 1);
  if (exponent >= -2 && exponent <= 3) {
    return sign + fmt::format("{:.{}f}", std::abs(x), std::max(0, significant - 1 - exponent));
  }
  return sign + written.substr(0, e) + "×10" + superscript(exponent);
}

std::string exact(Number value) {
  if (!value) return "";
  if (std::isnan(*value)) return "nan";
  return fmt::format("{}", *value);
}

std::string number_span(Number value, std::string_view unit) {
  if (!value) return "–";
  return fmt::format("<span title=\"{}{}{}\">{}</span>", exact(value), unit.empty() ? "" : " ", escaped(unit),
                     readable(value));
}

std::string data_value(Number value) {
  return fmt::format(" data-value=\"{}\"", value && std::isfinite(*value) ? exact(value) : "");
}

std::string outside_link(std::string_view address, std::string_view text) {
  if (!address.starts_with("https://")) return escaped(text);
  return fmt::format("<a class=\"outside\" href=\"{}\">{}</a>", escaped(address), escaped(text));
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

std::string shortened(std::string_view text, std::size_t length) {
  if (text.size() <= length) return std::string(text);
  std::size_t end = length;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string copyable(std::string_view text) {
  if (text.empty()) return "";
  return fmt::format("<div class=\"command\"><code>{}</code></div>", escaped(text));
}

std::string case_text(Json const& value, std::vector<Field> const& fields) {
  if (!value.is_object()) return value_text(value);
  std::vector<std::string> const keys = ordered_keys(value, fields);
  std::size_t width = 0;
  for (std::string const& key : keys) width = std::max(width, key.size());
  std::string text;
  for (std::string const& key : keys) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{:<{}}  ", key, width);
    Json const& element = value.at(key);
    // Lists of structures (members of a clump) use one line per element.
    if (element.is_array() && !element.empty() && element.front().is_structured()) {
      for (std::size_t i = 0; i < element.size(); ++i) {
        text += (i > 0 ? "\n" + std::string(width + 2, ' ') : "") + value_text(element[i]);
      }
    } else {
      text += value_text(element);
    }
  }
  return text;
}

std::string case_line(Json const& value, std::vector<Field> const& fields) {
  if (!value.is_object()) return value_text(value);
  std::string text;
  for (std::string const& key : ordered_keys(value, fields)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, value_text(value.at(key)));
  }
  return text;
}

Json at_path(Json const& value, std::string_view path) {
  Json const* place = &value;
  while (true) {
    if (!place->is_object()) return nullptr;
    if (auto const whole = place->find(std::string(path)); whole != place->end()) return *whole;
    std::size_t const dot = path.find('.');
    if (dot == std::string_view::npos) return nullptr;
    auto const next = place->find(std::string(path.substr(0, dot)));
    if (next == place->end()) return nullptr;
    place = &*next;
    path.remove_prefix(dot + 1);
  }
}

std::string error_text(Number error, Contender const& of) {
  if (!error) return "–";
  if (!std::isfinite(*error)) return "not finite";
  if (*error < 1e6) return readable(error) + " u";
  double const relative = *error * unit_of(of);
  return relative >= 0.01 ? readable(100 * relative, 2) + " %" : digits_text(relative);
}

std::string digits_text(Number error) {
  if (!error) return "–";
  if (!std::isfinite(*error)) return "wrong (not finite)";
  // Rounded down, so that no digit is shown that is not correct.
  double const left = std::floor(digits_of(*error) * 10) / 10;
  return left < 1 ? "wrong" : fmt::format("{:.1f} digits", left);
}

std::string few_text(std::int64_t cases) {
  double const percent = 100 * overlooked(cases);
  // Rounded up, because the percentage is an upper bound.
  return fmt::format(
      "no failure in {} (≤ {} % fail)", grouped(cases),
      percent >= 1 ? fmt::format("{:.0f}", std::ceil(percent)) : fmt::format("{:.1f}", std::ceil(percent * 10) / 10));
}

std::string anchor(std::string_view name) {
  std::string result;
  for (char const c : name) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    result += plain ? c : '-';
  }
  return result;
}

std::string profile_cell(Kernel const& kernel, Contender const& contender, std::string_view profile) {
  ProfileTally const sum = profile_tally(kernel, contender, profile);
  if (sum.standing == Standing::none)
    return fmt::format("<td class=\"nothing\" data-label=\"{}\">– <small>no answers</small></td>",
                       profile_name(profile));
  bool const every = sum.held == sum.regimes;
  bool const few = sum.standing == Standing::held && sum.fewest > 0;
  std::string html;
  add(html, "<td class=\"{}\" data-label=\"{}\"><b>{} {}</b><small>",
      few ? "few" : style_class(sum.standing, over(sum)), profile_name(profile), mark(sum.standing),
      few     ? few_text(sum.fewest)
      : every ? digits_text(sum.error)
              : fmt::format("{} of {}", sum.held, sum.regimes));
  if (!every || few) add(html, "{}{} · ", every ? "" : "worst: ", digits_text(sum.error));
  if (sum.laws_broken > 0) add(html, "{} broken · ", counted(sum.laws_broken, "law", "laws"));
  add(html, "n = {}</small></td>", grouped(sum.cases));
  return html;
}

std::string line_name(Line const& line) {
  std::string html = breakable(line.name);
  if (line.who.size() < 2) return html;
  html += "<small>";
  for (Contender const* const each : line.who) {
    std::size_t const at = each->name.find('@');
    add(html, "{}{}", each == line.who.front() ? "" : " = ",
        escaped(at == std::string::npos ? each->name : each->name.substr(at + 1)));
  }
  return html + "</small>";
}

std::string counts_option(Results const& results) {
  std::string list;
  for (Kernel const& kernel : results.kernels)
    if (kernel.cases_per_regime)
      list += fmt::format("{}{}={}", list.empty() ? "" : ",", kernel.name, *kernel.cases_per_regime);
  return list.empty() ? "" : " --count " + list;
}

std::string_view style_class(Standing standing, Number ratio) {
  switch (standing) {
    case Standing::held:
      return "held";
    case Standing::undecided:
      return "undecided";
    case Standing::exceeded:
      // Two colours distinguish the loss of some digits from errors of at least 10^6 budgets.
      return !ratio || std::isnan(*ratio) || *ratio >= 1e6 ? "exceeded far" : "exceeded";
    case Standing::none:
      break;
  }
  return "nothing";
}

std::string_view mark(Standing standing) {
  switch (standing) {
    case Standing::held:
      return "✓";
    case Standing::undecided:
      return "?";
    case Standing::exceeded:
      return "✗";
    case Standing::none:
      break;
  }
  return "–";
}

std::string framed(std::string_view title, std::string_view links, std::string_view body, std::string_view footer) {
  std::string html;
  add(html,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n"
      "<meta name=\"generator\" content=\"{3}\">\n"
      "<meta name=\"description\" content=\"Demeter measures discrete element contact code: accuracy against certified "
      "truth, laws, continuity and speed. {0}\">\n<meta property=\"og:title\" content=\"{0}\">\n"
      "<link rel=\"icon\" href=\"data:image/svg+xml,{1}\">\n<style>\n{2}</style>\n</head>\n<body>\n",
      escaped(title), icon, style, output_mark);
  if (!links.empty()) add(html, "<nav class=\"top\" aria-label=\"Pages\">{}</nav>\n", links);
  add(html, "<main>\n{}</main>\n", body);
  if (!footer.empty()) add(html, "<footer>{}</footer>\n", footer);
  add(html, "<script>\n{}</script>\n</body>\n</html>\n", script);
  return html;
}

std::string page(Results const& results, std::string_view title, std::string_view body) {
  std::string links = "<a class=\"brand\" href=\"index.html\">Demeter</a><details><summary>Kernels</summary><div>",
              footer;
  for (Kernel const& kernel : results.kernels)
    add(links, "<a href=\"{}.html\">{}</a>", kernel.slug, breakable(kernel.name));
  links +=
      "</div></details><a href=\"how-to-read.html\">How to read</a><a href=\"check-your-code.html\">Check your "
      "code</a><a href=\"trust.html\">Trust</a><a href=\"mathematics-README.html\">Mathematics</a><a "
      "href=\"cite.html\">Cite</a>";
  if (results.has_history) links += "<a href=\"history.html\">History</a>";
  add(footer,
      "Demeter {}, commit <code>{}</code>, seed {}, {}. Everything shown here is in <a "
      "href=\"results.json.gz\">results.json.gz</a>.",
      escaped(results.run.version), escaped(results.run.commit),
      results.run.seed ? std::to_string(*results.run.seed) : "", escaped(results.run.created));
  return framed(title, links, body, footer);
}

}  // namespace demeter::report
