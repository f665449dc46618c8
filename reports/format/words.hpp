// Numbers as sentences say them, on the terminal and on the pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace demeter::report {

/// "100,000"
std::string grouped(std::int64_t count);

/// Two digits of a share: "3.5 %", "62 %", "0.0012 %". "100 %" and "0 %" are said of nothing less and nothing more.
std::string percent(double share);

/// A length in metres, rounded up to one digit: "3 mm", "20 um".
std::string length_rounded_up(double metres);

/// A regime as a sentence names it: "nearly parallel crossing" of "near_parallel_crossing".
std::string phrase_of(std::string_view regime);

/// How markup, HTML or XML, writes a character that stands for something else there; empty of all others.
std::string_view entity(char character);

/// "a", "a and b", "a, b and c"; beyond `most` "a, b and 5 more".
template <class Texts>
std::string listed(Texts const& texts, std::size_t most = ~std::size_t{0}) {
  std::size_t const count = texts.size(), said = count <= most ? count : most - 1;
  std::string text;
  for (std::size_t i = 0; i < said; ++i)
    text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + std::string(texts[i]);
  if (said < count) text += " and " + grouped(static_cast<std::int64_t>(count - said)) + " more";
  return text;
}

/// "5 crashed, 2 timed out, 1 not answered, 3 answered unreadably": what of it there was, of a record that counts it.
template <class Counts>
std::string lost_in_words(Counts const& counts) {
  std::string text;
  auto const add = [&](auto count, std::string_view what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + grouped(static_cast<std::int64_t>(count)) + std::string(what);
  };
  add(counts.crash, " crashed");
  add(counts.timeout, " timed out");
  add(counts.missing, " not answered");
  add(counts.malformed, " answered unreadably");
  return text;
}
/// "5 unsupported, 2 not representable in its numbers, 1,000 not asked".
template <class Counts>
std::string not_judged_in_words(Counts const& counts) {
  std::string text;
  auto const add = [&](auto count, std::string_view what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + grouped(static_cast<std::int64_t>(count)) + std::string(what);
  };
  add(counts.unsupported, " unsupported");
  add(counts.not_representable, " not representable in its numbers");
  add(counts.not_asked, " not asked");
  return text;
}

}  // namespace demeter::report
