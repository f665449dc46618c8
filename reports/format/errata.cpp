#include "reports/format/errata.hpp"

#include "reports/format/describe.hpp"

#include <nlohmann/json.hpp>

namespace demeter {

std::vector<report::Erratum> describe_errata(Kernel const& kernel) {
  std::vector<report::Erratum> result;
  for (Erratum const& erratum : kernel.errata) {
    report::Erratum& entry = result.emplace_back();
    entry.where = erratum.where;
    entry.documented = erratum.documented;
    entry.implemented = erratum.implemented;
    entry.recommended = erratum.recommended;
    for (PublishedCode const& code : erratum.codes)
      entry.codes.push_back({std::string(code.name), std::string(code.address)});
    for (ErratumFigure const& figure : erratum.figures) {
      std::string wrong;
      auto const found = find_figure(kernel, figure, wrong);
      report::ErratumFigure& shown = entry.figures.emplace_back();
      shown.what = figure.what;
      shown.output = figure.column;
      shown.input = report::Json::parse(figure.input, nullptr, false);
      for (std::size_t i = 0; i < found.size(); ++i)
        shown.values.push_back({std::string(figure.values[i].formula), std::string(figure.values[i].stated),
                                found[i].computed, found[i].agrees});
    }
  }
  return result;
}

}  // namespace demeter
