// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A point against one cone grid on the device: the samples' places, the segment of a point, and the
// interpolated field there.

#include "base/constants.hpp"
#include "ngim/device/chebyshev.cuh"
#include "ngim/device/view.cuh"

namespace curlew::ngim::device {

/// Place of sample i of a segment relative to the centre of its box of the given side.
template <class T>
__device__ __forceinline__ Vec3<T> sample_place(const ConeGrid& grid, int segment, int i, T side) {
  const int pa = grid.angular_order;
  const Vec3<T> d = cone_position(grid, segment, chebyshev_node<T>(i / (pa * pa), grid.radial_order),
                                  chebyshev_node<T>(i / pa % pa, pa), chebyshev_node<T>(i % pa, pa));
  return {exact_product(side, d.x), exact_product(side, d.y), exact_product(side, d.z)};
}

/// Converts a point relative to the centre of one box to the centre of another, in units of that box's side.
/// @param scale 1/side; a power of two, so that its product is exact
template <class T>
__device__ __forceinline__ Vec3<T> relative_place(Vec3<T> place, Vec3<T> shift, T scale) {
  return {exact_sum(place.x, shift.x) * scale, exact_sum(place.y, shift.y) * scale,
          exact_sum(place.z, shift.z) * scale};
}

template <class T>
__device__ __forceinline__ T side_of(int level) {
  return T(1) / T(1u << level);
}
template <class T>
__device__ __forceinline__ T inverse_side_of(int level) {
  return T(1u << level);
}

/// Factor from a field to the samples' compensated one: r exp(+jkr).
template <class T>
__device__ __forceinline__ complex<T> compensation(T r, const Kernel<T>& kernel) {
  T s, c;
  const T phase = kernel.k.re * r,
          magnitude = r * (kernel.k.loss > T(0) ? T(::exp(kernel.k.loss * r)) : T(1));
  if constexpr (sizeof(T) == 4)
    ::sincosf(phase, &s, &c);
  else
    ::sincos(phase, &s, &c);
  return {magnitude * c, magnitude * s};
}

/// exp(-jkr)/r.
template <class T>
__device__ __forceinline__ complex<T> spherical_wave(T r, const Kernel<T>& kernel) {
  T s, c;
  const T phase = kernel.k.re * r,
          magnitude = (kernel.k.loss > T(0) ? T(::exp(-kernel.k.loss * r)) : T(1)) / r;
  if constexpr (sizeof(T) == 4)
    ::sincosf(phase, &s, &c);
  else
    ::sincos(phase, &s, &c);
  return {magnitude * c, -magnitude * s};
}

/// One sample of C vectors, read at once.
template <int C, class T>
struct alignas(C % 2 == 0 || sizeof(T) == 8 ? 16 : 8) SampleOfVectors {
  complex<T> v[C];
};

/// Values of C of a segment's Chebyshev sums and their derivatives by s, u and v; coefficients `stride`
/// apart.
template <int C, class T>
__device__ __forceinline__ void evaluate_segment(const complex<T>* __restrict__ f, int stride, int ps, int pa,
                                                 const ConePoint<T>& p, complex<T> (&out)[C][4]) {
  const T us = 2 * p.s, uu = 2 * p.u, uv = 2 * p.v;
  Recurrence<T> s(us);
  for (int i = 0; i < ps; ++i, s.template advance<true>(us)) {
    complex<T> plane[C] = {}, plane_u[C] = {}, plane_v[C] = {};
    Recurrence<T> u(uu);
    for (int a = 0; a < pa; ++a, u.template advance<true>(uu)) {
      complex<T> line[C] = {}, line_v[C] = {};
      Recurrence<T> v(uv);
#pragma unroll 4
      for (int b = 0; b < pa; ++b, f += stride, v.template advance<true>(uv)) {
        const auto sample = *reinterpret_cast<const SampleOfVectors<C, T>*>(f);
        for (int c = 0; c < C; ++c) line[c] += v.a * sample.v[c], line_v[c] += v.da * sample.v[c];
      }
      for (int c = 0; c < C; ++c)
        plane[c] += u.a * line[c], plane_u[c] += u.da * line[c], plane_v[c] += u.a * line_v[c];
    }
    for (int c = 0; c < C; ++c)
      out[c][0] += s.a * plane[c], out[c][1] += s.da * plane[c], out[c][2] += s.a * plane_u[c],
          out[c][3] += s.a * plane_v[c];
  }
}

/// Points per thread that share loads; in double precision there are too few registers.
template <class T>
inline constexpr int points_together = sizeof(T) == 4 ? 2 : 1;

/// Values of C Chebyshev sums, which share the polynomials, at P points of one segment, which share the
/// loads.
template <int P, int C, class T>
__device__ __forceinline__ void evaluate_values(const SampleOfVectors<C, T>* __restrict__ f, int ps, int pa,
                                                const ConePoint<T> (&at)[P], complex<T> (&out)[P][C]) {
  Recurrence<T> s[P], u[P], v[P];
  for (int p = 0; p < P; ++p) s[p] = Recurrence<T>(2 * at[p].s);
  for (int i = 0; i < ps; ++i) {
    for (int p = 0; p < P; ++p) u[p] = Recurrence<T>(2 * at[p].u);
    for (int a = 0; a < pa; ++a) {
      complex<T> line[P][C] = {};
      for (int p = 0; p < P; ++p) v[p] = Recurrence<T>(2 * at[p].v);
#pragma unroll(sizeof(T) == 4 ? 4 : 2)
      for (int b = 0; b < pa; ++b, ++f) {
        const SampleOfVectors<C, T> sample = *f;
        for (int p = 0; p < P; ++p) {
          for (int c = 0; c < C; ++c) line[p][c] += v[p].a * sample.v[c];
          v[p].template advance<false>(2 * at[p].v);
        }
      }
      for (int p = 0; p < P; ++p) {
        for (int c = 0; c < C; ++c) out[p][c] += (s[p].a * u[p].a) * line[p][c];
        u[p].template advance<false>(2 * at[p].u);
      }
    }
    for (int p = 0; p < P; ++p) s[p].template advance<false>(2 * at[p].s);
  }
}

/// grad u = E (F_s grad s + F_u grad u + F_v grad v) - (jk + 1/r) u r/|r|, with E = exp(-jkr)/r.
template <class T>
__device__ __forceinline__ void add_cone_gradient(const ConeGrid& grid, const ConePoint<T>& p, Vec3<T> d,
                                                  T side, complex<T> wave, const complex<T> (&f)[4],
                                                  complex<T> value, const Kernel<T>& kernel, T* sum) {
  const T r = p.r * side, inverse_r = T(1) / p.r;
  const T unit[3] = {d.x * inverse_r, d.y * inverse_r, d.z * inverse_r};
  const int a = p.face_axis, b = (a + 1) % 3, c = (a + 2) % 3;
  const T inverse_da = T(1) / ((a == 0 ? d.x : (a == 1 ? d.y : d.z)) * side);
  const T by_s = -T(grid.radial_segments / (grid.s_max - grid.s_min)) / (p.r * p.r * side);
  const T per_angle = T(2 / pi * grid.angular_segments) * inverse_da;
  const T scale_u = per_angle / (1 + p.xi * p.xi), scale_v = per_angle / (1 + p.eta * p.eta);
  const complex<T> radial{-(kernel.k.loss + T(1) / r), -kernel.k.re};
#pragma unroll
  for (int x = 0; x < 3; ++x) {
    const T by_u = x == b ? scale_u : (x == a ? -p.xi * scale_u : T(0));
    const T by_v = x == c ? scale_v : (x == a ? -p.eta * scale_v : T(0));
    const complex<T> g =
        wave * ((by_s * unit[x]) * f[1] + by_u * f[2] + by_v * f[3]) + unit[x] * (radial * value);
    sum[2 + 2 * x] += g.re, sum[3 + 2 * x] += g.im;
  }
}

/// First sample of a box's segment; -1 if the box has no such segment.
/// @param box number in its level
template <class T>
__device__ __forceinline__ Offset first_sample(const LevelCones<T>& level, Index box, int segment) {
  if (segment < 0) return -1;
  const int slot = level.slot[Offset(box) * level.grid.num_segments() + segment];
  return slot < 0 ? -1 : Offset(slot) * level.grid.num_samples();
}

/// Adds the fields of one box, of C vectors, at P points of one segment that begins with a sample. Nothing is
/// added at points with takes[p] false.
template <int P, int C, class T>
__device__ __forceinline__ void add_segment(const LevelCones<T>& level, Offset first,
                                            const ConePoint<T> (&at)[P], const bool (&takes)[P], T side,
                                            const Kernel<T>& kernel, Sum<T> (*sum)[C]) {
  complex<T> f[P][C] = {};
  evaluate_values<P, C, T>(reinterpret_cast<const SampleOfVectors<C, T>*>(level.samples) + first,
                           level.grid.radial_order, level.grid.angular_order, at, f);
#pragma unroll
  for (int p = 0; p < P; ++p) {
    if (!takes[p]) continue;
    const complex<T> wave = spherical_wave(at[p].r * side, kernel);
    for (int c = 0; c < C; ++c) {
      const complex<T> value = wave * f[p][c];
      sum[p][c].v[0] += value.re, sum[p][c].v[1] += value.im;
    }
  }
}

/// Adds the fields of one box, of C vectors, at P points. Adjacent points are mostly in one segment: those in
/// the segment of the first share its loads, which take longer than the sums.
/// @param box number in its level; d = (point - centre)/side
template <int P, int C, class T>
__device__ __forceinline__ void add_cone(const LevelCones<T>& level, Index box, const Vec3<T> (&d)[P], T side,
                                         const Kernel<T>& kernel, Sum<T> (&sum)[P][C]) {
  ConePoint<T> at[P];
  Offset first[P];
  bool together[P];
#pragma unroll
  for (int p = 0; p < P; ++p) {
    at[p] = locate(level.grid, d[p]);
    first[p] = first_sample(level, box, at[p].segment);
    together[p] = first[p] == first[0];
  }
  if (first[0] >= 0) add_segment<P, C, T>(level, first[0], at, together, side, kernel, sum);
#pragma unroll
  for (int p = 1; p < P; ++p) {
    if (together[p] || first[p] < 0) continue;
    add_segment<1, C, T>(level, first[p], {at[p]}, {true}, side, kernel, sum + p);
  }
}

/// The same of C of num_vectors vectors, with their gradients.
template <int C, class T>
__device__ __forceinline__ void add_cone_with_gradient(const LevelCones<T>& level, Index box, Vec3<T> d,
                                                       T side, const Kernel<T>& kernel, int first_vector,
                                                       int num_vectors, Sum<T> (&sum)[C]) {
  const ConePoint<T> p = locate(level.grid, d);
  const Offset first = first_sample(level, box, p.segment);
  if (first < 0) return;
  const complex<T> wave = spherical_wave(p.r * side, kernel);
  complex<T> f[C][4] = {};
  evaluate_segment<C, T>(level.samples + first * num_vectors + first_vector, num_vectors,
                         level.grid.radial_order, level.grid.angular_order, p, f);
#pragma unroll
  for (int c = 0; c < C; ++c) {
    const complex<T> value = wave * f[c][0];
    sum[c].v[0] += value.re, sum[c].v[1] += value.im;
    add_cone_gradient(level.grid, p, d, side, wave, f[c], value, kernel, sum[c].v);
  }
}

/// Marks the segment of a point, and its neighbours where rounding could put the point there.
template <class T>
__device__ __forceinline__ void mark_cone(const ConeGrid& grid, unsigned char* marks, Vec3<T> d) {
  constexpr T margin = sizeof(T) == 4 ? T(1e-4) : T(1e-11);
  const ConePoint<T> p = locate(grid, d);
  if (p.ws < -margin) return;
  const int n = grid.angular_segments, m = grid.radial_segments;
  T da = p.face_axis == 0 ? d.x : (p.face_axis == 1 ? d.y : d.z);
  const int face = 2 * p.face_axis + (da < 0 ? 1 : 0);
  const auto low = [&](T w) { return max(0, int(w - margin)); };
  const auto high = [&](T w, int count) { return min(count - 1, int(w + margin)); };
  for (int iu = min(low(p.wu), n - 1); iu <= high(p.wu, n); ++iu) {
    for (int iv = min(low(p.wv), n - 1); iv <= high(p.wv, n); ++iv) {
      for (int is = min(low(p.ws), m - 1); is <= high(p.ws, m); ++is) {
        unsigned char& mark = marks[((face * n + iu) * n + iv) * m + is];
        if (mark == 0) mark = 1;
      }
    }
  }
}

}  // namespace curlew::ngim::device
