// Small vectors and matrices of any scalar type, as plain data. All records and formulas use these types, so a file
// that includes a declaration does not parse or instantiate a linear-algebra library. The methods have Eigen's names.
// Code that needs a decomposition passes `data()` to Eigen.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace demeter {

/// Index of a component. It is signed, so that the difference of two indices is a number.
using Index = std::ptrdiff_t;

template <class T, int Rows, int Columns>
struct Matrix;
template <class MatrixType>
struct Transposed;
template <class VectorType>
struct Diagonal;

/// A vector of N scalars. Built-in scalars are uninitialised, as in an array, unless the vector is written as
/// `Vector<double, 3>{}`. Sums (`dot`, `norm`, products with matrices) add a_0 + a_1 + a_2 in this order on every
/// machine. The order is guaranteed, because generated cases depend on it.
template <class T, int N>
struct Vector {
  using Scalar = T;
  using iterator = T*;
  using const_iterator = T const*;
  static constexpr int dimension = N;

  T values[N];

  // The & qualifier forbids an assignment to a temporary, where the assigned value would be lost.
  Vector() = default;
  Vector(Vector const&) = default;
  Vector(Vector&&) = default;
  Vector& operator=(Vector const&) & = default;
  Vector& operator=(Vector&&) & = default;
  constexpr Vector(T x, T y) requires(N == 2) : values{std::move(x), std::move(y)} {}
  constexpr Vector(T x, T y, T z) requires(N == 3) : values{std::move(x), std::move(y), std::move(z)} {}
  constexpr Vector(T w, T x, T y, T z) requires(N == 4)
      : values{std::move(w), std::move(x), std::move(y), std::move(z)} {}
  constexpr Vector(T xx, T yy, T zz, T xy, T xz, T yz) requires(N == 6)
      : values{std::move(xx), std::move(yy), std::move(zz), std::move(xy), std::move(xz), std::move(yz)} {}

  static Vector Constant(T const& value) {
    Vector result;
    result.setConstant(value);
    return result;
  }
  static Vector Zero() { return Constant(T(0)); }
  static Vector Ones() { return Constant(T(1)); }
  /// Returns the unit vector along the axis with this index.
  static Vector Unit(Index axis) {
    Vector result = Zero();
    result[axis] = T(1);
    return result;
  }

  static constexpr Index size() { return N; }
  constexpr T& operator[](Index i) { return values[i]; }
  constexpr T const& operator[](Index i) const { return values[i]; }
  T* data() { return values; }
  T const* data() const { return values; }
  T* begin() { return values; }
  T* end() { return values + N; }
  T const* begin() const { return values; }
  T const* end() const { return values + N; }

  void setConstant(T const& value) & {
    for (T& each : values) each = value;
  }
  void setZero() & { setConstant(T(0)); }

  template <class To>
  Vector<To, N> cast() const {
    Vector<To, N> result;
    for (int i = 0; i < N; ++i) result.values[i] = static_cast<To>(values[i]);
    return result;
  }
  template <class Function>
  Vector unaryExpr(Function const& function) const {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = function(values[i]);
    return result;
  }
  /// Return the first and the last `count` components.
  template <int count>
  Vector<T, count> head() const {
    Vector<T, count> result;
    for (int i = 0; i < count; ++i) result.values[i] = values[i];
    return result;
  }
  template <int count>
  Vector<T, count> tail() const {
    Vector<T, count> result;
    for (int i = 0; i < count; ++i) result.values[i] = values[N - count + i];
    return result;
  }

  Vector& operator+=(Vector const& x) & { return *this = *this + x; }
  Vector& operator-=(Vector const& x) & { return *this = *this - x; }
  Vector& operator*=(T const& factor) & { return *this = *this * factor; }
  Vector& operator/=(T const& divisor) & { return *this = *this / divisor; }
  friend Vector operator-(Vector const& x) {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = -x.values[i];
    return result;
  }
  friend Vector operator+(Vector const& x, Vector const& y) {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = x.values[i] + y.values[i];
    return result;
  }
  friend Vector operator-(Vector const& x, Vector const& y) {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = x.values[i] - y.values[i];
    return result;
  }
  friend Vector operator*(Vector const& x, T const& factor) {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = x.values[i] * factor;
    return result;
  }
  friend Vector operator*(T const& factor, Vector const& x) { return x * factor; }
  friend Vector operator/(Vector const& x, T const& divisor) {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = x.values[i] / divisor;
    return result;
  }
  friend bool operator==(Vector const& x, Vector const& y) {
    for (int i = 0; i < N; ++i)
      if (!(x.values[i] == y.values[i])) return false;
    return true;
  }

