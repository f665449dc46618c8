#include "kernels/formula_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <mutex>

namespace demeter {

/// The combinations that were asked for. The addresses of the elements of a map do not change.
struct FormulaList::Cache {
  std::mutex mutex;
  std::map<std::size_t, FormulaInfo> combinations;
};

FormulaList::FormulaList() : cache_(std::make_shared<Cache>()) {}

FormulaInfo const& FormulaList::operator[](std::size_t index) const {
  if (index < named_.size()) return named_[index];
  std::lock_guard const lock(cache_->mutex);
  auto const [at, is_new] = cache_->combinations.try_emplace(index);
  if (is_new) at->second = describe(index - named_.size());
  return at->second;
}

std::size_t FormulaList::combination_count() const {
  std::size_t count = 1;
  for (FormulaChoice const& choice : composition_.choices) count *= choice.values.size();
  return count;
}

std::size_t FormulaList::value_of(std::size_t code, std::size_t choice) const {
  for (std::size_t k = 0; k < choice; ++k) code /= composition_.choices[k].values.size();
  return code % composition_.choices[choice].values.size();
}

std::size_t FormulaList::with_value(std::size_t code, std::size_t choice, std::size_t value) const {
  std::size_t unit = 1;
  for (std::size_t k = 0; k < choice; ++k) unit *= composition_.choices[k].values.size();
  return code - value_of(code, choice) * unit + value * unit;
}

std::size_t FormulaList::differing(std::size_t code, std::size_t other) const {
  std::size_t count = 0;
  for (std::size_t k = 0; k < composition_.choices.size(); ++k)
    count += value_of(code, k) != value_of(other, k) ? 1u : 0u;
  return count;
}

std::optional<std::size_t> FormulaList::code(std::size_t index) const {
  if (!is_composed()) return std::nullopt;
  if (index >= named_.size()) return index - named_.size();
  if (index == 0) return 0;
  for (NamedCombination const& each : composition_.combinations)
    if (each.name == named_[index].name) return each.code;
  return std::nullopt;
}

std::size_t FormulaList::index_of(std::size_t code) const {
  if (code == 0) return 0;
  for (std::size_t i = 1; i < named_.size(); ++i)
    if (this->code(i) == code) return i;
  return named_.size() + code;
}

std::string FormulaList::name_of(std::size_t code) const {
  NamedCombination const* nearest = &composition_.combinations.front();
  for (NamedCombination const& each : composition_.combinations)
    if (differing(code, each.code) < differing(code, nearest->code)) nearest = &each;
  std::string name(nearest->code == 0 && code != 0 ? "" : nearest->name);
  for (std::size_t k = 0; k < composition_.choices.size(); ++k) {
    FormulaChoice const& choice = composition_.choices[k];
    std::size_t const value = value_of(code, k);
    if (value != value_of(nearest->code, k))
      name += fmt::format("{}{}={}", name.empty() ? "" : ",", choice.name, choice.values[value].name);
  }
  return name;
}

FormulaInfo FormulaList::describe(std::size_t code) const {
  FormulaInfo info;
  info.name = name_of(code);
  info.kind = FormulaKind::model;
  for (std::size_t k = 0; k < composition_.choices.size(); ++k) {
    std::size_t const value = value_of(code, k);
    if (value == 0) continue;
    ChoiceValue const& chosen = composition_.choices[k].values[value];
    info.doc += fmt::format("{}{}: {}", info.doc.empty() ? "" : " ", chosen.name, chosen.doc);
    if (chosen.kind == FormulaKind::mistake) info.kind = FormulaKind::mistake;
  }
  if (composition_.leaves_out != nullptr)
    for (std::string_view const output : composition_.leaves_out(code)) info.leaves_out.emplace_back(output);
  return info;
}

FoundFormula FormulaList::find(std::string_view name) const {
  if (name == "recommended" && !named_.empty()) return {0};
  for (std::size_t i = 0; i < named_.size(); ++i)
    if (named_[i].name == name) return {i};
  if (is_composed()) return find_combination(name);
  std::vector<std::string> names;
  for (auto const& formula : named_) names.push_back(formula.name);
  return {std::nullopt, fmt::format("expected {}", fmt::join(names, ", "))};
}

namespace {

template <class Item>
std::string names_of(std::vector<Item> const& items) {
  std::vector<std::string_view> names;
  for (Item const& item : items) names.push_back(item.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

FoundFormula FormulaList::find_combination(std::string_view name) const {
  auto const& choices = composition_.choices;
  auto const wrong = [](std::string text) { return FoundFormula{std::nullopt, std::move(text)}; };
  std::size_t code = 0;
  std::vector<bool> given(choices.size());
  bool first = true;
  for (std::string_view rest = name; first || !rest.empty(); first = false) {
    std::string_view const part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    std::size_t const equals = part.find('=');
    if (equals == std::string_view::npos) {
      auto const law = std::ranges::find(composition_.combinations, part, &NamedCombination::name);
      if (law == composition_.combinations.end() && part != "reference")
        return wrong(fmt::format("expected {}, or choices such as {}={}", names_of(composition_.combinations),
                                 choices.front().name, choices.front().values.back().name));
      if (!first) return wrong(fmt::format("\"{}\": expected the name of a law only at the beginning", part));
      code = part == "reference" ? 0 : law->code;
      continue;
    }
    auto const choice = std::ranges::find(choices, part.substr(0, equals), &FormulaChoice::name);
    if (choice == choices.end())
      return wrong(fmt::format("unknown choice \"{}\"; expected {}", part.substr(0, equals), names_of(choices)));
    auto const at = static_cast<std::size_t>(choice - choices.begin());
    if (given[at]) return wrong(fmt::format("{} is given twice; expected one value", choice->name));
    given[at] = true;
    std::string_view const word = part.substr(equals + 1);
    auto const value = std::ranges::find_if(choice->values, [&](ChoiceValue const& each) {
      return each.name == word || (!word.empty() && each.other_name == word);
    });
    if (value == choice->values.end())
      return wrong(fmt::format("{}: got \"{}\"; expected {}", choice->name, word, names_of(choice->values)));
    code = with_value(code, at, static_cast<std::size_t>(value - choice->values.begin()));
  }
  if (composition_.without_meaning != nullptr)
    if (auto const why = composition_.without_meaning(code); !why.empty()) return wrong(why);
  return {index_of(code)};
}

}  // namespace demeter
