#include "kernels/mutant.hpp"

#include <utility>

namespace demeter {

void Mutants::add(Answering answering, Defect const& defect) {
  std::string const name(defect.name), change(defect.change);
  answering.doc = change;
  each.push_back({name, change, std::string(defect.source), make_subject("mutant:" + name, std::move(answering)),
                  std::string(defect.within_double), std::string(defect.shows_in)});
}

Mutants make_mutants(std::string_view kernel, std::span<Defect const> defects,
                     std::function<Answering(int place)> const& answering) {
  Answering right = answering(-1);
  right.doc = "the implementation the mutants are made from";
  Mutants result{std::string(kernel), make_subject("unmutated", std::move(right)), {}};
  int place = 0;
  for (Defect const& defect : defects) result.add(answering(place++), defect);
  return result;
}

}  // namespace demeter
