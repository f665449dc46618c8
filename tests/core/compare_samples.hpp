// Small results for the tests of compare. The tests change these results and compare them.
#pragma once

#include "reports/compare.hpp"
#include "reports/format/members.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace demeter {
namespace compare_test {

using Json = nlohmann::ordered_json;
using Kind = Finding::Kind;

inline Json accuracy_row() {
  report::Accuracy row;
  row.regime = "typical";
  row.output = "distance";
  row.measure = "scale";
  row.budget = 8;
  row.cases = row.judged = 1000;
  row.max_error = 3;
  row.mean_error = 0.6;
  row.median_error = row.p99_error = row.max_relative = 1;
  return report::write(row);
}
inline Json law_row() { return report::write(report::LawResult{"swap", 200, 180, 0, 0, 0, 0, 0.5, {}, {}}); }
inline Json timing_row(char const* kind = "subject", char const* subject = "fast@avx2") {
  report::Timing row{subject, kind, "cache", "typical", "all", 10, {}, {}, 4096};
  for (int i = 0; i < 9; ++i) {
    row.samples.push_back(10 + 0.01 * i);
    row.reference_workload.push_back(200);
  }
  return report::write(row);
}
/// Returns a small results.json with one kernel and one subject.
inline Json results() {
  report::Results all;
  all.run = {"1", "abc", 1, 1000, false, "today", 1, {}};
  all.machine = {"C", 1, {"scalar", "avx2"}, "avx2", "G", "-O2", "Linux", 1};
  report::Kernel& kernel = all.kernels.emplace_back();
  kernel.name = "segment_distance";
  report::Contender& subject = kernel.subjects.emplace_back();
  subject.name = "fast@avx2";
  subject.verdict = "pass";
  kernel.speed.used = kernel.speed.total = 1000;
  kernel.speed.reference_workload = "1";
  Json json = report::write(all);
  json["kernels"][0]["subjects"][0]["accuracy"] = Json::array({accuracy_row()});
  json["kernels"][0]["subjects"][0]["laws"] = Json::array({law_row()});
  json["kernels"][0]["speed"]["timings"] = Json::array({timing_row()});
  return json;
}
inline Json& kernel_of(Json& all) { return all["kernels"][0]; }
inline Json& subject_of(Json& all) { return all["kernels"][0]["subjects"][0]; }
inline Json& row_of(Json& all) { return subject_of(all)["accuracy"][0]; }
inline Json& law_of(Json& all) { return subject_of(all)["laws"][0]; }
inline Json& timing_of(Json& all) { return all["kernels"][0]["speed"]["timings"][0]; }
inline void slow_down(Json& timing, double factor) {
  for (auto& sample : timing["samples"]) sample = sample.get<double>() * factor;
}

inline Recorded recorded(Json const& json) {
  Recorded run;
  EXPECT_EQ(read_recorded(json, run), std::nullopt);
  return run;
}
inline Comparison compared(Json const& old_run, Json const& new_run, CompareOptions const& options = {}) {
  return compare(recorded(old_run), recorded(new_run), options);
}
inline std::string all_text(Comparison const& comparison) {
  std::string text;
  for (auto const& finding : comparison.findings) text += finding_text(finding) + "\n";
  return text;
}

}  // namespace compare_test
}  // namespace demeter