  T dot(Vector const& x) const {
    T sum = values[0] * x.values[0];
    for (int i = 1; i < N; ++i) sum += values[i] * x.values[i];
    return sum;
  }
  T squaredNorm() const { return dot(*this); }
  T norm() const {
    using std::sqrt;
    return sqrt(squaredNorm());
  }
  T sum() const {
    T sum = values[0];
    for (int i = 1; i < N; ++i) sum += values[i];
    return sum;
  }
  T prod() const {
    T product = values[0];
    for (int i = 1; i < N; ++i) product *= values[i];
    return product;
  }
  /// Returns this vector with length 1; a zero vector stays zero.
  Vector normalized() const {
    using std::sqrt;
    T const square = squaredNorm();
    return square > T(0) ? *this / T(sqrt(square)) : *this;
  }
  Vector cross(Vector const& x) const requires(N == 3) {
    return {values[1] * x.values[2] - values[2] * x.values[1], values[2] * x.values[0] - values[0] * x.values[2],
            values[0] * x.values[1] - values[1] * x.values[0]};
  }

  Vector cwiseAbs() const {
    using std::abs;
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = abs(values[i]);
    return result;
  }
  Vector cwiseProduct(Vector const& x) const {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = values[i] * x.values[i];
    return result;
  }
  Vector cwiseQuotient(Vector const& x) const {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = values[i] / x.values[i];
    return result;
  }
  Vector cwiseInverse() const { return Ones().cwiseQuotient(*this); }
  Vector cwiseMin(Vector const& x) const {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = std::min(values[i], x.values[i]);
    return result;
  }
  Vector cwiseMax(Vector const& x) const {
    Vector result;
    for (int i = 0; i < N; ++i) result.values[i] = std::max(values[i], x.values[i]);
    return result;
  }
  /// Return the largest and the smallest component. `where` receives the index of this component (the first index if
  /// several are equal).
  T maxCoeff() const { return *std::max_element(begin(), end()); }
  T minCoeff() const { return *std::min_element(begin(), end()); }
  T maxCoeff(Index* where) const { return values[*where = std::max_element(begin(), end()) - begin()]; }
  T minCoeff(Index* where) const { return values[*where = std::min_element(begin(), end()) - begin()]; }
  bool isZero() const {
    for (T const& each : values)
      if (!(each == T(0))) return false;
    return true;
  }
  bool allFinite() const {
    using std::isfinite;
    for (T const& each : values)
      if (!isfinite(each)) return false;
    return true;
  }

  Transposed<Vector> transpose() const { return {*this}; }
  Diagonal<Vector> asDiagonal() const { return {*this}; }
};

/// A matrix, stored column by column.
template <class T, int Rows, int Columns>
struct Matrix {
  using Scalar = T;
  using Column = Vector<T, Rows>;

  Column columns[Columns];

  Matrix() = default;
  /// Takes the entries row by row.
  Matrix(T xx, T xy, T yx, T yy) requires(Rows == 2 && Columns == 2)
      : columns{Column(std::move(xx), std::move(yx)), Column(std::move(xy), std::move(yy))} {}
  Matrix(T xx, T xy, T xz, T yx, T yy, T yz, T zx, T zy, T zz) requires(Rows == 3 && Columns == 3)
      : columns{Column(std::move(xx), std::move(yx), std::move(zx)),
                Column(std::move(xy), std::move(yy), std::move(zy)),
                Column(std::move(xz), std::move(yz), std::move(zz))} {}
  Matrix(Diagonal<Vector<T, Rows>> const& diagonal) requires(Rows == Columns) {  // NOLINT: that is what it is
    for (int j = 0; j < Columns; ++j)
      for (int i = 0; i < Rows; ++i) columns[j].values[i] = i == j ? diagonal.of.values[i] : T(0);
  }
  Matrix(Transposed<Matrix<T, Columns, Rows>> const& other) {  // NOLINT: that is what it is
    for (int j = 0; j < Columns; ++j)
      for (int i = 0; i < Rows; ++i) columns[j].values[i] = other.of.columns[i].values[j];
  }

  static Matrix Zero() {
    Matrix result;
    result.setZero();
    return result;
  }
  static Matrix Identity() requires(Rows == Columns) { return Matrix(Column::Ones().asDiagonal()); }
  void setZero() {
    for (Column& each : columns) each.setZero();
  }
  void setIdentity() { *this = Identity(); }

  T& operator()(Index i, Index j) { return columns[j].values[i]; }
  T const& operator()(Index i, Index j) const { return columns[j].values[i]; }
  Column& col(Index j) { return columns[j]; }
  Column const& col(Index j) const { return columns[j]; }
  Vector<T, Columns> row(Index i) const {
    Vector<T, Columns> result;
    for (int j = 0; j < Columns; ++j) result.values[j] = columns[j].values[i];
    return result;
  }
  Column diagonal() const requires(Rows == Columns) {
    Column result;
    for (int i = 0; i < Rows; ++i) result.values[i] = columns[i].values[i];
    return result;
  }
  /// Returns the entries column by column.
  T* data() { return columns[0].values; }
  T const* data() const { return columns[0].values; }

  template <class To>
  Matrix<To, Rows, Columns> cast() const {
    Matrix<To, Rows, Columns> result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = columns[j].template cast<To>();
    return result;
  }

