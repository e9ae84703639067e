// SPDX-License-Identifier: BSD-3-Clause
// Products of the packed format on the CPU: vector registers over neighbouring lanes, with sums in registers
// over the steps of a slice.
#include <algorithm>
#include <concepts>
#include <cstring>
#include <utility>

#include "base/complex.hpp"
#include "base/threads.hpp"
#include "base/vector_width.hpp"
#include "linalg/sparse/packed.hpp"

namespace curlew::linalg {
namespace {

constexpr int sums_in_registers = vector_bytes == 64 ? 16 : (vector_bytes == 32 ? 12 : 8);

template <class R, int N>
struct VectorOf {
  typedef R type __attribute__((vector_size(N * sizeof(R))));
};
/// Adjacent complex numbers, as many as a vector register holds.
template <class R>
constexpr int width = vector_bytes / int(2 * sizeof(R));
template <class R>
using Vector = typename VectorOf<R, 2 * width<R>>::type;

template <class V>
V load(const void* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// The numbers at `place(i)` of v, i = 0, 1, ... Size of the result.
template <int Size, class V, class F>
auto shuffle(V v, F place) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(v, v, place.template operator()<I>()...);
  }
  (std::make_integer_sequence<int, Size>());
}

/// j z for every z: the halves change places, and the first changes its sign.
template <class R>
Vector<R> lanes_times_j(Vector<R> z) {
  constexpr int n = 2 * width<R>;
  const Vector<R> sign = [&]<int... I>(std::integer_sequence<int, I...>) {
    return Vector<R>{(I % 2 == 0 ? R(-1) : R(1))...};
  }
  (std::make_integer_sequence<int, n>());
  return sign * shuffle<n>(z, []<int I>() { return I ^ 1; });
}

/// sum += a x for neighbouring values, real ones or complex ones.
template <class R, std::floating_point V>
void add_products(Vector<R>& sum, const V* a, Vector<R> x, Vector<R>) {
  using Stored = typename VectorOf<V, width<R>>::type;
  using Wide = typename VectorOf<R, width<R>>::type;
  sum +=
      shuffle<2 * width<R>>(__builtin_convertvector(load<Stored>(a), Wide), []<int I>() { return I / 2; }) *
      x;
}
template <class R, class V>
void add_products(Vector<R>& sum, const complex<V>* a, Vector<R> x, Vector<R> jx) {
  using Stored = typename VectorOf<V, 2 * width<R>>::type;
  const Vector<R> v = __builtin_convertvector(load<Stored>(a), Vector<R>);
  sum += shuffle<2 * width<R>>(v, []<int I>() { return I & ~1; }) * x;
  sum += shuffle<2 * width<R>>(v, []<int I>() { return I | 1; }) * jx;
}

/// x at `column(0)`, `column(1)`, ...
template <class R, class F>
Vector<R> gather(const complex<R>* x, F column) {
  if constexpr (sizeof(R) == 4) {  // numbers of eight bytes move as one
    using Words = typename VectorOf<double, width<R>>::type;
    const Words words = [&]<int... I>(std::integer_sequence<int, I...>) {
      return Words{load<double>(x + column(I))...};
    }
    (std::make_integer_sequence<int, width<R>>());
    return load<Vector<R>>(&words);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return Vector<R>{(I % 2 == 0 ? x[column(I / 2)].re : x[column(I / 2)].im)...};
    }
    (std::make_integer_sequence<int, 2 * width<R>>());
  }
}

/// Sums of all lanes. @param x_of x_of(step, lane): x in the columns of the lanes from there
/// @param[out] sums [G, lanes]
template <int G, class R, class Value, class F>
void add_steps(const Value* values, Index steps, F x_of, complex<R>* sums) {
  constexpr int w = width<R>, lanes = packed_lanes(G);
  constexpr int chunk = std::clamp(G == 1 ? sums_in_registers / 2 : sums_in_registers / G, 1, lanes / w);
  constexpr int vectors = chunk >= 8 ? 8 : chunk >= 4 ? 4 : chunk >= 2 ? 2 : 1;
  for (Index lane = 0; lane < lanes; lane += vectors * w) {
    Vector<R> sum[G][vectors] = {};
    for (Index k = 0; k < steps; ++k) {
      const Value* v = values + Offset(lanes) * G * k + lane;
#pragma GCC unroll 8
      for (int c = 0; c < vectors; ++c) {
        const Vector<R> x = x_of(k, lane + c * w), jx = lanes_times_j<R>(x);
#pragma GCC unroll 6
        for (int i = 0; i < G; ++i) add_products<R>(sum[i][c], v + lanes * i + c * w, x, jx);
      }
    }
    for (int i = 0; i < G; ++i)
      std::memcpy(static_cast<void*>(sums + lanes * i + lane), sum[i], sizeof sum[i]);
  }
}

