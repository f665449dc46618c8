// Approximate methods for nscd_solve: each solver, stopped after a fixed number of sweeps. All start from zero
// impulses.
#include "reference/spec/nscd_solve.hpp"
#include "fast/family/nonsmooth/solvers.hpp"
#include "kernels/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace demeter::nscd_solve {
namespace {

namespace solvers = nonsmooth::fast;

Subject swept(solvers::Method method, std::int64_t sweeps, std::string_view what) {
  auto const name = labels(method)[static_cast<std::size_t>(method)];
  std::string const doc = fmt::format("{}, {} sweeps", what, sweeps);
  Subject subject;
  subject.name = fmt::format("{}@{}", name, sweeps);
  subject.doc = doc;
  subject.answers.push_back(
      answer_with<Contract>(doc, [method, sweeps](Input<double> const& in, Output<double>& out) -> char const* {
        std::size_t const bodies = in.masses.size(), contacts = in.contacts.size();
        std::vector<double> inverse, x, y, normal_x, normal_y, meeting;
        std::vector<std::int32_t> i, j;
        for (std::size_t a = 0; a < bodies; ++a) {
          inverse.push_back(1 / in.masses[a]);
          x.push_back(in.velocities[a][0]);
          y.push_back(in.velocities[a][1]);
        }
        for (auto const& contact : in.contacts) {
          i.push_back(static_cast<std::int32_t>(contact.i));
          j.push_back(static_cast<std::int32_t>(contact.j));
          normal_x.push_back(contact.normal[0]);
          normal_y.push_back(contact.normal[1]);
          meeting.push_back(std::max(contact.gap, 0.0) / in.dt);
        }
        std::vector<double> after_x(bodies), after_y(bodies);
        out.impulses.assign(contacts, 0);
        solvers::Workspace workspace;
        solvers::solve(method, {inverse, x, y, i, j, normal_x, normal_y, meeting}, {0, sweeps}, out.impulses, after_x,
                       after_y, workspace);
        out.velocities.clear();
        for (std::size_t a = 0; a < bodies; ++a) out.velocities.emplace_back(after_x[a], after_y[a]);
        return nullptr;
      }));
  subject.origin = Origin::method;
  subject.cases = 100;
  return subject;
}

}  // namespace

std::vector<Subject> methods() {
  using enum solvers::Method;
  std::vector<Subject> all;
  for (std::int64_t const sweeps : {10, 100, 1000}) {
    all.push_back(swept(nlgs, sweeps, "accumulated Gauss-Seidel"));
    all.push_back(swept(apgd, sweeps, "accelerated projected gradient with mass splitting"));
  }
  all.push_back(swept(coloured, 100, "accumulated Gauss-Seidel in colours"));
  all.push_back(swept(jacobi, 100, "accumulated Jacobi, relaxed"));
  all.push_back(swept(mass_splitting_jacobi, 100, "accumulated Jacobi with mass splitting"));
  all.push_back(swept(documented, 100, "the documented Gauss-Seidel, whose impulses are not accumulated"));
  return all;
}

}  // namespace demeter::nscd_solve
