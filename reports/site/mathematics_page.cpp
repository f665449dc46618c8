// The pages of docs/mathematics in the report, and the links to them: text with anchors, so that what a kernel's source
// names is found without the repository.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cctype>

namespace demeter::report {
namespace {

constexpr std::string_view folder = "docs/mathematics/", extension = ".md";

/// As GitHub makes them: small letters, blanks to hyphens, other punctuation dropped.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (char const c : heading) {
    auto const code = static_cast<unsigned char>(c);
    if (std::isalnum(code) || c == '_' || c == '-') anchor += static_cast<char>(std::tolower(code));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

/// The heading on a line of Markdown; empty if it is none.
std::string_view heading_of(std::string_view line) {
  std::size_t const text = line.find_first_not_of('#');
  if (text == 0 || text == std::string_view::npos || line[text] != ' ') return {};
  return line.substr(text + 1);
}

/// Calls `visit(line)` for each line of a text.
template <class Visit>
void for_each_line(std::string_view text, Visit const& visit) {
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool has_heading(MathematicsPage const& page, std::string_view anchor) {
  bool found = false;
  for_each_line(page.text, [&](std::string_view line) {
    std::string_view const heading = heading_of(line);
    found = found || (!heading.empty() && anchor_of(heading) == anchor);
  });
  return found;
}

/// How many characters from the first on may stand in the name of a page or in an anchor.
std::size_t length_of_name(std::string_view text) {
  auto const is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_name) - text.begin());
}

/// Markdown as it stands, its headings as anchors.
std::string as_written(std::string_view markdown) {
  std::string body = "<pre class=\"mathematics\">";
  for_each_line(markdown, [&body](std::string_view line) {
    std::string_view const heading = heading_of(line);
    if (heading.empty())
      body += escaped(line) + "\n";
    else
      add(body, "<strong id=\"{}\">{}</strong>\n", anchor_of(heading), escaped(line));
  });
  return body + "</pre>\n";
}

}  // namespace

std::string mathematics_file(MathematicsPage const& page) { return "mathematics-" + std::string(page.name) + ".html"; }

std::string mathematics_page(Results const& results, MathematicsPage const& shown) {
  return page(results, "Mathematics: " + std::string(shown.name), as_written(shown.text));
}

std::string how_to_read_page(Results const& results) {
  return page(results, "How to read a verdict", as_written(how_to_read_text()));
}

std::string with_mathematics_links(std::string_view text) {
  std::string html;
  while (true) {
    std::size_t const at = std::min(text.find(folder), text.size());
    html += escaped(text.substr(0, at));
    text.remove_prefix(at);
    if (text.empty()) return html;

    std::string_view const after = text.substr(folder.size());
    std::string_view const name = after.substr(0, length_of_name(after)), rest = after.substr(name.size());
    std::size_t const before_anchor = extension.size() + 1;
    std::string_view anchor;
    if (rest.starts_with(extension) && rest.size() > before_anchor && rest[extension.size()] == '#')
      anchor = rest.substr(before_anchor, length_of_name(rest.substr(before_anchor)));
    auto const pages = mathematics();
    auto const known = std::find_if(pages.begin(), pages.end(), [&](auto const& page) { return page.name == name; });
    if (anchor.empty() || known == pages.end() || !has_heading(*known, anchor)) {
      html += escaped(text.substr(0, folder.size()));
      text.remove_prefix(folder.size());
      continue;
    }
    std::size_t const length = folder.size() + name.size() + before_anchor + anchor.size();
    add(html, "<a href=\"{}#{}\">{}</a>", mathematics_file(*known), anchor, escaped(text.substr(0, length)));
    text.remove_prefix(length);
  }
}

}  // namespace demeter::report
