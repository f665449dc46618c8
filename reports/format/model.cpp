#include "reports/format/model.hpp"

#include "reports/format/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace demeter::report {
namespace {

Field read_field(Json const& value) {
  return {text(value, "name"), text(value, "shape"), text(value, "unit"), text(value, "doc")};
}

Term read_term(Json const& value) { return {text(value, "name"), text(value, "doc")}; }

Worst read_worst(Json const& value) {
  return {text(value, "id"), member(value, "input"), member(value, "answer"), member(value, "truth"),
          text(value, "command")};
}

Accuracy read_accuracy(Json const& value) {
  Accuracy accuracy{text(value, "regime"),         text(value, "output"),          text(value, "measure"),
                    number(value, "budget"),       count(value, "cases"),          count(value, "judged"),
                    count(value, "unsupported"),   count(value, "crash"),          count(value, "timeout"),
                    count(value, "failed"),        count(value, "undecided"),      number(value, "max_error"),
                    number(value, "mean_error"),   number(value, "median_error"),  number(value, "p99_error"),
                    number(value, "max_relative"), number(value, "max_condition"), std::nullopt};
  if (Json const& worst = member(value, "worst"); worst.is_object()) accuracy.worst = read_worst(worst);
  return accuracy;
}

Failure read_failure(Json const& value) {
  return {text(value, "regime"), text(value, "output"), number(value, "error"), read_worst(value)};
}

LawResult read_law_result(Json const& value) {
  LawResult result{text(value, "law"),
                   count(value, "cases"),
                   count(value, "applicable"),
                   count(value, "broken"),
                   number(value, "worst"),
                   {},
                   std::nullopt};
  result.regimes = list(value, "regimes", [](Json const& regime) {
    return LawRegime{text(regime, "regime"), count(regime, "broken"), number(regime, "worst")};
  });
  if (Json const& example = member(value, "counterexample"); example.is_object()) {
    auto const itself = [](Json const& element) { return element; };
    result.counterexample = Counterexample{list(example, "inputs", itself), list(example, "outputs", itself),
                                           number(example, "violation"), text(example, "command")};
  }
  return result;
}

Timing read_timing(Json const& value) {
  Timing timing{text(value, "subject"),
                text(value, "kind"),
                text(value, "setting"),
                text(value, "regime"),
                text(value, "outputs"),
                number(value, "nanoseconds"),
                {},
                count(value, "count")};
  for (Number const sample : list(value, "samples", [](Json const& element) { return number(element); })) {
    if (sample) timing.samples.push_back(*sample);
  }
  return timing;
}

Speed read_speed(Json const& value) {
  Speed speed{number(value, "used"), number(value, "total"), {}, list(value, "timings", read_timing), {}};
  speed.screened_out = list(value, "screened_out", [](Json const& row) {
    return ScreenedOut{text(row, "subject"), count(row, "cases"),
                       !row.is_object() || row.value("contender", Json(true)) != Json(false)};
  });
  speed.promises = list(value, "promises", [](Json const& row) {
    return Promise{text(row, "promise"), text(row, "better"), number(row, "promised"), number(row, "measured"),
                   flag(row, "held")};
  });
  return speed;
}

Mutation read_mutation(Json const& value) {
  Mutation mutation{count(value, "total"),
                    count(value, "killed"),
                    count(value, "killed_by_laws_alone"),
                    count(value, "killed_by_budgets_alone"),
                    {},
                    {}};
  mutation.mutants = list(value, "each", [](Json const& row) {
    return Mutant{text(row, "name"),   text(row, "change"), text(row, "source"), text(row, "by"),
                  flag(row, "killed"), count(row, "cases"), texts(row, "laws")};
  });
  mutation.laws = list(value, "laws", [](Json const& row) {
    return LawUse{text(row, "law"), count(row, "mutants"), count(row, "implementations")};
  });
  return mutation;
}

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

Results read_results(Json const& results) {
  Results all{};
  Json const& run = member(results, "demeter");
  all.run = {text(run, "version"),
             text(run, "commit"),
             text(run, "seed"),
             text(run, "created"),
             number(run, "cases_per_regime"),
             number(run, "elapsed_seconds"),
             flag(run, "full"),
             number(run, "time_limit_seconds")};
  Json const& machine = member(results, "machine");
  all.machine = {text(machine, "cpu"),          text(machine, "level"),  text(machine, "compiler"),
                 text(machine, "flags"),        text(machine, "system"), number(machine, "cores"),
                 number(machine, "memory_gib"), texts(machine, "levels")};
  all.subjects = list(results, "subjects", [](Json const& value) {
    return Subject{text(value, "name"), text(value, "doc"), text(value, "version"), flag(value, "ours"),
                   flag(value, "approximate")};
  });
  all.missing_peers = list(results, "missing_peers", [](Json const& value) {
    return MissingPeer{text(value, "name"), text(value, "why")};
  });

  std::set<std::string> taken{"index"};
  all.kernels = list(results, "kernels", [&](Json const& value) {
    Kernel kernel{};
    kernel.name = text(value, "name");
    kernel.slug = file_name(kernel.name, taken);
    kernel.summary = text(value, "summary");
    kernel.conventions = text(value, "conventions");
    kernel.source = text(value, "source");
    kernel.not_bounded_because = text(value, "not_bounded_because");
    kernel.input = list(value, "input", read_field);
    kernel.output = list(value, "output", read_field);
    kernel.budgets = list(value, "budgets", [](Json const& row) {
      return OutputBudget{text(row, "output"), text(row, "measure"), number(row, "units")};
    });
    kernel.regimes = list(value, "regimes", read_term);
    if (value.contains("workloads")) kernel.workloads = list(value, "workloads", read_term);
    kernel.formulas = list(value, "formulas", read_term);
    kernel.laws = list(value, "laws", [](Json const& row) {
      return LawTerm{text(row, "name"), text(row, "doc"), text(row, "tolerance"), texts(row, "uses")};
    });
    kernel.cases_per_regime = number(value, "cases_per_regime");
    kernel.subjects = list(value, "subjects", [&](Json const& row) {
      Contender contender{text(row, "name"),
                          text(row, "doc"),
                          text(row, "verdict"),
                          Origin::peer,
                          list(row, "accuracy", read_accuracy),
                          list(row, "failures", read_failure),
                          list(row, "laws", read_law_result)};
      for (Subject const& subject : all.subjects) {
        if (subject.name == contender.name && subject.ours)
          contender.origin = subject.approximate ? Origin::method : Origin::own;
      }
      std::string const formula = contender.name.substr(0, contender.name.find('@'));
      for (Term const& term : kernel.formulas) {
        if (term.name == formula || term.name == contender.name) contender.origin = Origin::formula;
      }
      return contender;
    });
    kernel.speed = read_speed(member(value, "speed"));
    Json const& ladder = member(value, "ladder");
    kernel.ladder.arithmetics = list(ladder, "arithmetics", [](Json const& row) {
      Number const digits = number(row, "digits");
      return Term{text(row, "name"), digits ? fmt::format("{}", *digits) : ""};
    });
    kernel.ladder.rows = list(ladder, "rows", [&](Json const& row) {
      LadderLine line{text(row, "regime"), text(row, "output"), text(row, "measure"), {}};
      if (row.is_object() && row.contains("lost") && row["lost"].is_array())
        for (Json const& lost : row["lost"]) line.lost.push_back(number(lost));
      line.lost.resize(kernel.ladder.arithmetics.size());
      return line;
    });
    kernel.mutation = read_mutation(member(value, "mutants"));
    kernel.continuity = member(value, "continuity");

    // A regime or law that has results but no entry in the glossary still gets its row.
    auto const listed = [](auto const& terms, std::string const& name) {
      return std::any_of(terms.begin(), terms.end(), [&](auto const& term) { return term.name == name; });
    };
    for (Contender const& contender : kernel.subjects) {
      for (Accuracy const& row : contender.accuracy) {
        if (!listed(kernel.regimes, row.regime)) kernel.regimes.push_back({row.regime, ""});
      }
      for (LawResult const& row : contender.laws) {
        if (!listed(kernel.laws, row.law)) kernel.laws.push_back({row.law, "", "", {}});
      }
    }
    return kernel;
  });
  return all;
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
  if (*accuracy.max_error == 0) return 0.0;  // within a budget of 0 as well
  return *accuracy.max_error / *accuracy.budget;
}

Standing standing(Accuracy const& accuracy) {
  if (accuracy.failed + accuracy.crash + accuracy.timeout > 0) return Standing::exceeded;
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
