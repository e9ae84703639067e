// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/device/level_matrices.cuh"

#include <algorithm>

#include "ngim/device_columns.hpp"

namespace curlew::ngim::device {
namespace {

/// Green matrices of all offsets of one level: one block per offset and column.
template <class T>
__global__ void translation_matrices(int rank, int rows, const Vec3<double>* skeleton, double side,
                                     green::Wavenumber<double> k, complex<T>* out) {
  const int o = blockIdx.x, j = blockIdx.y;
  const int dx = o % 7 - 3, dy = o / 7 % 7 - 3, dz = o / 49 - 3;
  if (dx * dx <= 1 && dy * dy <= 1 && dz * dz <= 1) return;
  const Vec3<double> from = skeleton[j];
  for (int i = threadIdx.x; i < rank; i += blockDim.x) {
    const Vec3<double> to = skeleton[i];
    const double x = to.x - from.x - dx, y = to.y - from.y - dy, z = to.z - from.z - dz;
    const double r = side * ::sqrt(x * x + y * y + z * z);
    const complex<double> g = exp(complex<double>(-k.loss * r, -k.re * r)) / r;
    out[(Offset(o) * rank + j) * rows + i] = {T(g.re), T(g.im)};
  }
}

template <class T>
cuda::Buffer<complex<T>> make_translations(const Scheme& scheme, int level, int rows) {
  const CartesianGrid& grid = scheme.grids[level];
  const int rank = grid.rank();
  cuda::Buffer<complex<T>> out(std::size_t(num_offsets) * rank * rows);
  CURLEW_CUDA_CALL(cudaMemset(out.data(), 0, out.bytes()));
  const cuda::Buffer<Vec3<double>> skeleton(grid.skeleton);
  translation_matrices<T><<<dim3(num_offsets, rank), 64>>>(
      rank, rows, skeleton.data(), scheme.box_side(level), {scheme.k.real(), -scheme.k.imag()}, out.data());
  CURLEW_CHECK_LAUNCH("translation_matrices");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // the skeleton is freed here
  return out;
}

/// Rows of a level in tiles of 8 R.
Offset padded_rows(int rank, int tile) {
  return Offset(rank + 8 * tile - 1) / (8 * tile) * (8 * tile);
}

/// The R of 3 ... 8 with the smallest cost(R); for equal ones the largest.
template <class Cost>
int best_tile(Cost&& cost) {
  int best = 8;
  for (int r = 7; r >= 3; --r)
    if (cost(r) < cost(best)) best = r;
  return best;
}

/// The tile with the least padding, weighted by each level's rank and number of boxes: the few boxes of the
/// coarsest level, whose rank is the largest, must not slow down all others.
template <class T>
void choose_tiles(GridMatrices<T>& m, const Scheme& scheme, int most_rank) {
  const int first = std::max(scheme.first_grid_level, 2);
  m.row_tile = best_tile([&](int r) {
    Offset work = 0;
    for (int l = first; l < scheme.num_levels(); ++l)
      work += Offset(scheme.tree.level_begin[l + 1] - scheme.tree.level_begin[l]) *
              padded_rows(scheme.grids[l].rank(), r);
    return work;
  });
  const int widest = best_tile([&](int r) { return padded_rows(most_rank, r); });
  m.rows = int(std::max(Offset(8) * widest, padded_rows(most_rank, widest)));
}

}  // namespace

template <class T>
std::size_t GridMatrices<T>::bytes() const {
  std::size_t total = skeleton.bytes();
  for (const auto& m : matrices) total += m.bytes();
  return total;
}

template <class T>
GridMatrices<T> upload_matrices(const Scheme& scheme) {
  GridMatrices<T> m;
  int rank = 0;
  const int first = std::max(scheme.first_grid_level, 2), end = scheme.num_levels();
  for (int l = first; l < end; ++l) {
    rank = std::max(rank, scheme.grids[l].rank());
    m.most_order = std::max(m.most_order, scheme.grids[l].order);
  }
  choose_tiles(m, scheme, rank);
  require_device_memory(
      std::size_t(std::max(end - first, 0)) * num_offsets * rank * m.rows * sizeof(complex<T>),
      "NGIM: the translation matrices");
  std::vector<T> skeleton(std::size_t(end) * 3 * m.rows);
  std::vector<LevelMatrices<T>> levels(end, LevelMatrices<T>{});
  const auto keep = [&](cuda::Buffer<complex<T>> values) {
    m.matrices.push_back(std::move(values));
    return m.matrices.back().data();
  };
  for (int l = first; l < end; ++l) {
    const CartesianGrid& grid = scheme.grids[l];
    const int r = grid.rank(), q3 = grid.order * grid.order * grid.order;
    for (int i = 0; i < r; ++i) {
      for (int d = 0; d < 3; ++d)
        skeleton[(std::size_t(l) * 3 + d) * m.rows + i] = T(scheme.box_side(l) * grid.skeleton[i][d]);
    }
    const std::vector<Complex>& p = grid.basis_to_skeleton;
    LevelMatrices<T>& level = levels[l];
    level.order = grid.order, level.rank = r;
    level.to_skeleton = keep(cuda::Buffer<complex<T>>(device_columns<T>(p, r, q3, m.rows, false)));
    level.to_field = keep(cuda::Buffer<complex<T>>(device_columns<T>(p, r, q3, q3, true)));
    level.translate = keep(make_translations<T>(scheme, l, m.rows));
    if (l == first) continue;
    const int rp = level.parent_rank = scheme.grids[l - 1].rank();
    std::vector<complex<T>> up, down;
    for (int o = 0; o < 8; ++o) {
      const auto& v = scheme.to_parent[l][o];
      const auto a = device_columns<T>(v, rp, r, m.rows, false),
                 b = device_columns<T>(v, rp, r, m.rows, true);
      up.insert(up.end(), a.begin(), a.end()), down.insert(down.end(), b.begin(), b.end());
    }
    level.to_parent = keep(cuda::Buffer<complex<T>>(up)),
    level.from_parent = keep(cuda::Buffer<complex<T>>(down));
  }
  m.levels = cuda::Buffer<LevelMatrices<T>>(levels), m.skeleton = cuda::Buffer<T>(skeleton);
  return m;
}

template struct GridMatrices<float>;
template struct GridMatrices<double>;
template GridMatrices<float> upload_matrices(const Scheme&);
template GridMatrices<double> upload_matrices(const Scheme&);

}  // namespace curlew::ngim::device
