// SPDX-License-Identifier: BSD-3-Clause
// All pairs for five to ten right-hand sides on the tensor cores, in double precision, with three real
// products of matrices for a complex one: with sums a b, c d and (a + c)(b + d) of real parts a, b and
// imaginary parts c, d, the real part is ab - cd and the imaginary part the third less both. Needs compute
// capability 9.0.
//
// A warp takes 16 observers and 4 sources at a time, two pairs per lane. A part of an entry of K is a 16 x 4
// operand A of mma.m16n8k4 as the lanes hold it: rows lane/4 and lane/4 + 8, column lane%4. K_ij goes with
// component j of u + v and with component i of u - v. Columns of B (4 sources x 8):
//   eight: one part of eight right-hand sides: 54 products of matrices for 64 pairs;
//   two:   real and imaginary parts of two more, of u + v in four columns and of u - v in the others, summed
//          in place by two products, 18 for 64 pairs. The sums of u + v are those by i, the others by
// j: the lanes with the others rotate their three sums between the entries. Ten right-hand sides take 36
// products for 32 pairs, where four real ones for each (radiation_tensor.cu) take 45, and nine additions per
// pair; 168 registers of a lane hold the sums.

#include "base/double_tensor.cuh"
#include "fields/radiation_rows.cuh"

namespace curlew::fields {
namespace {

constexpr int block_size = 128;
constexpr int blocks = 2;  // of a multiprocessor
constexpr int warp_observers = 16;
constexpr int tile = 16;

/// Values of a source: real parts, imaginary parts and their sums of eight right-hand sides by component, and
/// of two more (re, im, re, im) and (-im, re, -im, re) of u + v and u - v adjacent; the position last.
template <bool Two>
struct Row {
  using Number = double;
  static constexpr int columns = 8 + (Two ? 2 : 0);
  static constexpr int two = 144;
  static constexpr int position = two + (Two ? 48 : 0);
  static constexpr int size = position + 4;
  __device__ static void put(double* row, int column, int component, double re, double im) {
    if (column < 8) {
      double* to = row + 8 * component + column;
      to[0] = re;
      to[48] = im;
      to[96] = re + im;
    } else {
      double* to = row + two + 8 * (component % 3) + 4 * (component / 3) + 2 * (column % 8);
      to[0] = re;
      to[1] = im;
      to[24] = -im;
      to[25] = re;
    }
  }
};

/// An entry of K for a lane's two pairs.
struct Entry {
  double re[2], im[2];
};

/// c += a b
__device__ __forceinline__ void multiply(double (&c)[4], const double (&a)[2], double b) {
  cuda::multiply_by_tensor(c, a[0], a[1], b);
}

template <bool Two>
class Sums {
 public:
  using Layout = Row<Two>;
  __device__ explicit Sums(int lane) : late_(lane % 4 >= 2), low_(lane / 4 < 4) {}

  /// @param row of this lane's source, at column lane/4
  __device__ void add(const Vec3<double> (&d)[2], const green::PairFactors<double> (&f)[2],
                      const double* row) {
    add_both<0, 1>(d, f, row);
    add_both<2, 0>(d, f, row);
    add_both<1, 2>(d, f, row);
  }

  __device__ void store(double* to, Offset m, Offset left, int t) const {
#pragma unroll
    for (int o = 0; o < 2; ++o) {
      if (8 * o >= left) return;
#pragma unroll
      for (int v = 0; v < 6; ++v) {
#pragma unroll
        for (int c = 0; c < 2; ++c) {
          const int at = 2 * o + c;
          double* p = to + 8 * o + Offset((2 * t + c) * values_per_column + 2 * v) * m;
          const double a = eight_[v][0][at], b = eight_[v][1][at];
          p[0] = a - b;
          p[m] = eight_[v][2][at] - a - b;
        }
      }
      if constexpr (Two) {
#pragma unroll
        for (int i = 0; i < 3; ++i) {
          const int component = t < 2 ? i : 3 + (3 - i) % 3;  // after the last rotation
          double* p =
              to + 8 * o + Offset((Layout::columns - 2 + t % 2) * values_per_column + 2 * component) * m;
          p[0] = two_[i][2 * o];
          p[m] = two_[i][2 * o + 1];
        }
      }
    }
  }

