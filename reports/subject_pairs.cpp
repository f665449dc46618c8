#include "reports/subject_pairs.hpp"

#include "reports/format/model.hpp"
#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace demeter {
namespace {

using Names = std::set<std::string>;

Names subjects_of(Recorded const& run) {
  Names names;
  for (auto const& pair : run.pairs) names.insert(pair.second);
  return names;
}

/// Calls visit(kernel, name) for every name of a subject in a run.
template <class Visit>
void visit_names(Recorded& run, Visit const& visit) {
  for (auto& pair : run.pairs) visit(pair.first, pair.second);
  for (auto& row : run.accuracy) visit(row.kernel, row.subject);
  for (auto& row : run.laws) visit(row.kernel, row.subject);
  for (auto& row : run.timings) {
    visit(row.kernel, row.subject);
    visit(row.kernel, row.row.subject);
  }
  for (auto& kernel : run.kernels) {
    for (auto& contender : kernel.subjects) visit(kernel.name, contender.name);
    for (auto& timing : kernel.speed.timings) visit(kernel.name, timing.subject);
  }
}

/// Returns the name that a library gives itself. Returns an empty text for other subjects and for a library without
/// such a name.
std::string own_name(Recorded const& run, std::string const& subject) {
  if (!subject.starts_with("lib:")) return "";
  for (auto const& kernel : run.kernels)
    if (auto const* const contender = report::find_named(kernel.subjects, subject)) return contender->doc;
  return "";
}

/// Returns the name of a subject from outside without its folders: "lib:libmine.so", "pipe:python3 mine.py". Returns an
/// empty text for other subjects.
std::string name_without_folders(std::string const& subject) {
  std::size_t const colon = subject.find(':') + 1;
  std::string const form = subject.substr(0, colon), rest = subject.substr(colon);
  if (form != "lib:" && form != "file:" && form != "pipe:") return "";
  auto const last_part = [](std::string const& path) { return path.substr(path.rfind('/') + 1); };
  if (form != "pipe:") return form + last_part(rest);
  std::string name = form;
  std::istringstream words(rest);
  for (std::string word; words >> word;) name += (name == form ? "" : " ") + last_part(word);
  return name;
}

/// Returns the name whose key is `key`. Returns nothing if there is none or more than one.
template <class Key>
std::optional<std::string> only_with(Names const& names, Key const& key_of, std::string const& key) {
  std::optional<std::string> found;
  for (auto const& name : names) {
    if (key_of(name) != key) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

void rename(Recorded& run, std::string const& from, std::string const& to) {
  for (auto const& pair : run.pairs)
    if (pair.second == from) run.former_names[{pair.first, to}] = from;
  visit_names(run, [&](std::string const&, std::string& name) {
    if (name == from) name = to;
  });
}

/// Returns the rank of a level or arithmetic. A name without a level, such as "fast", means the subject with the
/// highest rank.
int rank(std::string_view level) {
  constexpr std::string_view levels[] = {"double", "scalar", "avx2", "avx512"};
  auto const* const found = std::find(std::begin(levels), std::end(levels), level);
  return found == std::end(levels) ? 1 : static_cast<int>(found - std::begin(levels)) + 2;
}

/// Returns the subject of a kernel that the user names by `what`, or nothing.
std::optional<std::string> resolved(Recorded const& run, std::string const& kernel, std::string const& what) {
  std::optional<std::string> best;
  int best_rank = 0;
  for (auto const& [of, subject] : run.pairs) {
    if (of != kernel) continue;
    if (subject == what) return subject;
    bool const is_own = own_name(run, subject) == what;
    bool const is_level = subject.starts_with(what + "@");
    if (!is_own && !is_level) continue;
    int const of_subject = is_own ? 9 : rank(std::string_view(subject).substr(what.size() + 1));
    if (of_subject > best_rank) best = subject, best_rank = of_subject;
  }
  return best;
}

/// The subject to keep, for each kernel.
using Chosen = std::map<std::string, std::string>;

/// Removes the results of all subjects that were not chosen, including comparison routines, and all other kernels.
void keep_only(Recorded& run, Chosen const& chosen) {
  auto const is_other = [&](std::string const& kernel, std::string const& subject) {
    auto const found = chosen.find(kernel);
    return found == chosen.end() || found->second != subject;
  };
  std::erase_if(run.pairs, [&](auto const& pair) { return is_other(pair.first, pair.second); });
  std::erase_if(run.accuracy, [&](auto const& row) { return is_other(row.kernel, row.subject); });
  std::erase_if(run.laws, [&](auto const& row) { return is_other(row.kernel, row.subject); });
  std::erase_if(run.timings, [&](auto const& row) { return is_other(row.kernel, row.subject); });
  std::erase_if(run.kernels, [&](auto const& kernel) { return !chosen.contains(kernel.name); });
  for (auto& kernel : run.kernels) {
    std::erase_if(kernel.subjects, [&](auto const& contender) { return is_other(kernel.name, contender.name); });
    std::erase_if(kernel.speed.timings, [&](auto const& timing) { return is_other(kernel.name, timing.subject); });
  }
}

report::Contender const* chosen_in(Recorded const& run, std::string const& kernel, Chosen const& chosen) {
  auto const* const entry = report::find_named(run.kernels, kernel);
  return entry == nullptr ? nullptr : report::find_named(entry->subjects, chosen.at(kernel));
}

/// Converts the errors and budgets of a kernel from units of binary32 to units of binary64.
void to_units_of_binary64(Recorded& run, std::string const& kernel) {
  constexpr double factor = 0x1p29;
  for (auto& row : run.accuracy) {
    if (row.kernel != kernel) continue;
    for (auto* const number : {&row.row.budget, &row.row.max_error, &row.row.mean_error})
      if (*number) **number *= factor;
  }
}

/// Adds a remark for each kernel whose two subjects are judged by different formulas or in different precisions.
/// Converts their errors to the same unit.
void level_units(Recorded& old_run, Recorded& new_run, Chosen const& first, Chosen const& second) {
  for (auto const& [kernel, name] : first) {
    auto const* const one = chosen_in(old_run, kernel, first);
    auto const* const other = chosen_in(new_run, kernel, second);
    if (one == nullptr || other == nullptr) continue;
    if (one->formula != other->formula) {
      auto const by = [](report::Contender const& of) {
        return of.formula.empty() ? "the recommended one" : of.formula;
      };
      new_run.remarks.push_back(fmt::format("{}: judged by different formulas: {} by {}, {} by {}", kernel, one->name,
                                            by(*one), other->name, by(*other)));
    }
    if (one->binary32 == other->binary32) continue;
    new_run.remarks.push_back(fmt::format("{}: {} computes in binary32: its errors are given in u of binary64", kernel,
                                          one->binary32 ? one->name : other->name));
    to_units_of_binary64(one->binary32 ? old_run : new_run, kernel);
  }
}

Chosen chosen_by(Recorded const& run, std::string const& what) {
  Chosen chosen;
  for (auto const& pair : run.pairs)
    if (auto const name = resolved(run, pair.first, what)) chosen[pair.first] = *name;
  return chosen;
}

std::string not_there(Recorded const& run, std::string const& what) {
  Names const names = subjects_of(run);
  return fmt::format("--subject: no results of \"{}\", expected one of {}", what,
                     report::listed(std::vector<std::string>(names.begin(), names.end()), 20));
}

}  // namespace

void match_subjects(Recorded& old_run, Recorded const& new_run) {
  Names before, now;
  Names const all_before = subjects_of(old_run), all_now = subjects_of(new_run);
  std::set_difference(all_before.begin(), all_before.end(), all_now.begin(), all_now.end(),
                      std::inserter(before, before.end()));
  std::set_difference(all_now.begin(), all_now.end(), all_before.begin(), all_before.end(),
                      std::inserter(now, now.end()));
  auto const pair_up = [&](std::string const& old_name, std::string const& new_name, std::string const& why) {
    old_run.remarks.push_back(fmt::format("{} of NEW is compared with {} of OLD: {}", new_name, old_name, why));
    rename(old_run, old_name, new_name);
    before.erase(old_name);
    now.erase(new_name);
  };
  auto const match_by = [&](auto const& key_of_old, auto const& key_of_new, std::string_view why) {
    for (auto const& name : Names(before)) {
      std::string const key = key_of_old(name);
      if (key.empty() || only_with(before, key_of_old, key) != name) continue;
      if (auto const other = only_with(now, key_of_new, key)) pair_up(name, *other, fmt::format("{} {}", why, key));
    }
  };
  match_by([&](std::string const& name) { return own_name(old_run, name); },
           [&](std::string const& name) { return own_name(new_run, name); }, "both libraries have the name");
  match_by(&name_without_folders, &name_without_folders, "without folders both are");
  if (all_before.size() == 1 && all_now.size() == 1 && before.size() == 1)
    pair_up(*before.begin(), *now.begin(), "each run has one subject");
}

std::optional<std::string> select_subject(Recorded& run, std::string const& subject) {
  Chosen const chosen = chosen_by(run, subject);
  if (chosen.empty()) return not_there(run, subject);
  keep_only(run, chosen);
  return std::nullopt;
}

std::optional<std::string> select_subjects(Recorded& old_run, Recorded& new_run, std::string const& first,
                                           std::string const& second) {
  Chosen const of_old = chosen_by(old_run, first), of_new = chosen_by(new_run, second);
  if (of_old.empty()) return not_there(old_run, first);
  if (of_new.empty()) return not_there(new_run, second);
  Chosen one, other;
  std::vector<std::string> alone;
  for (auto const& [kernel, name] : of_old) {
    if (of_new.contains(kernel)) {
      one[kernel] = name;
      other[kernel] = of_new.at(kernel);
    } else {
      alone.push_back(kernel);
    }
  }
  for (auto const& [kernel, name] : of_new)
    if (!of_old.contains(kernel)) alone.push_back(kernel);
  if (one.empty()) return fmt::format("--subject: no kernel is answered by both {} and {}", first, second);
  if (!alone.empty())
    new_run.remarks.push_back(
        fmt::format("not compared, since only one of the two answers: {}", report::listed(alone, 8)));
  level_units(old_run, new_run, one, other);
  keep_only(old_run, one);
  keep_only(new_run, other);
  for (auto const& [kernel, name] : other)
    if (one[kernel] != name) old_run.former_names[{kernel, name}] = one[kernel];
  visit_names(old_run, [&](std::string const& kernel, std::string& name) { name = other.at(kernel); });
  return std::nullopt;
}

}  // namespace demeter
