// The formulas of a kernel by name and by number. If the formulas of a kernel are composed of choices, each combination
// of values is a formula too: "textbook,limit=sum".
#pragma once

#include "reference/spec/core/choices.hpp"
#include "reference/spec/core/formula.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

struct Named {
  std::string name;
  std::string doc;
};

struct FormulaInfo : Named {
  FormulaKind kind = FormulaKind::equal;
  std::vector<std::string> leaves_out = {};  ///< outputs that the source of the formula does not have

  bool has(std::string_view output) const {
    return std::find(leaves_out.begin(), leaves_out.end(), output) == leaves_out.end();
  }
};

/// The number of a formula, or why there is none.
struct FoundFormula {
  std::optional<std::size_t> index;
  std::string wrong = {};
};

/// The formulas of a kernel: first "reference", then the printed formulas. After them, the numbers from size() on
/// belong to the combinations of choices.
class FormulaList {
 public:
  FormulaList();

  void push_back(FormulaInfo formula) { named_.push_back(std::move(formula)); }
  /// Makes every combination of these choices a formula. Call it when all formulas with names have been added.
  void compose(Composition composition) { composition_ = std::move(composition); }

  std::size_t size() const { return named_.size(); }
  bool empty() const { return named_.empty(); }
  auto begin() const { return named_.begin(); }
  auto end() const { return named_.end(); }
  FormulaInfo const& front() const { return named_.front(); }
  FormulaInfo const& back() const { return named_.back(); }

  /// Returns a formula with a name, or a combination. Threads may call this at the same time.
  FormulaInfo const& operator[](std::size_t index) const;
  /// Finds a formula by its name, or by choices: "transport=project,limit=sum", "textbook,limit=sum".
  FoundFormula find(std::string_view name) const;

  Composition const& composition() const { return composition_; }
  bool is_composed() const { return !composition_.choices.empty(); }
  /// Returns the combination of a formula (see code_of()), or nothing if the formula is not composed of choices.
  std::optional<std::size_t> code(std::size_t index) const;
  /// Returns the number of the formula that is this combination. A combination with a name has the number of this name.
  std::size_t index_of(std::size_t code) const;
  /// Returns the number of combinations, with those that have no meaning.
  std::size_t combination_count() const;
  /// Returns the index of a choice's value in a combination.
  std::size_t value_of(std::size_t code, std::size_t choice) const;
  /// Returns the combination with another value of one choice.
  std::size_t with_value(std::size_t code, std::size_t choice, std::size_t value) const;
  /// Returns the number of choices in which two combinations differ.
  std::size_t differing(std::size_t code, std::size_t other) const;
  /// Returns the name of a combination: that of the nearest combination with a name, and the values that differ.
  std::string name_of(std::size_t code) const;

 private:
  struct Cache;

  FoundFormula find_combination(std::string_view name) const;
  FormulaInfo describe(std::size_t code) const;

  std::vector<FormulaInfo> named_;
  Composition composition_;
  std::shared_ptr<Cache> cache_;
};

}  // namespace demeter
