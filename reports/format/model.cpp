#include "reports/format/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace demeter::report {
namespace {

/// A name as a file name: no separators, no leading dot, unlike every other. "index" is the overview's.
std::string file_name(std::string_view name, std::set<std::string>& taken) {
  std::string slug;
  for (char const c : name.substr(0, 80)) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    slug += plain ? c : '-';
  }
  if (slug.empty()) slug = "kernel";
  std::string unique = slug;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}-{}", slug, i);
  return unique;
}

/// `value` with every byte sequence that is not UTF-8 replaced; the library's own writer does just that.
std::string valid_utf8(std::string const& value) {
  std::string const dumped = Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(dumped).get<std::string>();
}

Origin origin_of(Contender const& contender, std::vector<Subject> const& subjects, std::vector<Term> const& formulas) {
  std::string const formula = contender.name.substr(0, contender.name.find('@'));
  for (Term const& term : formulas)
    if (term.name == formula || term.name == contender.name) return Origin::formula;
  Origin origin = Origin::peer;
  for (Subject const& subject : subjects)
    if (subject.name == contender.name && subject.ours) origin = subject.approximate ? Origin::method : Origin::own;
  return origin;
}

double rank(Number value) {
  if (!value) return -std::numeric_limits<double>::infinity();
  return std::isnan(*value) ? std::numeric_limits<double>::infinity() : *value;
}

}  // namespace

Json cleaned(Json const& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      Json object = Json::object();
      for (auto const& [key, element] : value.items()) object[valid_utf8(key)] = cleaned(element);
      return object;
    }
    case Json::value_t::array: {
      Json array = Json::array();
      for (Json const& element : value) array.push_back(cleaned(element));
      return array;
    }
    case Json::value_t::string:
      return valid_utf8(value.get_ref<std::string const&>());
    case Json::value_t::number_float: {
      auto const number = value.get<double>();
      if (std::isnan(number)) return "nan";
      if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
      return value;
    }
    case Json::value_t::binary:
    case Json::value_t::discarded:
      return nullptr;
    default:
      return value;
  }
}

Results read_results(Json const& json, Mistakes* mistakes) {
  Mistakes own;
  auto results = read<Results>(json, mistakes != nullptr ? *mistakes : own);
  std::set<std::string> taken{"index"};
  for (Kernel& kernel : results.kernels) {
    kernel.slug = file_name(kernel.name, taken);
    for (LadderLine& line : kernel.ladder.rows) line.lost.resize(kernel.ladder.arithmetics.size());
    // A regime or law that has results but no entry in the glossary still gets its row.
    auto const listed = [](auto const& terms, std::string const& name) {
      return std::any_of(terms.begin(), terms.end(), [&](auto const& term) { return term.name == name; });
    };
    for (Contender& contender : kernel.subjects) {
      contender.origin = origin_of(contender, results.subjects, kernel.formulas);
      for (Accuracy const& row : contender.accuracy) {
        if (!listed(kernel.regimes, row.regime)) kernel.regimes.push_back({row.regime, ""});
      }
      for (LawResult const& row : contender.laws) {
        if (!listed(kernel.laws, row.law)) kernel.laws.push_back({row.law, "", "", {}});
      }
    }
  }
  return results;
}

std::vector<std::vector<std::string>> output_groups(Kernel const& kernel) {
  std::vector<std::string> outputs;
  auto const add = [&](std::string const& name) {
    if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) outputs.push_back(name);
  };
  for (OutputBudget const& budget : kernel.budgets) add(budget.output);
  for (Contender const& contender : kernel.subjects) {
    for (Accuracy const& row : contender.accuracy) add(row.output);
  }

  std::string const regime = quoted_regime(kernel);
  auto const written = [](Number value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  std::vector<std::vector<std::string>> groups;
  std::vector<std::string> signatures;
  for (std::string const& output : outputs) {
    std::string signature;
    for (Contender const& contender : kernel.subjects) {
      signature += written(nanoseconds(kernel, contender.name, "cache", regime, output)) + "|";
      for (Accuracy const& row : contender.accuracy) {
        if (row.output != output) continue;
        signature += fmt::format("{} {} {} {} {} {} {} {},", row.regime, row.measure, written(row.budget), row.judged,
                                 row.failed, row.undecided, written(row.max_error), written(row.mean_error));
      }
      signature += ";";
    }
    auto const same = std::find(signatures.begin(), signatures.end(), signature);
    if (same == signatures.end()) {
      signatures.push_back(signature);
      groups.push_back({output});
    } else {
      groups[static_cast<std::size_t>(same - signatures.begin())].push_back(output);
    }
  }
  return groups;
}

