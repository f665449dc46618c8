#include "reports/documents/mathml.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace demeter::documents {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array letters{
    Entry{"alpha", "α"},      Entry{"beta", "β"},   Entry{"gamma", "γ"},  Entry{"delta", "δ"}, Entry{"epsilon", "ϵ"},
    Entry{"varepsilon", "ε"}, Entry{"zeta", "ζ"},   Entry{"eta", "η"},    Entry{"theta", "θ"}, Entry{"iota", "ι"},
    Entry{"kappa", "κ"},      Entry{"lambda", "λ"}, Entry{"mu", "μ"},     Entry{"nu", "ν"},    Entry{"xi", "ξ"},
    Entry{"pi", "π"},         Entry{"rho", "ρ"},    Entry{"varrho", "ϱ"}, Entry{"sigma", "σ"}, Entry{"tau", "τ"},
    Entry{"upsilon", "υ"},    Entry{"phi", "ϕ"},    Entry{"varphi", "φ"}, Entry{"chi", "χ"},   Entry{"psi", "ψ"},
    Entry{"omega", "ω"},      Entry{"Gamma", "Γ"},  Entry{"Delta", "Δ"},  Entry{"Theta", "Θ"}, Entry{"Lambda", "Λ"},
    Entry{"Xi", "Ξ"},         Entry{"Pi", "Π"},     Entry{"Sigma", "Σ"},  Entry{"Phi", "Φ"},   Entry{"Psi", "Ψ"},
    Entry{"Omega", "Ω"},      Entry{"infty", "∞"},  Entry{"ell", "ℓ"}};

constexpr std::array operators{
    Entry{"cdot", "⋅"},       Entry{"times", "×"},   Entry{"le", "≤"},        Entry{"ge", "≥"},
    Entry{"ne", "≠"},         Entry{"approx", "≈"},  Entry{"equiv", "≡"},     Entry{"sim", "∼"},
    Entry{"propto", "∝"},     Entry{"pm", "±"},      Entry{"mp", "∓"},        Entry{"ast", "∗"},
    Entry{"circ", "∘"},       Entry{"partial", "∂"}, Entry{"nabla", "∇"},     Entry{"in", "∈"},
    Entry{"ni", "∋"},         Entry{"to", "→"},      Entry{"leftarrow", "←"}, Entry{"mapsto", "↦"},
    Entry{"rightarrow", "→"}, Entry{"perp", "⊥"},    Entry{"angle", "∠"},     Entry{"preceq", "⪯"},
    Entry{"succeq", "⪰"},     Entry{"ll", "≪"},      Entry{"gg", "≫"},        Entry{"ldots", "…"},
    Entry{"cdots", "⋯"},      Entry{"cup", "∪"},     Entry{"cap", "∩"},       Entry{"subset", "⊂"},
    Entry{"setminus", "∖"},   Entry{"forall", "∀"},  Entry{"exists", "∃"},    Entry{"lbrace", "{"},
    Entry{"rbrace", "}"},     Entry{"lvert", "|"},   Entry{"rvert", "|"},     Entry{"lVert", "‖"},
    Entry{"rVert", "‖"},      Entry{"lfloor", "⌊"},  Entry{"rfloor", "⌋"},    Entry{"lceil", "⌈"},
    Entry{"rceil", "⌉"},      Entry{"langle", "⟨"},  Entry{"rangle", "⟩"},    Entry{"{", "{"},
    Entry{"}", "}"},          Entry{"|", "‖"},       Entry{"%", "%"},         Entry{"#", "#"},
    Entry{"$", "&#36;"}};

/// Operators whose limits are below and above them in a displayed formula.
constexpr std::array sums{Entry{"sum", "∑"}, Entry{"prod", "∏"}};
constexpr std::array integrals{Entry{"int", "∫"}, Entry{"oint", "∮"}, Entry{"iint", "∬"}};
constexpr std::array<std::string_view, 9> limits{"max", "min", "sup", "inf", "lim", "det", "argmin", "argmax", "gcd"};
constexpr std::array<std::string_view, 15> functions{"sin",  "cos",  "tan", "cot", "arcsin", "arccos", "arctan", "sinh",
                                                     "cosh", "tanh", "ln",  "log", "exp",    "dim",    "sgn"};
