#include "reports/history.hpp"

#include "base/files.hpp"
#include "base/text.hpp"
#include "reports/format/gzip.hpp"
#include "reports/format/members.hpp"
#include "reports/format/parse.hpp"
#include "reports/site/site.hpp"
#include "reports/subject_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace demeter::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".results.json.gz";

/// Returns true if a text has the form of a UTC time: "2026-11-30T15:51:27Z".
bool is_date(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(), [](char c, char like) {
           return like == '0' ? c >= '0' && c <= '9' : c == like;
         });
}

std::string not_a_date(std::string const& text) {
  return fmt::format("demeter.created: got \"{}\", expected a UTC time such as 2026-11-30T15:51:27Z",
                     plain_text(text, 40));
}

/// Returns the beginning of a file name: "2026-11-30T155127Z-8980979abcde".
std::string file_stem(std::string const& created, std::string const& commit) {
  std::string stem;
  for (char const c : created)
    if (c != ':') stem += c;
  stem += '-';
  for (char const c : commit.substr(0, 40)) {
    bool const is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    stem += is_plain ? c : '_';
  }
  return stem;
}

/// Returns the rows of these kernels: only timings, or only accuracy and laws.
Recorded part_of(Recorded const& run, std::set<std::string> const& kernels, bool timings) {
  Recorded part;
  part.version = run.version;
  part.commit = run.commit;
  part.seed = run.seed;
  part.cpu = run.cpu;
  part.compiler = run.compiler;
  part.flags = run.flags;
  part.levels = run.levels;
  part.reference_workload = run.reference_workload;
  part.missing_peers = run.missing_peers;
  part.checked = !timings;
  part.timed = timings;
  auto const copy = [&](auto const& from, auto& into) {
    for (auto const& row : from)
      if (kernels.contains(row.kernel)) into.push_back(row);
  };
  for (auto const& pair : run.pairs)
    if (kernels.contains(pair.first)) part.pairs.push_back(pair);
  if (timings) {
    copy(run.timings, part.timings);
  } else {
    copy(run.accuracy, part.accuracy);
    copy(run.laws, part.laws);
  }
  for (auto const& kernel : run.kernels) {  // also copies the names that libraries give themselves
    if (!kernels.contains(kernel.name)) continue;
    auto& entry = part.kernels.emplace_back();
    entry.name = kernel.name;
    for (auto const& contender : kernel.subjects) {
      auto& copied = entry.subjects.emplace_back();
      copied.name = contender.name;
      copied.doc = contender.doc;
    }
  }
  return part;
}

/// Moves the values and steps of renamed subjects to their new names.
void rename_values(History& history, Recorded const& matched) {
  for (auto const& [place, former] : matched.former_names) {
    auto const old_values = history.values.find({place.first, former});
    if (old_values == history.values.end()) continue;
    auto& values = history.values[place];
    values.insert(values.end(), old_values->second.begin(), old_values->second.end());
    history.values.erase(old_values);
    for (Step& step : history.steps)
      if (step.kernel == place.first && step.subject == former) step.subject = place.second;
    std::sort(values.begin(), values.end(),
              [](HistoryValue const& a, HistoryValue const& b) { return a.version < b.version; });
  }
}

std::optional<Json> read_results_file(fs::path const& path, std::string& why) {
  auto file = read_whole(path);
  if (!file) {
    why = "cannot be read";
    return std::nullopt;
  }
  auto const text = unpacked(std::move(*file), why);
  if (!text) return std::nullopt;
  return parse_results(*text, why);
}

/// The values that determine the place of a results file in a history.
struct Place {
  std::string created, commit;
  fs::path path;

  bool operator<(Place const& other) const {
    return std::tie(created, commit, path) < std::tie(other.created, other.commit, other.path);
  }
};

/// Returns the date in a file name that `file_stem` made. Returns an empty text for other names.
std::string date_of_name(std::string const& name) {
  constexpr std::size_t length = std::string_view("2026-11-30T155127Z").size();
  if (name.size() <= length || name[length] != '-') return "";
  std::string date = name.substr(0, length);
  date.insert(15, ":").insert(13, ":");
  return is_date(date) ? date : "";
}

