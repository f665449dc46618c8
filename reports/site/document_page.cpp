// The pages of the report made from the documents of docs/, and links to these pages.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cctype>

namespace demeter::report {
namespace {

constexpr std::string_view folder = "docs/mathematics/", extension = ".md";

bool has_heading(Document const& document, std::string_view anchor) {
  return document.html.find(fmt::format(" id=\"{}\"", anchor)) != std::string_view::npos;
}

/// Returns the number of leading characters that are allowed in the name of a page or in an anchor.
std::size_t length_of_name(std::string_view text) {
  auto const is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_name) - text.begin());
}

}  // namespace

std::string document_page(Results const& results, Document const& shown) {
  return page(results, std::string(shown.title), fmt::format("<div class=\"document\">\n{}</div>\n", shown.html));
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
    auto const pages = documents();
    std::string const source = fmt::format("{}{}{}", folder, name, extension);
    auto const known =
        std::find_if(pages.begin(), pages.end(), [&](auto const& page) { return page.source == source; });
    if (anchor.empty() || known == pages.end() || !has_heading(*known, anchor)) {
      html += escaped(text.substr(0, folder.size()));
      text.remove_prefix(folder.size());
      continue;
    }
    std::size_t const length = folder.size() + name.size() + before_anchor + anchor.size();
    add(html, "<a href=\"{}#{}\">{}</a>", known->file, anchor, escaped(text.substr(0, length)));
    text.remove_prefix(length);
  }
}

}  // namespace demeter::report
