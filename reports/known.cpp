#include "reports/known.hpp"

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "check/model.hpp"
#include "check/tolerance.hpp"
#include "kernels/json_lines.hpp"
#include "reports/format/describe.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace demeter {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view any = "*";

/// Returns the names of all items as a list: "a, b, c".
template <class Items, class Name>
std::string names(Items const& items, Name name) {
  std::string text;
  for (auto const& item : items) text += (text.empty() ? "" : ", ") + std::string(name(item));
  return text;
}

template <class Items, class Name>
bool has(Items const& items, std::string_view wanted, Name name) {
  return std::any_of(items.begin(), items.end(), [&](auto const& item) { return name(item) == wanted; });
}

template <class Items, class Name>
std::optional<std::string> unknown(std::string_view key, std::string const& value, Items const& items, Name name,
                                   bool star) {
  if ((star && value == any) || has(items, value, name)) return std::nullopt;
  return fmt::format("{}: \"{}\", expected one of {}{}", key, plain_text(value), names(items, name),
                     star ? ", or *" : "");
}

auto const name_of = [](auto const& item) -> std::string const& { return item.name; };
auto const output_of = [](Budget const& budget) { return budget.output; };

/// Returns true if the numbers of two cases are equal. The texts may differ: 0.1 and "0.1" are equal.
bool same_case(Schema const& schema, Table const& one, Table const& cases, std::size_t row) {
  Table other(schema);
  append_row(schema, other, cases, row);
  auto const same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t i = 0; i < one.columns.size(); ++i)
    if (!std::equal(one.columns[i].begin(), one.columns[i].end(), other.columns[i].begin(), other.columns[i].end(),
                    same))
      return false;
  return true;
}

/// Returns the number of cases that the subject was asked and could answer. The failures of the cell are among these
/// cases.
std::uint64_t tried(AccuracyCell const& cell) {
  return cell.cases - cell.unsupported - cell.not_representable - cell.not_asked;
}

bool same_key(KnownFailure const& a, KnownFailure const& b) {
  return a.kernel == b.kernel && a.subject == b.subject && a.regime == b.regime && a.output == b.output &&
         a.law == b.law && a.call == b.call;
}

}  // namespace

std::optional<std::string> KnownFailures::add_line(std::string_view line, std::uint64_t number) {
  if (auto const wrong = read_line(line, number)) return plain_message(*wrong);
  return std::nullopt;
}

