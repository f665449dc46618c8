// Texts for numbers and lists in sentences, on the terminal and on the pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace demeter::report {

/// Returns a count with separators, for example "100,000".
std::string grouped(std::int64_t count);

/// Returns a share with two digits: "3.5 %", "62 %", "0.0012 %". "100 %" and "0 %" mean exactly these values.
std::string percent(double share);

/// Returns a length in metres, rounded up to one digit: "3 mm", "20 um".
std::string length_rounded_up(double metres);

/// Returns a regime's name as words: "nearly parallel crossing" for "near_parallel_crossing".
std::string phrase_of(std::string_view regime);

/// Returns the HTML or XML entity of a special character. Returns an empty text for all other characters.
std::string_view entity(char character);

/// Returns "a", "a and b", "a, b and c". If there are more than `most` items, returns "a, b and 5 more".
template <class Texts>
std::string listed(Texts const& texts, std::size_t most = ~std::size_t{0}) {
  std::size_t const count = texts.size(), said = count <= most ? count : most - 1;
  std::string text;
  for (std::size_t i = 0; i < said; ++i)
    text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + std::string(texts[i]);
  if (said < count) text += " and " + grouped(static_cast<std::int64_t>(count - said)) + " more";
  return text;
}

/// Returns the nonzero counts of a record: "5 crashed, 2 timed out, 1 not answered, 3 unreadable".
template <class Counts>
std::string lost_in_words(Counts const& counts) {
  std::string text;
  auto const add = [&](auto count, std::string_view what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + grouped(static_cast<std::int64_t>(count)) + std::string(what);
  };
  add(counts.crash, " crashed");
  add(counts.timeout, " timed out");
  add(counts.missing, " not answered");
  add(counts.malformed, " unreadable");
  return text;
}
/// Returns the nonzero counts of a record: "5 unsupported, 2 not representable in its number format, 1,000 not asked".
template <class Counts>
std::string not_judged_in_words(Counts const& counts) {
  std::string text;
  auto const add = [&](auto count, std::string_view what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + grouped(static_cast<std::int64_t>(count)) + std::string(what);
  };
  add(counts.unsupported, " unsupported");
  add(counts.not_representable, " not representable in its number format");
  add(counts.not_asked, " not asked");
  return text;
}

}  // namespace demeter::report
