// Tests the functions that cut, replace, escape and quote texts of other programs.
#include "base/text.hpp"
#include "base/json_text.hpp"
#include "base/shell.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace demeter {
namespace text_test {

using std::string, std::string_view;

/// Texts that must not reach a terminal, an editor or a reader of UTF-8.
string const harmful[] = {"\x1b",         "\n",           "\x7f",         "\xc2\x9b",         "\xe2\x80\xae",
                          "\xe2\x81\xa6", "\xe2\x80\xa8", "\xe2\x80\x8f", "\xd8\x9c",         "\xef\xbb\xbf",
                          "\xff",         "\xc0\xaf",     "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82",
                          string(1, '\0')};
/// Texts that must not change.
string const harmless[] = {"a", "é", "µ", "—", "日本", "😀", "\xc2\xa0"};

TEST(Text, HarmfulCharactersAreReplaced) {
  for (auto const& each : harmful) {
    string const shown = plain_text("a" + each + "b");
    EXPECT_EQ(shown.find_first_not_of("ab?"), string::npos) << shown;
    EXPECT_TRUE(shown.starts_with("a?") && shown.ends_with("?b")) << shown;
  }
  for (auto const& each : harmless) EXPECT_EQ(plain_text(each), each);
}

TEST(Text, LongTextsAreCutAndTheirLengthIsStated) {
  EXPECT_EQ(plain_text(string(200, 'x')), string(200, 'x'));
  EXPECT_EQ(plain_text(string(4000, 'x')), string(200, 'x') + "... (4,000 characters)");
  EXPECT_EQ(plain_text("ééé", 3), "é... (3 characters)") << "characters, not bytes, and none is halved";
  EXPECT_EQ(grouped_digits(1), "1");
  EXPECT_EQ(grouped_digits(1234567), "1,234,567");
}

TEST(Text, EachLongWordOfAMessageIsCut) {
  EXPECT_EQ(plain_message("path " + string(10'000, 'x') + ": No such file"),
            "path " + string(200, 'x') + "... (10,000 characters): No such file");
  string const words = plain_message([] {
    string text = "unknown key";
    for (int i = 0; i < 5000; ++i) text += " word";
    return text + ", expected another";
  }());
  EXPECT_LT(words.size(), 1100u);
  EXPECT_TRUE(words.starts_with("unknown key word") && words.ends_with(", expected another")) << words;
  EXPECT_NE(words.find("... (25,029 characters) ..."), string::npos) << words;
}

TEST(Text, JsonStaysValidAndEscapesHarmfulCharacters) {
  string all;
  for (auto const& each : harmless) all += each;
  for (auto const& each : harmful)
    if (each.size() > 1) all += each;
  string const text = json_text(nlohmann::ordered_json{{"key", all}}, 2);
  for (std::size_t at = 0; at < text.size(); at += first_character(string_view(text).substr(at)).bytes)
    EXPECT_TRUE(text[at] == '\n' || first_character(string_view(text).substr(at)).is_harmless) << text;
  EXPECT_NE(text.find("\\u009b"), string::npos) << text;
  EXPECT_EQ(nlohmann::json::parse(text)["key"],
            nlohmann::json::parse(nlohmann::json(all).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
}

/// Returns the first word of `word` as this shell reads it.
string read_by(char const* shell, string const& word) {
  string const command = string(shell) + " -c " + sh_quoted("printf %s " + word);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> text;
  std::size_t const size = std::fread(text.data(), 1, text.size(), pipe);
  ::pclose(pipe);
  return {text.data(), size};
}

TEST(Shell, AQuotedWordIsReadBack) {
  for (string const before : {"a", "", "'", "\\", "$(x)", " "})
    for (auto const& each : harmful) {
      string const word = before + each + "7'\"!b";
      if (each[0] == '\0') continue;
      EXPECT_EQ(read_by("bash", shell_quoted(word)), word) << shell_quoted(word);
      EXPECT_EQ(read_by("sh", sh_quoted(word)), word) << sh_quoted(word);
      EXPECT_TRUE(is_plain_command("demeter explain " + shell_quoted(word))) << shell_quoted(word);
      EXPECT_EQ(plain_message(shell_quoted(word)), shell_quoted(word));
    }
  for (string const word : {"plain", "a;b", "`c`", "$d", "it's", "", "*", "~", "é"}) {
    EXPECT_EQ(read_by("bash", shell_quoted(word)), word);
    EXPECT_EQ(shell_quoted(word), sh_quoted(word)) << "only where $'...' is needed";
  }
}

TEST(Shell, CommandsWithShellSyntaxAreNotPlain) {
  for (string const command : {"rm x", "demeter a;b", "demeter $(b)", "demeter 'a", "demeter $'a\\'", "demeter a\nb",
                               "demeter `b`", "demeter a|b", "demeter \"$b\"", "demeter 'a'$b", "demeter a\\"})
    EXPECT_FALSE(is_plain_command(command)) << command;
  EXPECT_TRUE(is_plain_command("demeter list 'a;b' it\\'s $'\\033\\''"));
}

}  // namespace text_test
}  // namespace demeter