std::optional<std::string> KnownFailures::read_line(std::string_view line, std::uint64_t number) {
  if (json_depth(line) > 100) return "nested too deeply; expected an entry of a baseline";
  Json const json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return "expected a JSON object";
  if (json.size() == 1 && json.contains("demeter")) return std::nullopt;  // the first line, from known_head()
  KnownFailure entry;
  entry.line = number;
  for (auto const& item : json.items()) {
    std::string const& key = item.key();
    std::string* const text = key == "kernel"    ? &entry.kernel
                              : key == "subject" ? &entry.subject
                              : key == "regime"  ? &entry.regime
                              : key == "output"  ? &entry.output
                              : key == "law"     ? &entry.law
                              : key == "call"    ? &entry.call
                              : key == "comment" ? &entry.comment
                                                 : nullptr;
    if (text != nullptr) {
      if (!item.value().is_string() || (key != "comment" && item.value() == ""))
        return key + ": expected a string" + (key == "comment" ? "" : " that is not empty");
      *text = item.value().get<std::string>();
    } else if (key == "max_error") {
      bool const infinite = item.value() == "inf";
      if (!infinite && (!item.value().is_number() || !(item.value().get<double>() >= 0)))
        return "max_error: expected a number that is not negative, or \"inf\"";
      entry.max_error = infinite ? std::numeric_limits<double>::infinity() : item.value().get<double>();
    } else if (key == "failed" || key == "of") {
      if (!item.value().is_number_unsigned() || item.value() == 0)
        return fmt::format("{}: expected a whole number above 0", key);
      if (!entry.count) entry.count.emplace();
      (key == "of" ? entry.count->of : entry.count->failed) = item.value().get<std::uint64_t>();
    } else if (key != "input") {
      return fmt::format(
          "unknown key \"{}\"; expected kernel, subject, regime, output, law, call, input, max_error, failed, of or "
          "comment",
          plain_text(key));
    }
  }
  if (entry.count && (entry.count->failed == 0 || entry.count->of < entry.count->failed))
    return fmt::format("expected both \"failed\" and \"of\", with failed <= of: got {} of {}", entry.count->failed,
                       entry.count->of);
  if (entry.count && json.contains("input")) return "\"failed\" is not allowed with \"input\", which is one case";
  for (auto const* key : {"kernel", "subject"})
    if (!json.contains(key)) return fmt::format("missing key \"{}\"", key);
  if (!entry.output.empty() + !entry.law.empty() + !entry.call.empty() != 1)
    return "expected one of the keys output, law and call";
  if (!entry.call.empty())
    for (auto const* key : {"regime", "input", "max_error", "failed"})
      if (json.contains(key)) return fmt::format("\"{}\" is not allowed with \"call\"", key);
  if (entry.regime.empty() && !entry.output.empty()) return "missing key \"regime\" (\"*\" for any regime)";
  if (entry.regime.empty()) entry.regime = any;
  if (auto wrong = unknown("kernel", entry.kernel, kernels(), name_of, false)) return wrong;
  Kernel const& kernel = *find_kernel(entry.kernel);
  if (auto wrong = unknown("regime", entry.regime, kernel.regimes, name_of, true)) return wrong;
  if (!entry.output.empty())
    if (auto wrong = unknown("output", entry.output, kernel.budgets, output_of, true)) return wrong;
  if (!entry.law.empty())
    if (auto wrong = unknown("law", entry.law, kernel.laws, name_of, false)) return wrong;
  if (!entry.call.empty())
    if (auto wrong = unknown(
            "call", entry.call, labels(Way{}), [](auto const& way) { return way; }, false))
      return wrong;
  if (json.contains("input")) {
    entry.input.emplace(kernel.input);
    if (auto wrong = read_case(kernel, json.at("input").dump(), *entry.input)) return wrong;
  }
  entries_.push_back(std::move(entry));
  met_.emplace_back();
  return std::nullopt;
}

bool is_about(KnownFailure const& entry, Kernel const& kernel, std::vector<std::string> const& subject) {
  return entry.kernel == kernel.name &&
         (entry.subject == any || std::find(subject.begin(), subject.end(), entry.subject) != subject.end());
}

bool KnownFailures::accepts(Failed const& failure) const {
  bool accepted = false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    KnownFailure const& entry = entries_[i];
    if (!covers(entry, failure.regime, failure.output, failure.law)) continue;
    if (entry.max_error && failure.error > *entry.max_error) continue;
    if (!is_about(entry, failure.kernel, failure.subject)) continue;
    if (entry.input && !same_case(failure.kernel.input, *entry.input, failure.cases, failure.row)) continue;
    met_[i].store(true, std::memory_order_relaxed);
    accepted = true;
  }
  return accepted;
}

bool KnownFailures::accepts(Kernel const& kernel, std::vector<std::string> const& subject, Way way) const {
  bool accepted = false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].call != way_name(way) || !is_about(entries_[i], kernel, subject)) continue;
    met_[i].store(true, std::memory_order_relaxed);
    accepted = true;
  }
  return accepted;
}

Json known_json(KnownFailure const& entry) {
  Json json{{"kernel", entry.kernel}, {"subject", entry.subject}};
  if (!entry.call.empty()) {
    json["call"] = entry.call;
  } else if (entry.law.empty()) {
    json["regime"] = entry.regime;
    json["output"] = entry.output;
  } else {
    json["law"] = entry.law;
    if (entry.regime != any) json["regime"] = entry.regime;
  }
  if (entry.input) json["input"] = record_json(find_kernel(entry.kernel)->input, *entry.input, 0);
  if (entry.max_error) json["max_error"] = number_json(*entry.max_error);
  if (entry.count) json["failed"] = entry.count->failed, json["of"] = entry.count->of;
  if (!entry.comment.empty()) json["comment"] = entry.comment;
  return json;
}

