#include "cli/core/command.hpp"

namespace demeter::cli {

Verb generate() {
  Verb verb{"generate", "cases of a kernel, one JSON object a line"};
  auto options = std::make_shared<Common>();
  verb.option("kernel", options->kernel, "the kernel").required();
  verb.option("--count", options->count, "how many cases").check(whole_number()).shows_default();
  verb.option("--seed", options->seed, "the same seed gives the same cases").check(whole_number()).shows_default();
  verb.option("--regime", options->regime, "one regime or workload only; otherwise the regimes take turns");
  verb.example = "demeter generate segment_distance --count 3 --regime near_parallel";
  verb.run = [options] {
    Kernel const* kernel = kernel_or_complain("generate", options->kernel);
    if (kernel == nullptr) return int{bad_usage};
    std::optional<std::size_t> regime, workload;
    if (!regime_or_complain("generate", *kernel, options->regime, regime, &workload)) return int{bad_usage};
    Output out;
    Table table(kernel->input);
    for (std::uint64_t id = 0; id < options->count; ++id) {
      std::size_t const drawn = workload ? *workload : regime_of(*kernel, regime, id);
      table.clear(kernel->input);
      if (workload) {
        kernel->generate_workload(drawn, options->seed, id, table);
      } else {
        kernel->generate(drawn, options->seed, id, table);
      }
      out.print("{{\"id\":{},\"kernel\":\"{}\",\"regime\":\"{}\",\"input\":", id, kernel->name,
                workload ? kernel->workloads[drawn].name : kernel->regimes[drawn].name);
      write_record(kernel->input, table, 0, out.buffer());
      out.print("}}\n");
      if (!out.error().empty()) break;
    }
    if (!out.flush()) return complain(broken, "generate", out.error());
    return int{held};
  };
  return verb;
}

}  // namespace demeter::cli
