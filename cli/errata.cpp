#include "reports/format/errata.hpp"
#include "base/json_text.hpp"
#include "cli/core/command.hpp"
#include "cli/core/screen.hpp"
#include "reports/format/members.hpp"

namespace demeter::cli {
namespace {

void print(Output& out, Kernel const& kernel, std::vector<report::Erratum> const& errata) {
  out.print("{}\n", painted(Colour::strong, kernel.name));
  auto const text = [&](std::string_view what, std::string const& said) {
    if (!said.empty()) out.print("    {:<12} {}", what, wrapped(said, 17).substr(17));
  };
  for (report::Erratum const& erratum : errata) {
    out.print("  {}\n", erratum.where);
    text("documented", erratum.documented);
    text("implemented", erratum.implemented);
    for (report::PublishedCode const& code : erratum.codes)
      text("", code.address.empty() ? code.name : fmt::format("({}: {})", code.name, code.address));
    text("recommended", erratum.recommended);
    for (report::ErratumFigure const& figure : erratum.figures) {
      out.print("{}", wrapped(fmt::format("{}: {}", figure.what, figure.output), 6));
      for (report::ErratumValue const& value : figure.values)
        out.print("        {:<12} stated {:<10} computed {:<22} {}\n", value.formula, value.stated,
                  value.computed.empty() ? "nothing" : value.computed,
                  value.agrees ? painted(Colour::good, "agrees") : painted(Colour::bad, "DIFFERS"));
    }
  }
  out.print("\n");
}

std::size_t differing(std::vector<report::Erratum> const& errata) {
  std::size_t count = 0;
  for (auto const& erratum : errata)
    for (auto const& figure : erratum.figures)
      for (auto const& value : figure.values) count += value.agrees ? 0 : 1;
  return count;
}

}  // namespace

Verb errata() {
  Verb verb{"errata",
            "lists the errata of papers, manuals and other codes: documented, implemented and recommended formulas, "
            "with computed figures"};
  auto options = std::make_shared<Common>();
  verb.option("kernel", options->kernels, "only errata of these kernels; all if none is given");
  verb.flag("--json", options->json, "print the errata as JSON");
  verb.example = "demeter errata capsule_contact";
  verb.run = [options] {
    auto const chosen = kernels_or_complain("errata", options->kernels);
    if (chosen.empty()) return int{bad_usage};
    Output out;
    std::vector<report::ErrataOfKernel> all;
    std::size_t wrong = 0;
    for (auto const* kernel : chosen) {
      auto const errata = describe_errata(*kernel);
      wrong += differing(errata);
      if (options->json)
        all.push_back({kernel->name, errata});
      else if (!errata.empty())
        print(out, *kernel, errata);
      else if (!options->kernels.empty())
        out.print("{}: no erratum is known\n", kernel->name);
      if (!out.flush()) return complain(broken, "errata", out.error());
    }
    if (options->json) out.print("{}\n", json_text(report::write(all), 2));
    if (!out.flush()) return complain(broken, "errata", out.error());
    if (wrong > 0)
      return complain(failed, "errata", fmt::format("{} computed figures differ from the stated figures", wrong));
    return int{held};
  };
  return verb;
}

}  // namespace demeter::cli