 private:
  template <int I, int J>
  __device__ void add_entry(const Entry& k, const double* row) {
    const double* own = row + Layout::two + (low_ ? 8 * J : 8 * I);
    if constexpr (Two) multiply(two_[I], k.re, own[0]);
    multiply(eight_[I][0], k.re, row[8 * J]);
    multiply(eight_[3 + J][0], k.re, row[8 * (3 + I)]);
    multiply(eight_[I][1], k.im, row[48 + 8 * J]);
    multiply(eight_[3 + J][1], k.im, row[48 + 8 * (3 + I)]);
    if constexpr (Two) multiply(two_[I], k.im, own[24]);
    const double sum[2] = {k.re[0] + k.im[0], k.re[1] + k.im[1]};
    multiply(eight_[I][2], sum, row[96 + 8 * J]);
    multiply(eight_[3 + J][2], sum, row[96 + 8 * (3 + I)]);
  }

  /// In the lanes of u - v the three sums are rotated by one: in these lanes entry K_ij is added to sum j.
  __device__ void turn() {
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      const double a = two_[0][v], b = two_[1][v], c = two_[2][v];
      two_[0][v] = late_ ? c : a;
      two_[1][v] = late_ ? a : b;
      two_[2][v] = late_ ? b : c;
    }
  }

  /// h d_i d_j + b d_k, its transpose h d_i d_j - b d_k, and a + h d_k d_k, for (i, j, k) in cyclic order.
  template <int I, int J>
  __device__ void add_both(const Vec3<double> (&d)[2], const green::PairFactors<double> (&f)[2],
                           const double* row) {
    constexpr int K = 3 - I - J;
    if constexpr (Two) turn();
    Entry k;
    double re[2], im[2];
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      re[p] = f[p].h.re * d[p][I] * d[p][J], im[p] = f[p].h.im * d[p][I] * d[p][J];
      k.re[p] = re[p] + f[p].b.re * d[p][K], k.im[p] = im[p] + f[p].b.im * d[p][K];
    }
    add_entry<I, J>(k, row);
#pragma unroll
    for (int p = 0; p < 2; ++p) k.re[p] = re[p] - f[p].b.re * d[p][K], k.im[p] = im[p] - f[p].b.im * d[p][K];
    add_entry<J, I>(k, row);
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      k.re[p] = f[p].a.re + f[p].h.re * d[p][K] * d[p][K];
      k.im[p] = f[p].a.im + f[p].h.im * d[p][K] * d[p][K];
    }
    add_entry<K, K>(k, row);
  }

  bool late_, low_;
  double eight_[6][3][4] = {};  // [plus, minus by component][product]
  double two_[Two ? 3 : 1][4] = {};
};

template <bool Two>
__global__ __launch_bounds__(block_size, blocks) void all_pairs(RadiationJob job) {
  using Layout = Row<Two>;
  extern __shared__ __align__(16) double shared[];
  const auto* phases = reinterpret_cast<const Phase<double>*>(shared);
  const int lane = int(threadIdx.x) % 32, t = lane % 4, column = lane / 4;
  const Offset observer = (Offset(blockIdx.x) * block_size + threadIdx.x) / 32 * warp_observers + column;
  const Vec3<double> r[2] = {observer_of(job, observer), observer_of(job, observer + 8)};
  Sums<Two> sums(lane);
  for_each_tile<Layout, tile, block_size>(job, shared, [&](const double* rows, int num_rows) {
#pragma unroll 1
    for (int s = t; s - t < num_rows; s += 4) {
      const double* row = rows + s * Layout::size;
      const double* p = row + Layout::position;
      Vec3<double> d[2];
      green::PairFactors<double> f[2];
#pragma unroll
      for (int o = 0; o < 2; ++o) {
        d[o] = {r[o].x - p[0], r[o].y - p[1], r[o].z - p[2]};
        f[o] = quick_pair_factors(d[o], phases);
      }
      sums.add(d, f, row + column);
    }
  });
  const Offset m = job.num_observers;
  if (observer < m)
    sums.store(job.partial + Offset(blockIdx.y) * Layout::columns * values_per_column * m + observer, m,
               m - observer, t);
}

template <bool Two>
RadiationKernel kernel() {
  return launched_with<Row<Two>, tile, block_size, blocks, all_pairs<Two>>(block_size / 2);
}

}  // namespace

RadiationKernel gauss_radiation(int columns) {
  return columns <= 8 ? kernel<false>() : kernel<true>();
}

}  // namespace curlew::fields
