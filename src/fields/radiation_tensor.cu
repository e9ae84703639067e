// SPDX-License-Identifier: BSD-3-Clause
// All pairs for two to 16 right-hand sides on the tensor cores, in double precision: they multiply twice as
// fast as vector instructions and read fewer registers for it. Needs compute capability 9.0.
//
// A warp has 8 observers and 4 sources at a time, one pair per lane. Each entry of the pair's matrix K, real
// part above imaginary part, is then a 16 x 4 operand A of mma.m16n8k4 as the lanes hold it: row lane/4 (+
// 8), column lane%4. Columns of B (4 sources x 8):
//   quads: real and imaginary parts of four right-hand sides of a component of u + v, which K multiplies,
//          or of u - v, which K^T does: 18 products of matrices for 32 pairs and four right-hand sides;
//   pair:  two right-hand sides of u + v and of u - v side by side: K_ij goes with component j of the one and
//          with component i of the other, 9 products of matrices, their sums kept by i and j.
// Real and imaginary parts of the products are combined at the end: (re re - im im, re im + im re).
//
// Both kinds of instructions share one pipe, and each change from one to the other takes about four cycles: K
// is computed entry by entry between the products, which then need few registers, and as many columns as fit
// into registers share it.

#include "base/double_tensor.cuh"
#include "fields/radiation_rows.cuh"

namespace curlew::fields {
namespace {

constexpr int block_size = 128;
constexpr int observers_per_block = block_size / 4;
constexpr int tile = 16;

/// Offsets of the values of a source in its row, the position last. Rows are 4 or 12 longer than a multiple
/// of 16, so that the lanes of half a warp read from different banks.
template <int Quads, bool Pair>
struct Row {
  using Number = double;
  static constexpr int columns = 4 * Quads + (Pair ? 2 : 0);
  static constexpr int position = values_per_column * columns;
  static constexpr int size = (position + 3 + 3) / 8 * 8 + 4;
  __device__ static void put(double* row, int column, int component, double re, double im) {
    double* to = column < 4 * Quads ? row + 48 * (column / 4) + 8 * component + 2 * (column % 4)
                                    : row + 48 * Quads + 4 * component + 2 * (column - 4 * Quads);
    to[0] = re;
    to[1] = im;
  }
};

template <int Quads, bool Pair>
class Sums {
 public:
  /// @param row values of this lane's source @param column lane/4
  __device__ void add(Vec3<double> d, const green::PairFactors<double>& f, const double* row, int column) {
    const double* own = row + 48 * Quads + (column < 4 ? column : column + 8);  // u + v, or u - v
    const Values v{row + column, {own[0], own[4], own[8]}, column < 4};
    add_diagonal<0>(d.x, f, v);
    add_both<0, 1>(d.x, d.y, d.z, f, v);
    add_both<2, 0>(d.z, d.x, d.y, f, v);
    add_diagonal<1>(d.y, f, v);
    add_both<1, 2>(d.y, d.z, d.x, f, v);
    add_diagonal<2>(d.z, f, v);
  }

  /// @param to [columns, values, m], at the observer @param t lane%4
  __device__ void store(double* to, Offset m, int t) const {
    const auto put = [&](int column, int sign, int i, const double(&c)[4]) {
      double* at = to + (column * values_per_column + 6 * sign + 2 * i) * m;
      at[0] = c[0] - c[3];
      at[m] = c[1] + c[2];
    };
#pragma unroll
    for (int i = 0; i < 3; ++i) {
#pragma unroll
      for (int q = 0; q < Quads; ++q)
        for (int sign = 0; sign < 2; ++sign) put(4 * q + t, sign, i, quad_[q][sign][i]);
      if constexpr (Pair) {
        double c[4];
        for (int v = 0; v < 4; ++v)
          c[v] = t < 2 ? pair_[i][0][v] + pair_[i][1][v] + pair_[i][2][v]
                       : pair_[0][i][v] + pair_[1][i][v] + pair_[2][i][v];
        put(4 * Quads + t % 2, t / 2, i, c);
      }
    }
  }

