// Solver for A x = b with a symmetric 3x3 matrix A, which is decomposed only once (Eigen's LDLT). The oracle and the
// mutants of superquadric contacts use it for the step to the minimum of a quadratic model.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <Eigen/Cholesky>

namespace demeter::superquadric {

template <class Real>
class SymmetricEquations {
 public:
  explicit SymmetricEquations(Matrix3<Real> const& A) : decomposed_(Map<3>(A.data())) {}

  Vector3<Real> solve(Vector3<Real> const& b) const {
    Eigen::Matrix<Real, 3, 1> const x = decomposed_.solve(Map<1>(b.data()));
    return {x[0], x[1], x[2]};
  }

 private:
  template <int columns>
  using Map = Eigen::Map<Eigen::Matrix<Real, 3, columns> const>;

  Eigen::LDLT<Eigen::Matrix<Real, 3, 3>> decomposed_;
};

}  // namespace demeter::superquadric