Accuracy const* find_accuracy(Contender const& contender, std::string_view regime, std::string_view output) {
  for (Accuracy const& row : contender.accuracy) {
    if (row.regime == regime && row.output == output) return &row;
  }
  return nullptr;
}

LawResult const* find_law(Contender const& contender, std::string_view law) {
  for (LawResult const& row : contender.laws) {
    if (row.law == law) return &row;
  }
  return nullptr;
}

Number over_budget(Accuracy const& accuracy) {
  if (!accuracy.max_error || !accuracy.budget) return std::nullopt;
  if (accuracy.lost() > 0) return std::numeric_limits<double>::infinity();  // no answer is worse than any
  if (*accuracy.max_error == 0) return 0.0;                                 // within a budget of 0 as well
  return *accuracy.max_error / *accuracy.budget;
}

Standing standing(Accuracy const& accuracy) {
  if (accuracy.wrong() > 0) return Standing::exceeded;
  if (accuracy.undecided > 0) return Standing::undecided;
  return accuracy.judged > 0 ? Standing::held : Standing::none;
}

Tally tally(Contender const& contender, std::string_view output) {
  Tally sum;
  for (Accuracy const& row : contender.accuracy) {
    if (!output.empty() && row.output != output) continue;
    sum.standing = std::max(sum.standing, standing(row));
    sum.cases += row.cases;
    sum.judged += row.judged;
    sum.failed += row.failed;
    sum.undecided += row.undecided;
    sum.unsupported += row.unsupported;
    sum.crash += row.crash;
    sum.timeout += row.timeout;
    sum.not_representable += row.not_representable;
    sum.not_asked += row.not_asked;
    sum.missing += row.missing;
    sum.malformed += row.malformed;
    Number const ratio = over_budget(row);
    if (ratio && (!sum.where || worse(ratio, sum.ratio))) {
      sum.ratio = ratio;
      sum.where = &row;
    }
    if (standing(row) == Standing::exceeded) sum.exceeded.push_back(&row);
  }
  std::stable_sort(sum.exceeded.begin(), sum.exceeded.end(),
                   [](auto a, auto b) { return worse(over_budget(*a), over_budget(*b)); });
  return sum;
}

LawTally law_tally(Contender const& contender) {
  LawTally sum;
  for (LawResult const& row : contender.laws) {
    if (row.applicable > 0) ++sum.tested;
    if (row.broken > 0) ++sum.broken;
  }
  return sum;
}

bool has_failed(Contender const& contender) {
  return contender.verdict == "fail" || tally(contender).standing == Standing::exceeded ||
         law_tally(contender).broken > 0;
}

std::string quoted_regime(Kernel const& kernel) {
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.regime == "typical") return timing.regime;
  }
  return kernel.speed.timings.empty() ? "typical" : kernel.speed.timings.front().regime;
}

Number nanoseconds(Kernel const& kernel, std::string_view subject, std::string_view setting, std::string_view regime,
                   std::string_view output) {
  Number wanted, any;
  auto const keep_least = [](Number& least, Number value) {
    if (value && *value > 0 && std::isfinite(*value) && (!least || *value < *least)) least = value;
  };
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.subject != subject || timing.setting != setting || timing.regime != regime) continue;
    keep_least(any, timing.nanoseconds);
    if (timing.outputs == "all" || (!output.empty() && timing.outputs == output)) {
      keep_least(wanted, timing.nanoseconds);
    }
  }
  return wanted || !output.empty() ? wanted : any;
}

bool worse(Number a, Number b) { return rank(a) > rank(b); }

}  // namespace demeter::report