  Matrix& operator+=(Matrix const& x) { return *this = *this + x; }
  Matrix& operator-=(Matrix const& x) { return *this = *this - x; }
  Matrix& operator*=(T const& factor) { return *this = *this * factor; }
  Matrix& operator/=(T const& divisor) { return *this = *this / divisor; }
  friend Matrix operator-(Matrix const& x) {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = -x.columns[j];
    return result;
  }
  friend Matrix operator+(Matrix const& x, Matrix const& y) {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = x.columns[j] + y.columns[j];
    return result;
  }
  friend Matrix operator-(Matrix const& x, Matrix const& y) {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = x.columns[j] - y.columns[j];
    return result;
  }
  friend Matrix operator*(Matrix const& x, T const& factor) {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = x.columns[j] * factor;
    return result;
  }
  friend Matrix operator*(T const& factor, Matrix const& x) { return x * factor; }
  friend Matrix operator/(Matrix const& x, T const& divisor) {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = x.columns[j] / divisor;
    return result;
  }
  friend bool operator==(Matrix const& x, Matrix const& y) {
    for (int j = 0; j < Columns; ++j)
      if (!(x.columns[j] == y.columns[j])) return false;
    return true;
  }

  friend Vector<T, Rows> operator*(Matrix const& x, Vector<T, Columns> const& y) {
    Vector<T, Rows> result;
    for (int i = 0; i < Rows; ++i) {
      result.values[i] = x.columns[0].values[i] * y.values[0];
      for (int k = 1; k < Columns; ++k) result.values[i] += x.columns[k].values[i] * y.values[k];
    }
    return result;
  }
  friend Matrix operator*(Matrix const& x, Diagonal<Vector<T, Columns>> const& y) {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = x.columns[j] * y.of.values[j];
    return result;
  }

  T trace() const { return diagonal().sum(); }
  T determinant() const requires(Rows == 2 && Columns == 2) {
    return columns[0].values[0] * columns[1].values[1] - columns[1].values[0] * columns[0].values[1];
  }
  T determinant() const requires(Rows == 3 && Columns == 3) { return columns[0].dot(columns[1].cross(columns[2])); }
  Matrix inverse() const requires(Rows == 2 && Columns == 2) {
    T const d = determinant();
    return {columns[1].values[1] / d, -columns[1].values[0] / d, -columns[0].values[1] / d, columns[0].values[0] / d};
  }
  T squaredNorm() const {
    T sum = columns[0].squaredNorm();
    for (int j = 1; j < Columns; ++j) sum += columns[j].squaredNorm();
    return sum;
  }
  T norm() const {
    using std::sqrt;
    return sqrt(squaredNorm());
  }
  Matrix cwiseAbs() const {
    Matrix result;
    for (int j = 0; j < Columns; ++j) result.columns[j] = columns[j].cwiseAbs();
    return result;
  }
  T maxCoeff() const {
    T most = columns[0].maxCoeff();
    for (int j = 1; j < Columns; ++j) most = std::max(most, columns[j].maxCoeff());
    return most;
  }
  bool allFinite() const {
    for (Column const& each : columns)
      if (!each.allFinite()) return false;
    return true;
  }
  Transposed<Matrix> transpose() const { return {*this}; }
};

template <class T, int Rows, int Middle, int Columns>
Matrix<T, Rows, Columns> operator*(Matrix<T, Rows, Middle> const& x, Matrix<T, Middle, Columns> const& y) {
  Matrix<T, Rows, Columns> result;
  for (int j = 0; j < Columns; ++j) result.columns[j] = x * y.columns[j];
  return result;
}

/// A transposed view: the result of `transpose()`. It refers to the original vector or matrix and must not outlive it.
template <class T, int N>
struct Transposed<Vector<T, N>> {
  Vector<T, N> const& of;

  friend T operator*(Transposed x, Vector<T, N> const& y) { return x.of.dot(y); }
  template <int Rows>
  friend Matrix<T, Rows, N> operator*(Vector<T, Rows> const& x, Transposed y) {
    Matrix<T, Rows, N> result;
    for (int j = 0; j < N; ++j) result.columns[j] = x * y.of.values[j];
    return result;
  }
};
template <class T, int Rows, int Columns>
struct Transposed<Matrix<T, Rows, Columns>> {
  Matrix<T, Rows, Columns> const& of;

  friend Vector<T, Columns> operator*(Transposed x, Vector<T, Rows> const& y) {
    Vector<T, Columns> result;
    for (int i = 0; i < Columns; ++i) result.values[i] = x.of.columns[i].dot(y);
    return result;
  }
  template <int Others>
  friend Matrix<T, Columns, Others> operator*(Transposed x, Matrix<T, Rows, Others> const& y) {
    Matrix<T, Columns, Others> result;
    for (int j = 0; j < Others; ++j) result.columns[j] = x * y.columns[j];
    return result;
  }
  template <int Others>
  friend Matrix<T, Others, Rows> operator*(Matrix<T, Others, Columns> const& x, Transposed y) {
    return x * Matrix<T, Columns, Rows>(y);
  }
};
/// A diagonal square matrix: the result of `asDiagonal()`. It refers to the original vector and must not outlive it.
template <class T, int N>
struct Diagonal<Vector<T, N>> {
  Vector<T, N> const& of;
};

}  // namespace demeter
