// Types for the members of records. This header is small, because most files of the report include it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter::report {

/// JSON that keeps its keys in the order of the members.
using Json = nlohmann::ordered_json;

/// A number that may be missing. NaN and infinities are numbers.
using Number = std::optional<double>;

/// A JSON object whose keys are data, for example the names of quantities.
template <class Value>
struct ByName {
  std::vector<std::pair<std::string, Value>> entries;

  Value const* find(std::string_view name) const {
    for (auto const& [name_, value] : entries)
      if (name_ == name) return &value;
    return nullptr;
  }
};

/// JSON whose keys depend on the kernel: a case, an answer or a path; or null. Copies share one value. The class stores
/// a pointer, because <nlohmann/json.hpp> takes about 1.2 s to compile (g++ 12). Only files that read the value include
/// that header.
class KernelJson {
 public:
  KernelJson();
  KernelJson(Json value);
  Json const& operator*() const { return *value_; }
  Json const* operator->() const { return value_.get(); }

 private:
  std::shared_ptr<Json const> value_;
};

// Defined in members.hpp.
struct Members;
struct Mistakes;

}  // namespace demeter::report