std::string known_head() { return fmt::format("{{\"demeter\":\"{}: a baseline\"}}\n", output_mark); }

std::string known_line(KnownFailure const& entry) { return json_text(known_json(entry)); }

std::string known_name(KnownFailure const& entry) {
  if (!entry.call.empty()) return plain_text(fmt::format("{} {} call {}", entry.kernel, entry.subject, entry.call));
  if (!entry.law.empty())
    return plain_text(fmt::format("{} {} law {}{}", entry.kernel, entry.subject, entry.law,
                                  entry.regime == any ? "" : " in " + entry.regime));
  return plain_text(fmt::format("{} {} {} {}", entry.kernel, entry.subject, entry.regime, entry.output));
}

std::optional<bool> still_fails(KnownFailure const& entry, Kernel const& kernel, Subject const& subject,
                                std::optional<Held> const& held) {
  if (!entry.input) return std::nullopt;
  Model const model = model_of(kernel, subject);
  Tolerance const tolerance = tolerance_of(kernel, subject, held);
  if (!entry.law.empty()) {
    for (std::size_t law = 0; law < kernel.laws.size(); ++law) {
      if (kernel.laws[law].name != entry.law) continue;
      for (std::uint64_t salt = 0; salt < 64; ++salt) {
        Table inputs(kernel.input);
        Answers answers;
        auto const violation = law_violation(kernel, subject, law, *entry.input, 0, salt, inputs, answers, held);
        auto const of_formula = [&](Table const& asked, Answers const& of) {
          return violation_of(kernel, subject, tolerance, law, used_outputs(kernel, kernel.laws[law]), asked, of, 0,
                              asked.rows);
        };
        if (violation && *violation > 1 &&
            !model.breaks_too(inputs, 0, inputs.rows, *violation, tolerance.format, of_formula))
          return true;
      }
    }
    return false;
  }
  Answers answers;
  answers.clear(kernel.output);
  Table const input = judged_cases(kernel, subject, *entry.input);
  answer(subject, kernel, input, answers);
  if (answers.status[0] != Status::answered) return owed(answers.status[0]);
  std::vector<Judged> judged(kernel.budgets.size());
  model.judge(input, model.truths(input), 0, answers, 0, tolerance, judged);
  for (std::size_t k = 0; k < judged.size(); ++k)
    if ((entry.output == any || entry.output == kernel.budgets[k].output) && judged[k].computed &&
        judged[k].verdict == Verdict::fail)
      return true;
  return false;
}

std::vector<KnownFailure> new_failures(Kernel const& kernel, std::string const& subject, SubjectCheck const& check) {
  // An entry may only name a regime of the kernel. Recorded answers may have a regime with another name or without a
  // name. Their entries then apply to any regime.
  Kernel const* const listed = find_kernel(kernel.name);
  auto const regime_named = [&](std::size_t index) {
    std::string const& name = kernel.regimes[index].name;
    return listed == nullptr || has(listed->regimes, name, name_of) ? name : std::string(any);
  };
  std::vector<KnownFailure> found;
  for (auto const& cell : check.accuracy) {
    if (cell.wrong() == 0) continue;
    KnownFailure entry;
    entry.kernel = kernel.name;
    entry.subject = subject;
    entry.regime = regime_named(cell.regime);
    entry.output = kernel.budgets[cell.budget].output;
    entry.max_error = cell.lost() > 0 ? infinite_error : cell.max_error;
    entry.count = {cell.wrong(), tried(cell)};
    found.push_back(std::move(entry));
  }
  for (auto const& law : check.laws) {
    for (auto const& breach : law.regimes) {
      if (breach.broken == 0) continue;
      KnownFailure entry;
      entry.kernel = kernel.name;
      entry.subject = subject;
      entry.regime = regime_named(breach.regime);
      entry.law = kernel.laws[law.law].name;
      entry.max_error = breach.worst;
      entry.count = {breach.broken, breach.applicable};
      found.push_back(std::move(entry));
    }
  }
  for (CallFinding const& finding : check.calls.findings) {
    KnownFailure entry;
    entry.kernel = kernel.name;
    entry.subject = subject;
    entry.regime = any;
    entry.call = way_name(finding.way);
    found.push_back(std::move(entry));
  }
  return found;
}