constexpr std::array spaces{Entry{"quad", "1em"}, Entry{"qquad", "2em"}, Entry{",", "0.17em"}, Entry{":", "0.22em"},
                            Entry{";", "0.28em"}, Entry{" ", "0.25em"},  Entry{"!", "-0.17em"}};
constexpr std::array accents{Entry{"hat", "^"},      Entry{"widehat", "^"}, Entry{"tilde", "~"}, Entry{"bar", "¯"},
                             Entry{"overline", "¯"}, Entry{"vec", "→"},     Entry{"dot", "˙"},   Entry{"ddot", "¨"}};

template <class Table>
std::string_view find(Table const& table, std::string_view name) {
  auto const found = std::find_if(table.begin(), table.end(), [&](Entry const& each) { return each.first == name; });
  return found == table.end() ? std::string_view() : found->second;
}

template <class Names>
bool names(Names const& all, std::string_view name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::string element(std::string_view tag, std::string_view content) {
  std::string const name(tag.substr(0, tag.find(' ')));
  return "<" + std::string(tag) + ">" + std::string(content) + "</" + name + ">";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

/// Returns a bold or sans-serif letter as its Unicode character, because browsers do not support the values of
/// `mathvariant` for these letters.
std::string styled(char letter, char32_t capital_a, char32_t small_a) {
  bool const capital = letter >= 'A' && letter <= 'Z';
  if (!capital && !(letter >= 'a' && letter <= 'z')) return std::string(1, letter);
  char32_t const code =
      capital ? capital_a + static_cast<char32_t>(letter - 'A') : small_a + static_cast<char32_t>(letter - 'a');
  return {static_cast<char>(0xF0 | (code >> 18)), static_cast<char>(0x80 | ((code >> 12) & 0x3F)),
          static_cast<char>(0x80 | ((code >> 6) & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
}

class Parser {
 public:
  Parser(std::string_view tex, bool display) : tex_(tex), display_(display) {}

  Formula formula() {
    std::string const content = row("");
    if (error_.empty() && at_ < tex_.size()) fail("unmatched \"" + std::string(1, tex_[at_]) + "\"");
    return {element(display_ ? "math display=\"block\"" : "math", content), error_};
  }

 private:
  /// The place of subscripts and superscripts: beside the nucleus, or below and above it in a displayed formula.
  enum class Scripts { beside, below };
  struct Nucleus {
    std::string text;
    Scripts scripts = Scripts::beside;
  };

  void fail(std::string what) {
    if (error_.empty()) error_ = std::move(what);
    at_ = tex_.size();
  }

  void skip_blanks() {
    while (at_ < tex_.size() && std::isspace(static_cast<unsigned char>(tex_[at_]))) ++at_;
  }

  bool next_is(std::string_view text) {
    skip_blanks();
    return at_ <= tex_.size() && tex_.substr(at_).starts_with(text);
  }

  bool next_is_right() {
    if (!next_is("\\right")) return false;
    return at_ + 6 >= tex_.size() || !std::isalpha(static_cast<unsigned char>(tex_[at_ + 6]));
  }

  /// Returns the name of the command after a backslash: letters, or one other character.
  std::string_view command() {
    std::size_t end = at_;
    while (end < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[end]))) ++end;
    std::string_view const name = tex_.substr(at_, std::max(end - at_, std::size_t{1}));
    at_ = std::min(at_ + name.size(), tex_.size());
    return name;
  }

  /// Returns the elements before `end`, and does not consume `end`. If `end` is empty, returns the elements up to the
  /// end of the formula or group.
  std::string row(std::string_view end) {
    std::string content;
    while (true) {
      skip_blanks();
      if (at_ >= tex_.size() || tex_[at_] == '}' || (!end.empty() && next_is(end)) || next_is_right()) return content;
      content += scripted();
    }
  }

  /// Returns a nucleus with its subscripts and superscripts.
  std::string scripted() {
    Nucleus nucleus = this->nucleus();
    std::string below, above;
    while (true) {
      if (next_is("_") && below.empty()) {
        ++at_;
        below = argument();
      } else if (next_is("^") && above.empty()) {
        ++at_;
        above += argument();
      } else if (next_is("'")) {
        ++at_;
        above += element("mo", "′");
      } else {
        break;
      }
    }
    if (above.empty() && below.empty()) return nucleus.text;
    bool const under = nucleus.scripts == Scripts::below && display_;
    if (above.empty()) return element(under ? "munder" : "msub", nucleus.text + element("mrow", below));
    if (below.empty()) return element(under ? "mover" : "msup", nucleus.text + element("mrow", above));
    return element(under ? "munderover" : "msubsup", nucleus.text + element("mrow", below) + element("mrow", above));
  }

  /// Returns the argument of a command or a script: a group, one character or one command.
  std::string argument() {
    skip_blanks();
    if (at_ < tex_.size() && std::isdigit(static_cast<unsigned char>(tex_[at_])))
      return element("mn", tex_.substr(at_++, 1));
    return nucleus().text;
  }

  /// Returns the text of a group of words, without its braces, or one letter.
  std::string words() {
    skip_blanks();
    if (at_ < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[at_]))) return std::string(1, tex_[at_++]);
    std::size_t const end = tex_.find('}', at_);
    if (at_ >= tex_.size() || tex_[at_] != '{' || end == std::string_view::npos) {
      fail("expected a group of words");
      return {};
    }
    std::string_view const text = tex_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(text);
  }

  std::string number() {
    std::size_t end = at_;
    auto const digit = [&](std::size_t i) {
      return i < tex_.size() && std::isdigit(static_cast<unsigned char>(tex_[i]));
    };
    while (digit(end) || (end < tex_.size() && tex_[end] == '.' && digit(end + 1))) ++end;
    std::string_view const text = tex_.substr(at_, end - at_);
    at_ = end;
    return element("mn", text);
  }

  Nucleus nucleus() {
    skip_blanks();
    if (at_ >= tex_.size()) {
      fail("ends where an argument was expected");
      return {};
    }
    char const c = tex_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && at_ + 1 < tex_.size() && std::isdigit(static_cast<unsigned char>(tex_[at_ + 1]))))
      return {number()};
    ++at_;
    if (c == '{') {
      std::string const content = row("");
      if (!next_is("}")) fail("\"{\" without \"}\"");
      ++at_;
      return {element("mrow", content)};
    }
    if (c == '\\') return of_command(command());
    if (std::isalpha(static_cast<unsigned char>(c))) return {element("mi", std::string(1, c))};
    if (c == '-') return {element("mo", "−")};
    if (c == '*') return {element("mo", "∗")};
    if (c == '/') return {element("mo lspace=\"0\" rspace=\"0\"", "/")};
    if (c == '~') return {element("mspace width=\"0.25em\"", "")};
    if (std::string_view("+=<>,;:.!|()[]").find(c) != std::string_view::npos) {
      bool const fence = std::string_view("|()[]").find(c) != std::string_view::npos;
      return {element(fence ? "mo stretchy=\"false\"" : "mo", escaped(std::string(1, c)))};
    }
    if (static_cast<unsigned char>(c) >= 0x80) {  // a character of several bytes is copied unchanged
      std::size_t const begin = at_ - 1;
      while (at_ < tex_.size() && (static_cast<unsigned char>(tex_[at_]) & 0xC0) == 0x80) ++at_;
      return {element("mi", tex_.substr(begin, at_ - begin))};
    }
    fail("unexpected \"" + std::string(1, c) + "\"");
    return {};
  }

  Nucleus of_command(std::string_view name) {
    if (auto const letter = find(letters, name); !letter.empty()) return {element("mi", letter)};
    if (auto const sign = find(operators, name); !sign.empty()) return {element("mo stretchy=\"false\"", sign)};
    if (auto const sum = find(sums, name); !sum.empty()) return {element("mo", sum), Scripts::below};
    if (auto const integral = find(integrals, name); !integral.empty()) return {element("mo", integral)};
    if (auto const width = find(spaces, name); !width.empty())
      return {element("mspace width=\"" + std::string(width) + "\"", "")};
    if (names(limits, name)) return {element("mo", name), Scripts::below};
    if (names(functions, name)) return {element("mi", name) + element("mo", "&#8289;")};
    if (auto const accent = find(accents, name); !accent.empty()) {
      std::string const under = argument();
      return {element("mover accent=\"true\"", under + element("mo stretchy=\"false\"", accent))};
    }
    if (name == "bmod") return {element("mo lspace=\"0.22em\" rspace=\"0.22em\"", "mod")};
    if (name == "left") return {fenced()};
    if (name == "frac" || name == "tfrac" || name == "dfrac") return {fraction(name)};
    if (name == "sqrt") return {root()};
    if (name == "mathrel" || name == "mathbin" || name == "mathord") return {element("mo", plain(argument()))};
    if (name == "text") return {element("mtext", escaped(words()))};
    if (name == "mathrm") return {element("mi mathvariant=\"normal\"", escaped(words()))};
    if (name == "operatorname")
      return {element("mi mathvariant=\"normal\"", escaped(words())) + element("mo", "&#8289;")};
    if (name == "mathbf" || name == "mathsf") {
      std::string text;
      for (char const letter : words())
        text += name == "mathbf" ? styled(letter, 0x1D400, 0x1D41A) : styled(letter, 0x1D5A0, 0x1D5BA);
      return {element("mi", text)};
    }
    for (std::string_view const size :
         {"Biggl", "Biggr", "biggl", "biggr", "Bigl", "Bigr", "bigl", "bigr", "Big", "big"})
      if (name == size) return {element("mo minsize=\"1.4em\" maxsize=\"1.4em\" stretchy=\"true\"", delimiter())};
    fail("unknown command \"\\" + std::string(name) + "\"");
    return {};
  }

  /// Returns the text of an element without tags.
  static std::string plain(std::string_view html) {
    std::string text;
    bool inside = false;
    for (char const c : html) {
      if (c == '<') inside = true;
      if (!inside) text += c;
      if (c == '>') inside = false;
    }
    return text;
  }

  std::string fraction(std::string_view name) {
    std::string const above = argument(), below = argument();
    std::string const result = element("mfrac", above + below);
    if (name == "tfrac") return element("mstyle displaystyle=\"false\"", result);
    return result;
  }

  std::string root() {
    if (!next_is("[")) return element("msqrt", argument());
    ++at_;
    std::string const index = row("]");
    if (!next_is("]")) fail("\"[\" without \"]\"");
    ++at_;
    std::string const under = argument();
    return element("mroot", under + element("mrow", index));
  }

  /// Returns the delimiter after \left, \right or \bigl: one character, or a command such as \lbrace. "." means no
  /// delimiter.
  std::string delimiter() {
    skip_blanks();
    if (at_ >= tex_.size()) {
      fail("expected a delimiter");
      return {};
    }
    char const c = tex_[at_++];
    if (c == '.') return {};
    if (c != '\\') return escaped(std::string(1, c));
    std::string_view const name = command(), sign = find(operators, name);
    if (sign.empty()) fail("unknown delimiter \"\\" + std::string(name) + "\"");
    return std::string(sign);
  }

  std::string fenced() {
    auto const fence = [](std::string_view sign) {
      return sign.empty() ? std::string() : element("mo fence=\"true\" stretchy=\"true\"", sign);
    };
    std::string const open = delimiter(), content = row("");
    if (!next_is_right()) {
      fail("\\left without \\right");
      return {};
    }
    at_ += 6;
    return element("mrow", fence(open) + content + fence(delimiter()));
  }

  std::string_view tex_;
  bool display_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

Formula mathml(std::string_view tex, bool display) { return Parser(tex, display).formula(); }

}  // namespace demeter::documents
