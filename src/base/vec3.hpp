// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Points and vectors in space, on host and device.

#include <cmath>

#include "base/macros.hpp"

namespace curlew {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  template <class To>
  CURLEW_HD Vec3<To> cast() const {
    return {To(x), To(y), To(z)};
  }
  CURLEW_HD T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  CURLEW_HD const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  CURLEW_HD Vec3& operator+=(Vec3 b) { return x += b.x, y += b.y, z += b.z, *this; }
  CURLEW_HD Vec3& operator-=(Vec3 b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  CURLEW_HD friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  CURLEW_HD friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  CURLEW_HD friend Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  CURLEW_HD friend bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};

template <class T, class S>
CURLEW_HD auto operator*(S s, Vec3<T> a) -> Vec3<decltype(s * a.x)> {
  return {s * a.x, s * a.y, s * a.z};
}
/// Bilinear product: no conjugation for complex components.
template <class T, class S>
CURLEW_HD auto dot(Vec3<T> a, Vec3<S> b) -> decltype(a.x * b.x) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T, class S>
CURLEW_HD auto cross(Vec3<T> a, Vec3<S> b) -> Vec3<decltype(a.x * b.x)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Euclidean length of a real vector.
template <class T>
CURLEW_HD T norm(Vec3<T> a) {
  return ::sqrt(dot(a, a));
}
template <class T>
CURLEW_HD Vec3<T> normalized(Vec3<T> a) {
  return (T(1) / norm(a)) * a;
}

}  // namespace curlew