bool more_often(KnownFailure::Count const& now, KnownFailure::Count const& before) {
  auto const number = [](std::uint64_t count) { return static_cast<double>(count); };
  double const here = number(now.failed) / number(now.of), there = number(before.failed) / number(before.of);
  double const both = number(now.failed + before.failed) / number(now.of + before.of);
  double const variance = both * (1 - both) * (1 / number(now.of) + 1 / number(before.of));
  return here > there && here - there > 3 * std::sqrt(variance);
}

bool covers(KnownFailure const& entry, std::string_view regime, std::string_view output, std::string_view law) {
  bool const named =
      law.empty() ? entry.output == output || (entry.output == any && entry.law.empty()) : entry.law == law;
  return named && (entry.regime == any || entry.regime == regime);
}

std::vector<MoreOften> more_often_than_known(KnownFailures const& known, Kernel const& kernel,
                                             std::vector<std::string> const& subject,
                                             std::vector<AcceptedCount> const& counts) {
  std::vector<MoreOften> found;
  for (KnownFailure const& entry : known.entries()) {
    if (!entry.count || !is_about(entry, kernel, subject)) continue;
    KnownFailure::Count now;
    for (AcceptedCount const& each : counts)
      if (covers(entry, each.regime, each.output, each.law)) now.failed += each.count.failed, now.of += each.count.of;
    if (now.failed > 0 && more_often(now, *entry.count)) found.push_back({&entry, now});
  }
  return found;
}

std::string more_often_text(MoreOften const& each) {
  return fmt::format("{}: {} of {} fail, {} of {} are known (line {})", known_name(*each.entry), each.now.failed,
                     each.now.of, each.entry->count->failed, each.entry->count->of, each.entry->line);
}

std::vector<MoreOften> unaccept_more_often(KnownFailures const& known, Kernel const& kernel,
                                           std::vector<std::string> const& subject, SubjectCheck& check) {
  auto const name = [&](std::size_t regime) -> std::string const& { return kernel.regimes[regime].name; };
  std::vector<AcceptedCount> counts;
  for (AccuracyCell const& cell : check.accuracy)
    counts.push_back(
        {name(cell.regime), std::string(kernel.budgets[cell.budget].output), {}, {cell.known, tried(cell)}});
  for (LawCheck const& law : check.laws)
    for (LawBreach const& breach : law.regimes)
      counts.push_back({name(breach.regime), {}, kernel.laws[law.law].name, {breach.known, breach.applicable}});
  auto const found = more_often_than_known(known, kernel, subject, counts);
  for (MoreOften const& each : found) {
    for (AccuracyCell& cell : check.accuracy)
      if (covers(*each.entry, name(cell.regime), kernel.budgets[cell.budget].output, {}))
        cell.failed += std::exchange(cell.known, 0);
    for (LawCheck& law : check.laws)
      for (LawBreach& breach : law.regimes)
        if (covers(*each.entry, name(breach.regime), {}, kernel.laws[law.law].name)) {
          std::uint64_t const again = std::exchange(breach.known, 0);
          breach.broken += again, law.broken += again, law.known -= again;
        }
  }
  return found;
}

std::vector<KnownFailure> updated(KnownFailures const& before, std::vector<KnownFailure> const& found) {
  std::vector<KnownFailure> result;
  std::vector<KnownFailure> added = found;
  for (std::size_t i = 0; i < before.entries().size(); ++i) {
    KnownFailure const& entry = before.entries()[i];
    auto const cover =
        std::find_if(added.begin(), added.end(), [&](auto const& each) { return same_key(each, entry); });
    if (cover != added.end()) {
      if (cover->comment.empty()) cover->comment = entry.comment;
    } else if (before.met(i)) {
      result.push_back(entry);
    }
  }
  result.insert(result.end(), added.begin(), added.end());
  return result;
}

}  // namespace demeter