template <int G, class V, class R, class Value>
void add_columns(const Packed<V>& a, const PackedSlice& s, const Value* values, const complex<R>* x,
                 complex<R>* sums) {
  constexpr Index lanes = packed_lanes(G);
  if (s.columns == PackedColumns::narrow) {
    const std::uint16_t* codes = a.narrow_codes.data() + s.codes;
    const complex<R>* from = x + s.base_column;
    return add_steps<G, R>(
        values, s.steps,
        [=](Index k, Index lane) {
          return gather(from, [c = codes + Offset(lanes) * k + lane](int l) { return c[l]; });
        },
        sums);
  }
  const Index* codes = a.wide_codes.data() + s.codes;
  if (s.columns == PackedColumns::wide)
    return add_steps<G, R>(
        values, s.steps,
        [=](Index k, Index lane) {
          return gather(x, [c = codes + Offset(lanes) * k + lane](int l) { return c[l]; });
        },
        sums);
  const Index* rows = a.rows.data() + s.rows;  // no padding: shifted slices are full
  if (rows[lanes - 1] - rows[0] == lanes - 1)
    return add_steps<G, R>(
        values, s.steps,
        [=](Index k, Index lane) { return load<Vector<R>>(x + (codes[k] + rows[0] + lane)); }, sums);
  add_steps<G, R>(
      values, s.steps,
      [=](Index k, Index lane) { return gather(x + codes[k], [r = rows + lane](int l) { return r[l]; }); },
      sums);
}

template <int G, class V, class R>
void multiply_slice(const Packed<V>& a, const PackedSlice& s, const complex<R>* x, complex<R>* y) {
  constexpr Index lanes = packed_lanes(G);
  alignas(64) complex<R> sums[G * lanes];
  if (s.is_real)
    add_columns<G>(a, s, a.real_values.data() + s.values, x, sums);
  else
    add_columns<G>(a, s, reinterpret_cast<const complex<V>*>(a.complex_values.data()) + s.values, x, sums);
  for (Index place = 0; place < lanes / s.threads; ++place) {
    for (Index i = 0; i < G; ++i) {
      const Index row = a.rows[std::size_t(s.rows + place * G + i)];
      if (row < 0) continue;
      complex<R> sum;
      for (Index t = 0; t < s.threads; ++t) sum += sums[lanes * i + place * s.threads + t];
      y[row] = sum;
    }
  }
}

}  // namespace

template <class V, class T>
void multiply(const Packed<V>& a, const T* x_std, T* y_std) {
  using R = typename T::value_type;
  const auto* x = reinterpret_cast<const complex<R>*>(x_std);
  auto* y = reinterpret_cast<complex<R>*>(y_std);
  // Large groups come first: equal shares of slices would not be equal shares of work.
  const int share = int(a.slices.size() / (16 * std::size_t(num_threads())) + 1);
#pragma omp parallel for schedule(dynamic, share)
  for (std::size_t i = 0; i < a.slices.size(); ++i) {
    const PackedSlice& s = a.slices[i];
    switch (s.group) {
      case 1:
        multiply_slice<1>(a, s, x, y);
        break;
      case 2:
        multiply_slice<2>(a, s, x, y);
        break;
      case 3:
        multiply_slice<3>(a, s, x, y);
        break;
      case 4:
        multiply_slice<4>(a, s, x, y);
        break;
      default:
        multiply_slice<6>(a, s, x, y);
    }
  }
}

template void multiply(const Packed<double>&, const Complex*, Complex*);
template void multiply(const Packed<float>&, const ComplexF*, ComplexF*);
template void multiply(const Packed<float>&, const Complex*, Complex*);

}  // namespace curlew::linalg
