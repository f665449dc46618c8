#include "cli/core/baseline.hpp"

#include "base/files.hpp"

namespace demeter::cli {

void add_baseline(Verb& verb, BaselineOptions& options) {
  verb.option("--known", options.known,
              "file of accepted failures (JSON lines); only failures that are not in it count");
  verb.option("--write-known", options.write_known, "write the failures of this run to a file for --known")
      .updates("--known");
  verb.option("--junit", options.junit, "also write the verdicts as JUnit XML");
}

int open_baseline(std::string_view verb, BaselineOptions const& options, KnownFailures& known) {
  if (!options.known.empty()) {
    InputFile file;
    if (!file.open_or_complain(verb, options.known)) return bad_usage;
    Lines lines(file);
    for (;;) {
      auto const& block = lines.next_block();
      if (block.empty()) break;
      for (auto const& line : block)
        if (auto const wrong = known.add_line(line.text, line.number))
          return complain(bad_data, verb, fmt::format("{}: line {}: {}", options.known, line.number, *wrong));
    }
    if (lines.error()) return complain(broken, verb, *lines.error());
  }
  return held;
}

int write_baseline(std::string_view verb, BaselineOptions const& options, KnownFailures const& known,
                   std::vector<KnownFailure> const& found, std::vector<junit::Suite> const& suites, bool whole) {
  if (!options.junit.empty())
    if (auto const why = junit::write(options.junit, suites)) return complain(broken, verb, *why);
  if (options.write_known.empty() || !whole) return held;
  std::string text = known_head();
  for (auto const& entry : updated(known, found)) text += known_line(entry) + "\n";
  if (auto const why = write_whole(options.write_known, text)) return complain(broken, verb, *why);
  return held;
}

}  // namespace demeter::cli
