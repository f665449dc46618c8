// The types of the members of records. This header is light, since most units of the report include it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter::report {

/// Keeps the keys in the order of the members.
using Json = nlohmann::ordered_json;

/// A number that may not be available; NaN and infinities are numbers.
using Number = std::optional<double>;

/// A JSON object whose keys are data: the names of quantities, say.
template <class Value>
struct ByName {
  std::vector<std::pair<std::string, Value>> entries;

  Value const* find(std::string_view name) const {
    for (auto const& [name_, value] : entries)
      if (name_ == name) return &value;
    return nullptr;
  }
};

/// JSON whose keys a kernel determines: a case, an answer or a path; or null. Copies share one value. A pointer holds
/// the value because <nlohmann/json.hpp> takes about 1.2 s per unit to compile (g++ 12): only units that look into the
/// value include it.
class KernelJson {
 public:
  KernelJson();
  KernelJson(Json value);
  Json const& operator*() const { return *value_; }
  Json const* operator->() const { return value_.get(); }

 private:
  std::shared_ptr<Json const> value_;
};

// Both are in members.hpp.
struct Members;
struct Mistakes;

}  // namespace demeter::report
