// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A 3 x 3 matrix of plain values: Jacobians and material tensors, on host and device.

#include "base/vec3.hpp"

namespace curlew::fem {

template <class T>
struct Mat3 {
  T m[3][3] = {};

  CURLEW_HD T& operator()(int i, int j) { return m[i][j]; }
  CURLEW_HD const T& operator()(int i, int j) const { return m[i][j]; }

  CURLEW_HD static Mat3 diagonal(T a) {
    Mat3 d;
    for (int i = 0; i < 3; ++i) d(i, i) = a;
    return d;
  }
};

template <class T>
CURLEW_HD Mat3<T> transpose(const Mat3<T>& a) {
  Mat3<T> t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t(i, j) = a(j, i);
  return t;
}

template <class T, class S>
CURLEW_HD auto operator*(const Mat3<T>& a, const Mat3<S>& b) -> Mat3<decltype(a.m[0][0] * b.m[0][0])> {
  Mat3<decltype(a.m[0][0] * b.m[0][0])> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return c;
}

template <class T, class S>
CURLEW_HD auto operator*(const Mat3<T>& a, const Vec3<S>& v) -> Vec3<decltype(a.m[0][0] * v.x)> {
  return {a(0, 0) * v.x + a(0, 1) * v.y + a(0, 2) * v.z, a(1, 0) * v.x + a(1, 1) * v.y + a(1, 2) * v.z,
          a(2, 0) * v.x + a(2, 1) * v.y + a(2, 2) * v.z};
}

template <class T>
CURLEW_HD T determinant(const Mat3<T>& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
         a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

/// The transposed matrix of cofactors: inverse(a) = adjugate(a) / determinant(a).
template <class T>
CURLEW_HD Mat3<T> adjugate(const Mat3<T>& a) {
  Mat3<T> c;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c(j, i) = a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1);
    }
  }
  return c;
}

}  // namespace curlew::fem