 private:
  struct Values {
    const double* row;
    double pair[3];  // components of u + v in lanes that are `sum`, of u - v in the others
    bool sum;
  };

  /// K_ij with component j of u + v and with component i of u - v.
  template <int I, int J>
  __device__ void add_entry(green::Pair<double> k, const Values& v) {
#pragma unroll
    for (int q = 0; q < Quads; ++q) {
      cuda::multiply_by_tensor(quad_[q][0][I], k.re, k.im, v.row[48 * q + 8 * J]);
      cuda::multiply_by_tensor(quad_[q][1][J], k.re, k.im, v.row[48 * q + 8 * (3 + I)]);
    }
    if constexpr (Pair)
      cuda::multiply_by_tensor(pair_[I][J], k.re, k.im, I == J || v.sum ? v.pair[J] : v.pair[I]);
  }

  /// a + h d_i d_i
  template <int I>
  __device__ void add_diagonal(double d, const green::PairFactors<double>& f, const Values& v) {
    add_entry<I, I>({f.a.re + f.h.re * d * d, f.a.im + f.h.im * d * d}, v);
  }

  /// h d_i d_j + b d_k and its transpose h d_i d_j - b d_k, for (i, j, k) in cyclic order.
  template <int I, int J>
  __device__ void add_both(double di, double dj, double dk, const green::PairFactors<double>& f,
                           const Values& v) {
    const double re = f.h.re * di * dj, im = f.h.im * di * dj;
    add_entry<I, J>({re + f.b.re * dk, im + f.b.im * dk}, v);
    add_entry<J, I>({re - f.b.re * dk, im - f.b.im * dk}, v);
  }

  double quad_[Quads > 0 ? Quads : 1][2][3][4] = {};  // [quad][plus, minus][component]
  double pair_[Pair ? 3 : 1][3][4] = {};              // [i][j]
};

template <int Quads, bool Pair, int Blocks>
__global__ __launch_bounds__(block_size, Blocks) void all_pairs(RadiationJob job) {
  using Layout = Row<Quads, Pair>;
  extern __shared__ __align__(16) double shared[];
  const auto* phases = reinterpret_cast<const Phase<double>*>(shared);
  const int t = int(threadIdx.x) % 4, column = int(threadIdx.x) % 32 / 4;
  const Offset observer = (Offset(blockIdx.x) * block_size + threadIdx.x) / 32 * 8 + column;
  const Vec3<double> r = observer_of(job, observer);
  Sums<Quads, Pair> sums;
  for_each_tile<Layout, tile, block_size>(job, shared, [&](const double* rows, int num_rows) {
#pragma unroll 1
    for (int s = t; s - t < num_rows; s += 4) {
      const double* row = rows + s * Layout::size;
      const double* p = row + Layout::position;
      const Vec3<double> d{r.x - p[0], r.y - p[1], r.z - p[2]};
      sums.add(d, quick_pair_factors(d, phases), row, column);
    }
  });
  const Offset m = job.num_observers;
  if (observer < m)
    sums.store(job.partial + Offset(blockIdx.y) * Layout::columns * values_per_column * m + observer, m, t);
}

template <int Quads, bool Pair, int Blocks>
RadiationKernel kernel() {
  return launched_with<Row<Quads, Pair>, tile, block_size, Blocks, all_pairs<Quads, Pair, Blocks>>(
      observers_per_block);
}

}  // namespace

bool can_use_tensor_radiation() {
  return cuda::is_compiled_for(90, all_pairs<1, false, 4>);
}

RadiationKernel tensor_radiation(int columns) {
  if (columns <= 2) return kernel<0, true, 4>();
  if (columns <= 4) return kernel<1, false, 4>();
  if (columns <= 8) return kernel<2, false, 3>();
  if (columns <= 10) return kernel<2, true, 2>();
  if (columns <= 12) return kernel<3, false, 2>();
  return kernel<4, false, 2>();
}

}  // namespace curlew::fields
