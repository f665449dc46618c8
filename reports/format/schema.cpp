#include "reports/format/records.hpp"

#include "kernels/json_lines.hpp"
#include "reports/format/members.hpp"

#include <fmt/format.h>

namespace demeter::report {
namespace {

template <class Record>
void add_form(Json& schema, bool in_array) {
  Json const form = schema_of(shape_of<Record>());
  schema["anyOf"].push_back(in_array ? Json{{"type", "array"}, {"items", form}} : form);
  add_definitions(shape_of<Record>(), schema["$defs"]);
}

}  // namespace

std::optional<std::string> other_schema(Json const& json) {
  auto const found = json.find("schema");
  if (found == json.end()) return std::nullopt;
  if (*found == schema_version) return std::nullopt;
  std::string const text = found->dump(-1, ' ', true, Json::error_handler_t::replace);
  return fmt::format("schema: got {}, expected {}: results of another version of demeter", plain_text(text, 60),
                     schema_version);
}

std::string schema_text() {
  Json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", "results.schema.json"},
      {"title", "JSON written by Demeter"},
      {"description",
       "results.json.gz and the output of list, errata, check and continuity with --json. Written by demeter report "
       "--schema. A later version may add keys. A version that renames a key or changes its meaning increases "
       "\"schema\" in results.json.gz."},
      {"anyOf", Json::array()},
      {"$defs", Json::object()}};
  add_form<Results>(schema, false);
  add_form<Kernel>(schema, true);
  add_form<MutationOfKernel>(schema, true);
  add_form<LadderOfKernel>(schema, true);
  add_form<ErrataOfKernel>(schema, true);
  add_form<Continuity>(schema, true);
  add_form<Watched>(schema, true);
  add_form<Listing>(schema, false);
  return schema.dump(2) + "\n";
}

}  // namespace demeter::report
