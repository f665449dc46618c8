#include "cli/core/command.hpp"
#include "cli/core/selection.hpp"

namespace demeter::cli {
namespace {
struct GenerateArguments : Common {
  Selection selection;
};
}  // namespace

Verb generate() {
  Verb verb{"generate", "prints cases of a kernel, one JSON object per line"};
  auto options = std::make_shared<GenerateArguments>();
  verb.option("kernel", options->kernel, "the kernel").required();
  verb.option("--count", options->count, "number of cases").check(number_of_cases(0)).shows_default();
  verb.option("--seed", options->seed, "the same seed gives the same cases").check(whole_number()).shows_default();
  add_selection(verb, options->selection,
                "draw from these regimes in turn, or from a workload; all regimes if none is given");
  verb.example = "demeter generate segment_distance --count 3 --regime near_parallel";
  verb.run = [options] {
    Kernel const* kernel = kernel_or_complain("generate", options->kernel);
    if (kernel == nullptr) return int{bad_usage};
    auto const selected = select_or_complain("generate", *kernel, options->selection, Among::workloads_too);
    if (!selected) return int{bad_usage};
    Output out;
    Table table(kernel->input);
    for (std::uint64_t id = 0; id < options->count; ++id) {
      std::size_t const drawn = selected->workload ? *selected->workload : selected->regime_of(id);
      table.clear(kernel->input);
      if (selected->workload) {
        kernel->generate_workload(drawn, options->seed, id, table);
      } else {
        kernel->generate(drawn, options->seed, id, table, selected->sizes);
      }
      out.print("{{\"id\":{},\"kernel\":\"{}\",\"regime\":\"{}\",\"input\":", id, kernel->name,
                selected->workload ? kernel->workloads[drawn].name : kernel->regimes[drawn].name);
      write_record(kernel->input, table, 0, out.buffer());
      out.print("}}\n");
      if (!out.error().empty() || stop_requested()) break;
    }
    if (!out.flush()) return complain(broken, "generate", out.error());
    if (stop_requested()) return complain(failed, "generate", "stopped: printed results are partial");
    return int{held};
  };
  return verb;
}

}  // namespace demeter::cli
