#include "reference/core/multiprecision.hpp"
#include "reference/core/scalars.hpp"
#include "reference/spec/core/fields.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace demeter {
namespace {

static_assert(std::is_trivially_copyable_v<Vector3<double>> && sizeof(Vector3<double>) == 3 * sizeof(double));
static_assert(std::is_trivially_copyable_v<Matrix3<double>> && sizeof(Matrix3<double>) == 9 * sizeof(double));
static_assert(sizeof(Vector<float, 6>) == 6 * sizeof(float));
static_assert(!std::is_assignable_v<Vector3<double>, Vector3<double>>, "what is returned by value takes none");

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

struct Drawn {
  std::mt19937_64 engine;
  double number() {
    return std::ldexp(static_cast<double>(engine() % 2001) - 1000, static_cast<int>(engine() % 9) - 4);
  }
  template <int N>
  Vector<double, N> vector() {
    Vector<double, N> result;
    for (double& each : result) each = number();
    return result;
  }
  template <int Rows, int Columns>
  Matrix<double, Rows, Columns> matrix() {
    Matrix<double, Rows, Columns> result;
    for (Index j = 0; j < Columns; ++j) result.col(j) = vector<Rows>();
    return result;
  }
};

template <int Rows, int Columns>
auto eigen(Matrix<double, Rows, Columns> const& m) {
  return Eigen::Matrix<double, Rows, Columns>(Eigen::Map<Eigen::Matrix<double, Rows, Columns> const>(m.data()));
}
template <int N>
auto eigen(Vector<double, N> const& v) {
  return Eigen::Matrix<double, N, 1>(Eigen::Map<Eigen::Matrix<double, N, 1> const>(v.data()));
}

// All numbers are small integers times powers of two. Both results are therefore exact in any order of summation.
TEST(Matrix, AgreesWithEigen) {
  Drawn drawn;
  for (int round = 0; round < 200; ++round) {
    auto const a = drawn.vector<3>(), b = drawn.vector<3>();
    auto const M = drawn.matrix<3, 3>(), N = drawn.matrix<3, 3>();
    auto const E = drawn.matrix<3, 2>();
    double const s = drawn.number();
    auto const A = eigen(a), B = eigen(b);
    auto const MM = eigen(M), NN = eigen(N);
    auto const EE = eigen(E);
    EXPECT_EQ(eigen(a + b - s * a), A + B - s * A);
    EXPECT_EQ(eigen(-a.cross(b)), -A.cross(B));
    EXPECT_EQ(a.dot(b), A.dot(B));
    EXPECT_EQ(a.norm(), A.norm());
    EXPECT_EQ(a.sum(), A.sum());
    EXPECT_EQ(a.prod(), A.prod());
    EXPECT_EQ(a.maxCoeff(), A.maxCoeff());
    EXPECT_EQ(a.cwiseAbs().minCoeff(), A.cwiseAbs().minCoeff());
    EXPECT_EQ(eigen(a.cwiseMin(b).cwiseMax(s * b)), A.cwiseMin(B).cwiseMax(s * B));
    EXPECT_EQ(eigen(a.cwiseProduct(b)), A.cwiseProduct(B));
    EXPECT_EQ(eigen(M * a), MM * A);
    EXPECT_EQ(eigen(M.transpose() * a), MM.transpose() * A);
    EXPECT_EQ(eigen(M * N), MM * NN);
    EXPECT_EQ(eigen(M.transpose() * N), MM.transpose() * NN);
    EXPECT_EQ(eigen(M * N.transpose()), MM * NN.transpose());
    EXPECT_EQ(eigen(M + N.transpose() - 2 * N), MM + NN.transpose() - 2 * NN);
    EXPECT_EQ(eigen(a * b.transpose()), A * B.transpose());
    EXPECT_EQ(a.transpose() * b, A.dot(B));
    EXPECT_EQ(eigen(M * a.asDiagonal() * N), MM * A.asDiagonal() * NN);
    EXPECT_EQ(eigen(Matrix3<double>(a.asDiagonal())), Eigen::Matrix3d(A.asDiagonal()));
    EXPECT_EQ(eigen(E.transpose() * M * E), EE.transpose() * MM * EE);
    EXPECT_EQ(eigen(M.row(1)), MM.row(1).transpose());
    EXPECT_EQ(eigen(M.diagonal()), MM.diagonal());
    EXPECT_EQ(M.trace(), MM.trace());
    EXPECT_EQ(M.determinant(), MM.determinant());
    EXPECT_EQ(M.squaredNorm(), MM.squaredNorm());
    EXPECT_EQ(eigen(Matrix3<double>::Identity()), Eigen::Matrix3d::Identity());
    EXPECT_EQ(M.cwiseAbs().maxCoeff(), MM.cwiseAbs().maxCoeff());
    Matrix<double, 2, 2> const T(M(0, 0), M(0, 1), M(1, 0), M(1, 1));
    EXPECT_EQ(T.determinant(), eigen(T).determinant());
    if (T.determinant() == 0) continue;
    EXPECT_LE((eigen(T.inverse()) - eigen(T).inverse()).norm(), 0x1p-50 * eigen(T.inverse()).norm());
  }
}

TEST(Matrix, ElementsAreGivenRowByRow) {
  Matrix3<double> const M(1, 2, 3, 4, 5, 6, 7, 8, 9);
  EXPECT_EQ(M.row(0), Vector3<double>(1, 2, 3));
  EXPECT_EQ(M.col(0), Vector3<double>(1, 4, 7));
  EXPECT_EQ(M(1, 2), 6);
  EXPECT_EQ(Matrix3<double>(M.transpose()).row(0), M.col(0));
}

TEST(Vector, SumsAddElementsFromFirstToLast) {
  // 2^53 + 1 loses the 1. 2^53 - 2^53 + 1 does not lose the 1.
  Vector3<double> const a(0x1p53, 1, -0x1p53);
  EXPECT_EQ(a.sum(), 0);
  EXPECT_EQ(a.dot(Vector3<double>::Ones()), 0);
  EXPECT_EQ((Quaternion<double>(0x1p53, -0x1p53, 1, 0)).sum(), 1);
  Matrix3<double> M = Matrix3<double>::Zero();
  for (Index j = 0; j < 3; ++j) M.col(j).setConstant(a[j]);
  EXPECT_EQ(M * Vector3<double>::Ones(), Vector3<double>::Zero());
}

TEST(Vector, NaNAndInfinityAreNeitherZeroNorFinite) {
  EXPECT_TRUE((Vector3<double>(0, -0.0, 0)).isZero());
  EXPECT_FALSE((Vector3<double>(0, nan, 0)).isZero());
  EXPECT_FALSE((Vector3<double>(0, nan, 0)).allFinite());
  EXPECT_FALSE((Vector3<double>(0, 0, -inf)).allFinite());
  EXPECT_TRUE((Vector3<double>(0, 0, 1)).allFinite());
  EXPECT_FALSE((Vector3<double>(0, nan, 0)) == (Vector3<double>(0, nan, 0)));
  EXPECT_EQ((Vector3<double>::Zero().normalized()), (Vector3<double>::Zero()));
  EXPECT_TRUE(std::signbit((-Vector3<double>(0, 1, 2))[0]));
}

TEST(Vector, HeadTailAndExtremesAreTheRightElements) {
  Vector<double, 6> const tensor(1, 2, 3, 4, 5, 6);
  EXPECT_EQ(tensor.head<3>(), Vector3<double>(1, 2, 3));
  EXPECT_EQ(tensor.tail<3>(), Vector3<double>(4, 5, 6));
  Index where = -1;
  EXPECT_EQ(tensor.maxCoeff(&where), 6);
  EXPECT_EQ(where, 5);
  EXPECT_EQ((Vector3<double>(2, 1, 1)).minCoeff(&where), 1);
  EXPECT_EQ(where, 1) << "the first";
  EXPECT_EQ(Vector3<double>::Unit(2), Vector3<double>(0, 0, 1));
  EXPECT_EQ(tensor.cast<float>().cast<double>(), tensor);
}

TEST(Vector, AMultiprecisionVectorCanBeAssignedAFormulaOfItself) {
  Precision const digits(40);
  Vector3<Multiprecision> a(1, 2, 3);
  a = a.cross(Vector3<Multiprecision>(0, 0, 1)) + a;
  EXPECT_EQ(a, Vector3<Multiprecision>(3, 1, 3));
  Matrix3<Multiprecision> M(1, 2, 3, 4, 5, 6, 7, 8, 9);
  M = M.transpose();
  EXPECT_EQ(M.row(0), Vector3<Multiprecision>(1, 4, 7));
  M = M * M.transpose();
  EXPECT_EQ(M(0, 0), 66);
}

}  // namespace
}  // namespace demeter