/// Returns the place of a results file in the history. Reads the file only if its name does not contain a date. If
/// there is no date, returns nothing and sets `why`.
std::optional<Place> place_of(fs::path const& path, std::string& why) {
  std::string const name = path.filename().string();
  Place place{date_of_name(name), name, path};
  if (!place.created.empty()) return place;
  auto const all = read_results_file(path, why);
  if (!all) return std::nullopt;
  auto const run = read_results(*all).run;
  if (is_date(run.created)) return Place{run.created, run.commit, path};
  why = not_a_date(run.created);
  return std::nullopt;
}

}  // namespace

Json for_history(Json const& results) {
  Results all = read_results(results);
  all.solvers.clear();
  for (Kernel& kernel : all.kernels) {
    kernel.errata.clear();
    kernel.ladder = {};
    kernel.mutation = {};
    kernel.continuity = {};
    kernel.no_longer_fails.clear();
    for (Contender& contender : kernel.subjects) {
      contender.failures.clear();
      contender.recorded.failing.clear();
      contender.calls.reset();
      for (Accuracy& row : contender.accuracy) row.worst.reset();
      for (LawResult& row : contender.laws) row.counterexample.reset();
    }
  }
  return cleaned(write(all));
}

std::optional<std::string> keep_in_history(Json const& results, fs::path const& folder) {
  Json const kept = for_history(results);
  Results const read = read_results(kept);
  if (!is_date(read.run.created)) return not_a_date(read.run.created);
  std::string const stem = file_stem(read.run.created, read.run.commit), text = packed_results(kept);
  FolderLock const lock(folder);
  if (lock.error()) return *lock.error();
  for (int number = 1;; ++number) {
    fs::path const path = folder / (stem + (number == 1 ? "" : fmt::format("-{}", number)) + std::string(ending));
    std::error_code error;
    if (!fs::exists(fs::symlink_status(path, error))) return write_whole(path, text, Links::replaced);
    if (read_whole(path) == text) return std::nullopt;  // a file of the folder already contains these results
  }
}

std::optional<std::string> HistoryBuilder::add(Json const& results) {
  auto const run = std::make_shared<Recorded>();
  if (auto const wrong = read_recorded(results, *run)) return wrong;
  Results const read = read_results(results);
  Version const version{read.run.created, read.run.commit, read.run.version, read.machine.cpu};
  std::set<std::string> kernels;
  for (auto const& kernel : run->kernels)
    if (seen_.insert(fmt::format("{} {} {}", version.created, version.commit, kernel.name)).second)
      kernels.insert(kernel.name);
  if (kernels.empty()) return std::nullopt;
  std::erase_if(run->kernels, [&](auto const& kernel) { return !kernels.contains(kernel.name); });
  std::erase_if(run->pairs, [&](auto const& pair) { return !kernels.contains(pair.first); });
  auto const& versions = history_.versions;
  if (versions.empty() || versions.back().created != version.created || versions.back().commit != version.commit)
    history_.versions.push_back(version);
  std::size_t const number = history_.versions.size() - 1;
  add_steps(run, number, Kind::accuracy, last_checked_);
  add_steps(run, number, Kind::speed, last_timed_);
  add_values(*run, number);
  return std::nullopt;
}

void HistoryBuilder::add_values(Recorded const& run, std::size_t version) {
  for (Kernel const& kernel : run.kernels) {
    std::string const regime = quoted_regime(kernel);
    for (Contender const& contender : kernel.subjects) {
      HistoryValue value;
      value.version = version;
      value.everyday = profile_tally(kernel, contender, "everyday").error;
      value.degenerate = profile_tally(kernel, contender, "degenerate").error;
      value.time = nanoseconds(kernel, contender.name, "cache", regime);
      for (Timing const& timing : kernel.speed.timings)
        if (timing.subject == contender.name && timing.setting == "cache" && timing.regime == regime &&
            timing.nanoseconds == value.time)
          value.middle = median_interval(timing.samples);
      history_.values[{kernel.name, contender.name}].push_back(value);
    }
  }
}

