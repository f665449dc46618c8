// Makes pages of the report from the Markdown documents at build time. The pages are HTML with formulas as MathML.
// Their headings have the same anchors as on GitHub, and links between documents become links between pages. Writes the
// pages as the C++ source OUTPUT.cpp.
//
//     make_documents OUTPUT.cpp ROOT docs/DOCUMENT.md...
#include "reports/documents/mathml.hpp"

#include <md4c-html.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace demeter::documents {
namespace {

using Pages = std::map<std::string, std::string>;  // file name of each page, by the path of its document

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string unescaped(std::string text) {
  text = replaced(replaced(std::move(text), "&lt;", "<"), "&gt;", ">");
  return replaced(replaced(std::move(text), "&quot;", "\""), "&amp;", "&");
}

/// Returns the anchor of a heading: its letters in lower case, digits, "_" and "-", with a hyphen for each blank.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  bool inside = false;
  for (char const c : unescaped(std::string(heading))) {
    inside = inside || c == '<';
    auto const code = static_cast<unsigned char>(c);
    if (!inside && (std::isalnum(code) || c == '_' || c == '-')) anchor += static_cast<char>(std::tolower(code));
    if (!inside && c == ' ') anchor += '-';
    inside = inside && c != '>';
  }
  return anchor;
}

/// Replaces each text between `open` and `close` by `make(text)`. The marks `open` and `close` are also replaced.
template <class Make>
std::string between(std::string_view html, std::string_view open, std::string_view close, Make const& make) {
  std::string result;
  while (true) {
    std::size_t const begin = html.find(open), end = html.find(close, begin);
    if (end == std::string_view::npos) return result + std::string(html);
    result += html.substr(0, begin);
    result += make(html.substr(begin + open.size(), end - begin - open.size()));
    html.remove_prefix(end + close.size());
  }
}

std::string with_anchors(std::string html) {
  for (int level = 1; level <= 6; ++level) {
    std::string const tag = "h" + std::to_string(level);
    html = between(html, "<" + tag + ">", "</" + tag + ">", [&](std::string_view heading) {
      return "<" + tag + " id=\"" + anchor_of(heading) + "\">" + std::string(heading) + "</" + tag + ">";
    });
  }
  return html;
}

std::string with_formulas(std::string html, std::string_view input, bool& right) {
  auto const convert = [&](std::string_view tex, bool display) {
    Formula const formula = mathml(unescaped(std::string(tex)), display);
    if (!formula.error.empty()) {
      std::fprintf(stderr, "%s: formula \"%s\": %s\n", std::string(input).c_str(), std::string(tex).c_str(),
                   formula.error.c_str());
      right = false;
    }
    return formula.mathml;
  };
  html = between(html, "<x-equation type=\"display\">", "</x-equation>",
                 [&](std::string_view tex) { return convert(tex, true); });
  return between(html, "<x-equation>", "</x-equation>", [&](std::string_view tex) { return convert(tex, false); });
}

/// Replaces a link to a document by a link to its page. A link to a file without a page becomes plain text.
std::string with_links(std::string html, std::filesystem::path const& folder, Pages const& pages) {
  return between(html, "<a href=\"", "</a>", [&](std::string_view link) {
    std::size_t const quote = link.find('"');
    std::string const target(link.substr(0, quote)), text(link.substr(link.find('>', quote) + 1));
    auto const anchored = [&](std::string const& href) { return "<a href=\"" + href + "\">" + text + "</a>"; };
    if (target.starts_with('#') || target.starts_with("https://") || target.starts_with("http://"))
      return anchored(target);
    std::size_t const hash = std::min(target.find('#'), target.size());
    auto const page = pages.find((folder / target.substr(0, hash)).lexically_normal().string());
    return page == pages.end() ? text : anchored(page->second + target.substr(hash));
  });
}

/// Returns the file name of a document's page: "check-your-code.html", "mathematics-capsules.html".
std::string page_of(std::string const& document) {
  std::string page = std::filesystem::path(document).lexically_relative("docs").replace_extension(".html").string();
  return replaced(std::move(page), "/", "-");
}

/// Returns the text of the first heading.
std::string title_of(std::string_view markdown) {
  std::size_t const begin = markdown.find("# ");
  if (begin == std::string_view::npos) return {};
  return std::string(markdown.substr(begin + 2, markdown.find('\n', begin) - begin - 2));
}

bool write_document(std::ostream& to, std::filesystem::path const& root, std::string const& document,
                    Pages const& pages) {
  std::ifstream file(root / document, std::ios::binary);
  std::string const markdown{std::istreambuf_iterator<char>(file), {}};
  std::string html;
  auto const append = [](MD_CHAR const* text, MD_SIZE size, void* result) {
    static_cast<std::string*>(result)->append(text, size);
  };
  constexpr unsigned flags = MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML;
  if (markdown.empty() ||
      md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), append, &html, flags, 0) != 0) {
    std::fprintf(stderr, "%s: expected a document in Markdown\n", document.c_str());
    return false;
  }
  bool right = true;
  html = with_formulas(with_anchors(std::move(html)), document, right);
  html = with_links(std::move(html), std::filesystem::path(document).parent_path(), pages);
  to << "    {\"" << document << "\", \"" << page_of(document) << "\", R\"document(" << title_of(markdown)
     << ")document\", R\"document(" << html << ")document\"sv},\n";
  if ((html + title_of(markdown)).find(")document\"") != std::string::npos) {
    std::fprintf(stderr, "%s: the text )document\" ends the C++ literal that holds it\n", document.c_str());
    return false;
  }
  return right;
}

}  // namespace
}  // namespace demeter::documents

int main(int count, char** arguments) {
  using namespace demeter::documents;
  if (count < 4) {
    std::fprintf(stderr, "usage: make_documents OUTPUT.cpp ROOT docs/DOCUMENT.md...\n");
    return 2;
  }
  Pages pages;
  for (int i = 3; i < count; ++i) pages[arguments[i]] = page_of(arguments[i]);
  std::ofstream output(arguments[1], std::ios::binary);
  output << "// Generated from docs/ by reports/documents/make_documents.cpp.\n#include \"reports/site/pages.hpp\"\n\n"
            "namespace demeter::report {\n\nstd::span<Document const> documents() {\n"
            "  using namespace std::string_view_literals;  // no length of a long text is counted at compile time\n"
            "  static constexpr Document all[] = {\n";
  bool right = true;
  for (auto const& [document, page] : pages) right = write_document(output, arguments[2], document, pages) && right;
  output << "  };\n  return all;\n}\n\n}  // namespace demeter::report\n";
  return right && output.flush() ? 0 : 1;
}
