// Provides results of a small report, for the tests of its pages, tables and figures.
#pragma once

#include "reports/format/gzip.hpp"
#include "reports/site/site.hpp"
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace demeter {
namespace report_test {

using Json = nlohmann::ordered_json;

constexpr char const* hostile = "<script>`touch pwned`</script> \"q\" $x & _%#\\n{~^}\t@'";

class Report : public FolderTest {
 protected:
  std::string read(std::string const& name) const {
    EXPECT_TRUE(fs::exists(folder / "site" / name)) << name;
    return read_file(folder / "site" / name);
  }
  /// Returns the text of a compressed CSV file in data/.
  std::string read_csv(std::string const& name) const {
    std::string why;
    auto const text = report::gunzip(read("data/" + name + ".csv.gz"), why);
    EXPECT_TRUE(text) << why;
    return text.value_or("");
  }
  void write(Json const& results) const {
    auto const error = write_site(results, folder / "site");
    EXPECT_FALSE(error) << error->what;
  }
};

inline Json accuracy(double max_error, int failed) {
  return {{"regime", "typical"},
          {"output", "distance"},
          {"measure", "scale"},
          {"budget", 8},
          {"cases", 1000},
          {"judged", 1000},
          {"unsupported", 0},
          {"crash", 0},
          {"timeout", 0},
          {"failed", failed},
          {"undecided", 0},
          {"max_error", max_error},
          {"mean_error", .25},
          {"median_error", .125},
          {"p99_error", 1.5},
          {"max_relative", 1e10},
          {"max_condition", nullptr}};
}

/// Returns results of one kernel with two subjects: `fast`, which passes, and one with the given name, which breaks
/// everything.
inline Json sample(std::string const& name) {
  Json failing = accuracy(1.5e8, 310);
  Json const input = {{"p0", {0, 0, 0}}, {"p1", {1, 0, 0}}, {"q0", {0, 1, 0}}, {"q1", {1, 1, 1e-9}}};
  std::string const command = "demeter explain segment_distance '{}' --subject " + name;
  failing["worst"] = {{"id", 7},
                      {"input", input},
                      {"answer", {{"distance", 0.1}}},
                      {"truth", {{"distance", "0.2"}}},
                      {"command", command}};
  Json const law = {{"law", "scaling"},
                    {"cases", 100},
                    {"applicable", 90},
                    {"broken", 3},
                    {"worst", 123.4},
                    {"regimes", {{{"regime", "typical"}, {"broken", 3}, {"worst", 123.4}}}},
                    {"counterexample",
                     {{"inputs", {input, input}},
                      {"outputs", {{{"distance", 1}}, {{"distance", 2.5}}}},
                      {"violation", 12},
                      {"command", command}}}};
  auto const timing = [](std::string const& subject, char const* kind, double ns) {
    return Json{{"subject", subject}, {"kind", kind},      {"setting", "cache"},      {"regime", "typical"},
                {"outputs", "all"},   {"nanoseconds", ns}, {"samples", {ns, ns + 1}}, {"count", 4096}};
  };
  Json kernel = {
      {"name", "segment_distance"},
      {"summary", name},
      {"conventions", name},
      {"source", name},
      {"input", {{{"name", "p0"}, {"shape", "3 numbers"}, {"unit", "m"}, {"doc", name}}}},
      {"output", {{{"name", "distance"}, {"shape", "number"}, {"unit", "m"}, {"doc", name}}}},
      {"budgets", {{{"output", "distance"}, {"measure", "scale"}, {"units", 8}}}},
      {"regimes", {{{"name", "typical"}, {"doc", name}}}},
      {"formulas", {{{"name", name}, {"doc", name}}}},
      {"laws", {{{"name", "scaling"}, {"doc", name}, {"tolerance", name}, {"uses", {"distance"}}}}},
      {"subjects",
       {{{"name", "fast"}, {"doc", ""}, {"verdict", "pass"}, {"accuracy", {accuracy(2.5, 0)}}, {"laws", Json::array()}},
        {{"name", name}, {"doc", name}, {"verdict", "fail"}, {"accuracy", {failing}}, {"laws", {law}}}}},
      {"speed",
       {{"used", 4000},
        {"total", 4096},
        {"screened_out", {{{"subject", name}, {"cases", 96}}}},
        {"timings", {timing("fast", "subject", 2), timing(name, "subject", 40), timing(name + "!", "baseline", 1)}}}}};
  return {
      {"demeter", {{"version", name}, {"commit", name}, {"seed", 1}, {"cases_per_regime", 1000}, {"created", name}}},
      {"machine", {{"cpu", name}, {"levels", {name}}, {"flags", name}}},
      {"subjects",
       {{{"name", "fast"}, {"ours", true}}, {{"name", name}, {"doc", name}, {"version", name}, {"ours", false}}}},
      {"missing_peers", {{{"name", name}, {"why", name}}}},
      {"kernels", {kernel}}};
}

/// Returns the sample with two more regimes: a degenerate regime in which `fast` was judged on few cases, and an
/// extreme regime in which it fails.
inline Json by_profile() {
  Json results = sample("ode");
  Json& kernel = results["kernels"][0];
  kernel["formulas"] = Json::array();
  kernel["regimes"] = {{{"name", "typical"}, {"doc", ""}, {"profile", "everyday"}},
                       {{"name", "parallel"}, {"doc", ""}, {"profile", "degenerate"}},
                       {{"name", "huge"}, {"doc", ""}, {"profile", "extreme"}}};
  Json few = accuracy(2.5, 0), far = accuracy(1e300, 1000);
  few["regime"] = "parallel";
  few["cases"] = few["judged"] = 36;
  far["regime"] = "huge";
  far["max_error"] = "inf";
  kernel["subjects"][0]["accuracy"].push_back(few);
  kernel["subjects"][0]["accuracy"].push_back(far);
  kernel["subjects"][0]["sentence"] = "everyday: right to <15> digits";
  return results;
}

}  // namespace report_test
}  // namespace demeter