void HistoryBuilder::add_steps(Run const& run, std::size_t version, Kind kind, std::map<std::string, Run>& last) {
  bool const timings = kind == Kind::speed;
  if (timings && !run->timed) return;
  std::map<Run, std::set<std::string>> groups;  // kernels, grouped by the previous run that contains them
  for (auto const& kernel : run->kernels) {
    if (timings && kernel.speed.timings.empty()) continue;
    Run& before = last[timings ? kernel.name + "\n" + run->cpu : kernel.name];
    if (before != nullptr) groups[before].insert(kernel.name);
    before = run;
  }
  CompareOptions rules;
  rules.allow_gone = true;
  rules.speed = timings ? CompareOptions::Speed::automatic : CompareOptions::Speed::never;
  for (auto const& [before, kernels] : groups) {
    Recorded was = part_of(*before, kernels, timings);
    Recorded const is = part_of(*run, kernels, timings);
    match_subjects(was, is);
    if (!timings) rename_values(history_, was);
    keep_findings(compare(was, is, rules), version);
  }
}

void HistoryBuilder::keep_findings(Comparison const& comparison, std::size_t version) {
  std::set<std::string> slower;  // kernels with a note about the speed of a comparison routine
  for (auto const& finding : comparison.findings) {
    if (finding.kind != Finding::Kind::note) continue;
    if (finding.what.starts_with("speed ")) slower.insert(finding.kernel);
    std::pair<std::size_t, std::string> const remark(version, finding_text(finding).substr(5));
    auto& remarks = history_.remarks;
    if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) remarks.push_back(remark);
  }
  std::size_t const first = history_.steps.size();
  for (auto const& finding : comparison.findings) {
    bool const worse = finding.kind == Finding::Kind::regression;
    if ((!worse && finding.kind != Finding::Kind::improvement) || finding.what.empty()) continue;
    bool const is_speed = finding.what.starts_with("speed ");
    auto step = std::find_if(
        history_.steps.begin() + static_cast<std::ptrdiff_t>(first), history_.steps.end(), [&](Step const& each) {
          return each.kernel == finding.kernel && each.subject == finding.subject && each.is_speed == is_speed;
        });
    if (step == history_.steps.end())
      step = history_.steps.insert(
          step, Step{version, finding.kernel, finding.subject, is_speed, 0, 0, finding.what + ": " + finding.text,
                     is_speed && slower.contains(finding.kernel)});
    ++(worse ? step->worse : step->better);
  }
}

History read_history(fs::path const& folder) {
  std::vector<std::string> skipped;
  std::vector<Place> places;
  std::vector<fs::path> foreign, found;
  std::error_code error;
  for (auto each = fs::directory_iterator(folder, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    std::string const name = each->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.') || each->is_directory(ignored)) continue;
    bool const is_results = name.ends_with(".json.gz") || name.ends_with(".json");
    (is_results && each->is_regular_file(ignored) ? found : foreign).push_back(each->path());
  }
  if (error) skipped.push_back(fmt::format("{}: {}", folder.string(), error.message()));
  std::sort(found.begin(), found.end());
  std::sort(foreign.begin(), foreign.end());
  if (!foreign.empty())
    skipped.push_back(fmt::format("{}: {} with other names than *.json.gz skipped, such as {}", folder.string(),
                                  foreign.size() == 1 ? "1 file" : fmt::format("{} files", foreign.size()),
                                  foreign.front().filename().string()));
  auto const skip = [&](fs::path const& path, std::string const& why) {
    skipped.push_back(fmt::format("{}: {}; the file is skipped", path.string(), why));
  };
  for (auto const& path : found) {
    std::string why;
    if (auto place = place_of(path, why))
      places.push_back(std::move(*place));
    else
      skip(path, why);
  }
  std::sort(places.begin(), places.end());
  HistoryBuilder builder;
  for (auto const& place : places) {
    std::string why;
    auto const all = read_results_file(place.path, why);
    auto const wrong = all ? builder.add(*all) : std::optional(why);
    if (wrong) skip(place.path, *wrong);
  }
  History history = builder.take();
  history.skipped = std::move(skipped);
  return history;
}

}  // namespace demeter::report
