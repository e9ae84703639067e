// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "base/cuda.hpp"
#include "base/error.hpp"
#include "ngim/device_pairs.cuh"
#include "ngim/device_solver.hpp"

namespace curlew::ngim {
namespace device {
namespace {

constexpr int near_block = 128;   // four warps share the targets of a leaf and divide its sources
constexpr int group_boxes = 128;  // targets of one octant per block of the translation
constexpr int translate_block = 256;
constexpr int depth = 32;                // columns of a translation matrix in shared memory at a time
constexpr int num_octant_offsets = 216;  // children of the parent's 27 colleagues

/// A box as the kernels see it.
struct DeviceBox {
  double x, y, z;
  Offset source_begin, target_begin;
  int num_sources, num_targets;
  Index parent, grid;  ///< grid: place of its skeleton values, or -1 above the grids
  int level, octant, is_leaf;
};

template <class T>
struct View {
  const DeviceBox* boxes;
  const Index* leaves;
  const Source<T>* sources;  ///< positions relative to the leaf and charge.re
  const T* charge_im;
  const T *tx, *ty, *tz;
  const Offset* near_offsets;
  const Index* near;
  const Offset* from_offsets;
  const Index* from;
  const Offset* to_offsets;
  const Index* to;
  complex<T>*outgoing, *incoming;  ///< [grid][rows]
  const T* skeleton;               ///< [level][3][rows], units of the unit cube
  int rows;                        ///< padded rank, the same for all levels
  T* fields;                       ///< [8 or 2][target]
  Offset num_targets;
};

template <class T>
__global__ void sort_charges(Offset n, const Offset* order, const complex<T>* charges, Source<T>* sources,
                             T* charge_im) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const complex<T> q = charges[order[i]];
  sources[i].re = q.re;
  charge_im[i] = q.im;
}

template <class T>
__global__ void unsort_fields(Offset m, const Offset* order, const T* fields, complex<T>* potential,
                              complex<T>* gradient) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= m) return;
  potential[order[i]] = {fields[i], fields[m + i]};
  for (int d = 0; d < 3 && gradient != nullptr; ++d)
    gradient[d * m + order[i]] = {fields[(2 + 2 * d) * m + i], fields[(3 + 2 * d) * m + i]};
}

/// Thirty-two sources of one warp, relative to the centre of the targets' leaf.
template <class T>
struct WarpTile {
  Source<T> source[32];
  T im[32];
};

template <Wave W, bool gradient, int P, bool masked, class T>
__device__ __forceinline__ void sum_tile(const WarpTile<T>& tile, int count, const T (&x)[P], const T (&y)[P],
                                         const T (&z)[P], const Kernel<T>& kernel, Sum<T> (&sum)[P]) {
#pragma unroll 4
  for (int s = 0; s < count; ++s) {
    const Source<T> source = tile.source[s];
    const T im = tile.im[s];
#pragma unroll
    for (int p = 0; p < P; ++p)
      add_pair<W, gradient, T, masked>(sum[p], x[p], y[p], z[p], source, im, kernel);
  }
}

/// Sums the boxes warp, warp + 4, ... of a leaf's list at P targets per lane. A lane brings one source into
/// shared memory; then all lanes read the same one, so a load serves 32 P pairs. Measured on an H200: 1.2
/// times the rate of reading the sources from global memory.
template <Wave W, bool gradient, int P, class T>
__device__ __forceinline__ void sum_leaf(const View<T>& view, const DeviceBox& box, Index self,
                                         const Index* list, int count, int chunk, const Kernel<T>& kernel,
                                         Sum<T> (&sum)[P]) {
  __shared__ WarpTile<T> tiles[near_block / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  WarpTile<T>& tile = tiles[warp];
  T x[P], y[P], z[P];
  for (int p = 0; p < P; ++p) {
    const int t = min(chunk + lane + 32 * p, box.num_targets - 1);
    x[p] = view.tx[box.target_begin + t], y[p] = view.ty[box.target_begin + t],
    z[p] = view.tz[box.target_begin + t];
  }
  for (int l = warp; l < count; l += near_block / 32) {
    const DeviceBox& from = view.boxes[list[l]];
    const T shift_x = T(from.x - box.x), shift_y = T(from.y - box.y), shift_z = T(from.z - box.z);
    const bool is_self = list[l] == self;
    for (int first = 0; first < from.num_sources; first += 32) {
      const int here = min(32, from.num_sources - first);
      __syncwarp();
      if (lane < here) {
        Source<T> s = view.sources[from.source_begin + first + lane];
        s.x += shift_x, s.y += shift_y, s.z += shift_z;
        tile.source[lane] = s;
        tile.im[lane] = view.charge_im[from.source_begin + first + lane];
      }
      __syncwarp();
      if (is_self)
        sum_tile<W, gradient, P, true, T>(tile, here, x, y, z, kernel, sum);
      else
        sum_tile<W, gradient, P, false, T>(tile, here, x, y, z, kernel, sum);
    }
  }
}

/// Adds the warps' sums in shared memory and stores them.
template <bool gradient, int P, class T>
__device__ __forceinline__ void store_sums(const View<T>& view, const DeviceBox& box, int chunk,
                                           Sum<T> (&sum)[P]) {
  constexpr int parts = gradient ? 8 : 2;
  __shared__ T shared[near_block / 32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int p = 0; p < P; ++p) {
    for (int v = 0; v < parts; ++v) {
      __syncthreads();
      shared[warp][lane] = sum[p].v[v];
      __syncthreads();
      const int t = chunk + lane + 32 * p;
      if (warp == 0 && t < box.num_targets) {
        T total = 0;
        for (int w = 0; w < near_block / 32; ++w) total += shared[w][lane];
        view.fields[v * view.num_targets + box.target_begin + t] = total;
      }
    }
  }
}

/// Stage 0. One block per leaf; lanes are targets (one or two each), warps divide the boxes of its list. A
/// pair in single precision at short phases takes 17 instructions, one of them of the special-function unit.
template <Wave W, bool gradient, class T>
__global__ __launch_bounds__(near_block) void near_field(View<T> view, Kernel<T> kernel) {
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  const Offset begin = view.near_offsets[blockIdx.x];
  const int count = int(view.near_offsets[blockIdx.x + 1] - begin);
  for (int chunk = 0; chunk < box.num_targets; chunk += 64) {
    if (box.num_targets - chunk > 32) {
      Sum<T> sum[2];
      sum_leaf<W, gradient, 2, T>(view, box, view.leaves[blockIdx.x], view.near + begin, count, chunk, kernel,
                                  sum);
      store_sums<gradient, 2, T>(view, box, chunk, sum);
    } else {
      Sum<T> sum[1];
      sum_leaf<W, gradient, 1, T>(view, box, view.leaves[blockIdx.x], view.near + begin, count, chunk, kernel,
                                  sum);
      store_sums<gradient, 1, T>(view, box, chunk, sum);
    }
  }
}

template <class T>
__device__ void chebyshev_values(T x, int q, T* value, int stride) {
  const T u = 2 * x;
  T a = 1, b = u;
  for (int m = 0; m < q; ++m) {
    value[m * stride] = a;
    const T next = 2 * u * b - a;
    a = b, b = next;
  }
}

/// Matrices of one level, complex, columns contiguous with `rows` (or q^3) entries.
template <class T>
struct LevelMatrices {
  int order;
  const complex<T>* to_skeleton;  ///< [q^3][rows]
  const complex<T>* to_field;     ///< [rows][q^3]
  const complex<T>* to_parent;    ///< [octant][child rank][rows of the parent]
  const complex<T>* from_parent;  ///< [octant][parent rank][rows]
  const complex<T>* translate;    ///< [offset][rank][rows]
  int rank, parent_rank;
};

/// Stage 1. One block per leaf: charges to Chebyshev sums (a thread per basis function), then to the
/// skeleton.
template <class T>
__global__ void charges_to_grids(View<T> view, const LevelMatrices<T>* levels) {
  extern __shared__ unsigned char memory[];
  const Index b = view.leaves[blockIdx.x];
  const DeviceBox box = view.boxes[b];
  if (box.grid < 0 || box.num_sources == 0) return;
  const LevelMatrices<T> level = levels[box.level];
  const int q = level.order, n = q * q * q;
  complex<T>* moments = reinterpret_cast<complex<T>*>(memory);
  T* basis = reinterpret_cast<T*>(moments + n);  // [3][q][32]
  complex<T>* charges = reinterpret_cast<complex<T>*>(basis + 96 * q);
  for (int j = threadIdx.x; j < n; j += blockDim.x) moments[j] = {};
  const T scale = T(double(1u << box.level));
  for (int chunk = 0; chunk < box.num_sources; chunk += 32) {
    const int count = min(32, box.num_sources - chunk);
    __syncthreads();
    if (int(threadIdx.x) < 32) {
      Source<T> s{0, 0, 0, 0};
      T im = 0;
      if (int(threadIdx.x) < count)
        s = view.sources[box.source_begin + chunk + threadIdx.x],
        im = view.charge_im[box.source_begin + chunk + threadIdx.x];
      chebyshev_values(s.x * scale, q, basis + threadIdx.x, 32);
      chebyshev_values(s.y * scale, q, basis + 32 * q + threadIdx.x, 32);
      chebyshev_values(s.z * scale, q, basis + 64 * q + threadIdx.x, 32);
      charges[threadIdx.x] = {s.re, im};
    }
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
      const T *bx = basis + 32 * (j / (q * q)), *by = basis + 32 * (q + j / q % q),
              *bz = basis + 32 * (2 * q + j % q);
      complex<T> sum = moments[j];
      for (int i = 0; i < count; ++i) sum += (bx[i] * by[i] * bz[i]) * charges[i];
      moments[j] = sum;
    }
  }
  __syncthreads();
  for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
    complex<T> sum{};
    for (int j = 0; j < n; ++j) sum += level.to_skeleton[Offset(j) * view.rows + r] * moments[j];
    view.outgoing[Offset(box.grid) * view.rows + r] = sum;
  }
}

/// Stage 2. One block per box with children.
template <class T>
__global__ void grids_to_parents(View<T> view, const Index* parents, const Index* children,
                                 const LevelMatrices<T>* levels) {
  extern __shared__ unsigned char memory[];
  complex<T>* child_values = reinterpret_cast<complex<T>*>(memory);
  const Index b = parents[blockIdx.x];
  const DeviceBox box = view.boxes[b];
  const LevelMatrices<T> below = levels[box.level + 1];
  for (int octant = 0; octant < 8; ++octant) {
    const Index child = children[Offset(b) * 8 + octant];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    __syncthreads();
    for (int i = threadIdx.x; i < below.rank; i += blockDim.x)
      child_values[i] = view.outgoing[Offset(view.boxes[child].grid) * view.rows + i];
    __syncthreads();
    const complex<T>* matrix = below.to_parent + Offset(octant) * below.rank * view.rows;
    for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
      complex<T> sum = view.outgoing[Offset(box.grid) * view.rows + r];
      for (int i = 0; i < below.rank; ++i) sum += matrix[Offset(i) * view.rows + r] * child_values[i];
      view.outgoing[Offset(box.grid) * view.rows + r] = sum;
    }
  }
}

/// A run of boxes of one level and octant: they share the offsets of their interaction lists.
struct Group {
  Index first;  ///< in `members`
  int count, level, octant;
};

/// Stage 3, first part. One block per group of 128 targets and tile of 8 R rows: for every offset a tile of
/// the matrix and the sources' values meet in shared memory; each thread holds R rows of 4 targets in
/// registers.
template <int R, class T>
__global__ __launch_bounds__(translate_block) void translate(View<T> view, const Group* groups,
                                                             const Index* members, const Index* colleagues,
                                                             const Index* children,
                                                             const LevelMatrices<T>* levels) {
  constexpr int rows_here = 8 * R, columns = sizeof(T) == 4 ? 4 : 2, width = 32 * columns;
  extern __shared__ unsigned char memory[];
  complex<T>* matrix = reinterpret_cast<complex<T>*>(memory);  // [depth][rows_here]
  complex<T>* values = matrix + depth * rows_here;             // [depth][width]
  __shared__ Index source_grid[group_boxes];
  const Group group = groups[blockIdx.x];
  const LevelMatrices<T> level = levels[group.level];
  const int lane = threadIdx.x % 32, strip = threadIdx.x / 32, row0 = blockIdx.y * rows_here;
  for (int part = 0; part < group.count; part += width) {
    complex<T> sum[R][columns];
    for (int o = 0; o < num_octant_offsets; ++o) {
      const int uncle = o / 8, octant = o % 8;
      const int dx = 2 * (uncle % 3 - 1) + (octant & 1) - (group.octant & 1),
                dy = 2 * (uncle / 3 % 3 - 1) + (octant >> 1 & 1) - (group.octant >> 1 & 1),
                dz = 2 * (uncle / 9 - 1) + (octant >> 2) - (group.octant >> 2);
      if (dx * dx <= 1 && dy * dy <= 1 && dz * dz <= 1) continue;
      const complex<T>* offset_matrix =
          level.translate + Offset((dx + 3) + 7 * (dy + 3) + 49 * (dz + 3)) * level.rank * view.rows;
      int mine = 0;
      if (int(threadIdx.x) < width) {
        Index grid = no_box;
        if (part + int(threadIdx.x) < group.count) {
          const Index target = members[group.first + part + threadIdx.x];
          const Index box = colleagues[Offset(view.boxes[target].parent) * 27 + uncle];
          const Index source = box == no_box ? no_box : children[Offset(box) * 8 + octant];
          if (source != no_box && view.boxes[source].num_sources > 0) grid = view.boxes[source].grid;
        }
        source_grid[threadIdx.x] = grid;
        mine = grid != no_box;
      }
      if (__syncthreads_or(mine) == 0) continue;
      for (int k0 = 0; k0 < level.rank; k0 += depth) {
        const int steps = min(depth, level.rank - k0);
        for (int i = threadIdx.x; i < steps * rows_here; i += translate_block) {
          matrix[i] = offset_matrix[Offset(k0 + i / rows_here) * view.rows + row0 + i % rows_here];
        }
        for (int i = threadIdx.x; i < width * depth; i += translate_block) {
          const int k = i % depth, column = i / depth;
          const Index grid = source_grid[column];
          values[k * width + (column ^ k % 32)] =
              grid != no_box && k < steps ? view.outgoing[Offset(grid) * view.rows + k0 + k] : complex<T>{};
        }
        __syncthreads();
        for (int k = 0; k < steps; ++k) {
          complex<T> v[columns];
          for (int c = 0; c < columns; ++c) v[c] = values[k * width + ((lane + 32 * c) ^ k % 32)];
          for (int r = 0; r < R; ++r) {
            const complex<T> m = matrix[k * rows_here + strip * R + r];
            for (int c = 0; c < columns; ++c) sum[r][c] += m * v[c];
          }
        }
        __syncthreads();
      }
    }
    for (int c = 0; c < columns; ++c) {
      if (part + lane + 32 * c >= group.count) continue;
      const Index grid = view.boxes[members[group.first + part + lane + 32 * c]].grid;
      for (int r = 0; r < R; ++r) view.incoming[Offset(grid) * view.rows + row0 + strip * R + r] += sum[r][c];
    }
  }
}

/// Stage 3, second part. One block per box of the level.
template <class T>
__global__ void grids_from_parents(View<T> view, Index first_box, const LevelMatrices<T>* levels) {
  extern __shared__ unsigned char memory[];
  complex<T>* parent_values = reinterpret_cast<complex<T>*>(memory);
  const DeviceBox box = view.boxes[first_box + blockIdx.x];
  if (box.num_targets == 0) return;
  const LevelMatrices<T> level = levels[box.level];
  const Index parent = view.boxes[box.parent].grid;
  for (int i = threadIdx.x; i < level.parent_rank; i += blockDim.x)
    parent_values[i] = view.incoming[Offset(parent) * view.rows + i];
  __syncthreads();
  const complex<T>* matrix = level.from_parent + Offset(box.octant) * level.parent_rank * view.rows;
  for (int r = threadIdx.x; r < view.rows; r += blockDim.x) {
    complex<T> sum = view.incoming[Offset(box.grid) * view.rows + r];
    for (int i = 0; i < level.parent_rank; ++i) sum += matrix[Offset(i) * view.rows + r] * parent_values[i];
    view.incoming[Offset(box.grid) * view.rows + r] = sum;
  }
}

/// Stage 4. One block per leaf: Chebyshev coefficients of its field, then a thread per target.
template <bool gradient, class T>
__global__ void grids_to_points(View<T> view, const LevelMatrices<T>* levels) {
  extern __shared__ unsigned char memory[];
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  if (box.grid < 0 || box.num_targets == 0) return;
  const LevelMatrices<T> level = levels[box.level];
  const int q = level.order, n = q * q * q;
  complex<T>* field = reinterpret_cast<complex<T>*>(memory);
  complex<T>* incoming = field + n;
  for (int r = threadIdx.x; r < level.rank; r += blockDim.x)
    incoming[r] = view.incoming[Offset(box.grid) * view.rows + r];
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    complex<T> sum{};
    for (int r = 0; r < level.rank; ++r) sum += level.to_field[Offset(r) * n + j] * incoming[r];
    field[j] = sum;
  }
  __syncthreads();
  const T scale = T(double(1u << box.level));
  for (int t = threadIdx.x; t < box.num_targets; t += blockDim.x) {
    const Offset i = box.target_begin + t;
    const T ux = 2 * scale * view.tx[i], uy = 2 * scale * view.ty[i], uz = 2 * scale * view.tz[i];
    complex<T> u{}, gx{}, gy{}, gz{};
    T ax = 1, bx = ux, dax = 0, dbx = 2;  // T_m, T_m+1 and their slopes, by recurrence
    for (int a = 0; a < q; ++a) {
      T ay = 1, by = uy, day = 0, dby = 2;
      for (int b = 0; b < q; ++b) {
        T az = 1, bz = uz, daz = 0, dbz = 2;
        complex<T> line{}, line_z{};
        for (int c = 0; c < q; ++c) {
          const complex<T> f = field[(a * q + b) * q + c];
          line += az * f;
          if constexpr (gradient) {
            line_z += daz * f;
            const T slope = 2 * uz * dbz - daz + 4 * bz;
            daz = dbz, dbz = slope;
          }
          const T next = 2 * uz * bz - az;
          az = bz, bz = next;
        }
        u += (ax * ay) * line;
        if constexpr (gradient) {
          gx += (dax * ay * scale) * line, gy += (ax * day * scale) * line, gz += (ax * ay * scale) * line_z;
          const T slope = 2 * uy * dby - day + 4 * by;
          day = dby, dby = slope;
        }
        const T next = 2 * uy * by - ay;
        ay = by, by = next;
      }
      if constexpr (gradient) {
        const T slope = 2 * ux * dbx - dax + 4 * bx;
        dax = dbx, dbx = slope;
      }
      const T next = 2 * ux * bx - ax;
      ax = bx, bx = next;
    }
    const complex<T> parts[4] = {u, gx, gy, gz};
    for (int p = 0; p < (gradient ? 4 : 1); ++p) {
      view.fields[(2 * p) * view.num_targets + i] += parts[p].re;
      view.fields[(2 * p + 1) * view.num_targets + i] += parts[p].im;
    }
  }
}

/// Smaller boxes beside a leaf: their skeletons straight to its targets. One block per leaf.
template <Wave W, bool gradient, class T>
__global__ void skeletons_to_points(View<T> view, const LevelMatrices<T>* levels, Kernel<T> kernel) {
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  const Offset begin = view.from_offsets[blockIdx.x], end = view.from_offsets[blockIdx.x + 1];
  if (begin == end) return;
  for (int t = threadIdx.x; t < box.num_targets; t += blockDim.x) {
    const Offset i = box.target_begin + t;
    Sum<T> sum;
    for (Offset l = begin; l < end; ++l) {
      const DeviceBox& from = view.boxes[view.from[l]];
      const T* p = view.skeleton + Offset(from.level) * 3 * view.rows;
      const T x = view.tx[i] + T(box.x - from.x), y = view.ty[i] + T(box.y - from.y),
              z = view.tz[i] + T(box.z - from.z);
      for (int r = 0; r < levels[from.level].rank; ++r) {
        const complex<T> q = view.outgoing[Offset(from.grid) * view.rows + r];
        add_pair<W, gradient, T>(sum, x, y, z, Source<T>{p[r], p[view.rows + r], p[2 * view.rows + r], q.re},
                                 q.im, kernel);
      }
    }
    for (int v = 0; v < (gradient ? 8 : 2); ++v) view.fields[v * view.num_targets + i] += sum.v[v];
  }
}

/// Larger leaves beside a box: their sources straight to its skeleton. One block per box of the list.
template <Wave W, class T>
__global__ void points_to_skeletons(View<T> view, const Index* targets, const LevelMatrices<T>* levels,
                                    Kernel<T> kernel) {
  const Index b = targets[blockIdx.x];
  const DeviceBox box = view.boxes[b];
  const T* p = view.skeleton + Offset(box.level) * 3 * view.rows;
  for (int r = threadIdx.x; r < levels[box.level].rank; r += blockDim.x) {
    Sum<T> sum;
    for (Offset l = view.to_offsets[b]; l < view.to_offsets[b + 1]; ++l) {
      const DeviceBox& from = view.boxes[view.to[l]];
      const T x = p[r] + T(box.x - from.x), y = p[view.rows + r] + T(box.y - from.y),
              z = p[2 * view.rows + r] + T(box.z - from.z);
      for (int s = 0; s < from.num_sources; ++s) {
        add_pair<W, false, T>(sum, x, y, z, view.sources[from.source_begin + s],
                              view.charge_im[from.source_begin + s], kernel);
      }
    }
    view.incoming[Offset(box.grid) * view.rows + r] += complex<T>(sum.v[0], sum.v[1]);
  }
}

/// All pairs of n points: what the near field is measured against. Four targets per thread, sources in tiles.
template <Wave W, class T>
__global__ __launch_bounds__(2 * near_block) void all_pairs(int n, const Source<T>* __restrict__ sources,
                                                            const T* __restrict__ im, Kernel<T> kernel,
                                                            complex<T>* u) {
  constexpr int P = 4, B = 2 * near_block;
  __shared__ Source<T> tile[B];
  __shared__ T tile_im[B];
  const int t = blockIdx.x * P * B + threadIdx.x;
  T x[P], y[P], z[P];
  Sum<T> sum[P];
  for (int p = 0; p < P; ++p) {
    const Source<T> at = sources[min(t + p * B, n - 1)];
    x[p] = at.x, y[p] = at.y, z[p] = at.z;
  }
  for (int first = 0; first < n; first += B) {
    const int here = min(B, n - first);
    __syncthreads();
    if (int(threadIdx.x) < here)
      tile[threadIdx.x] = sources[first + threadIdx.x], tile_im[threadIdx.x] = im[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int s = 0; s < here; ++s) {
      const Source<T> source = tile[s];
      const T source_im = tile_im[s];
#pragma unroll
      for (int p = 0; p < P; ++p) add_pair<W, false, T>(sum[p], x[p], y[p], z[p], source, source_im, kernel);
    }
  }
  for (int p = 0; p < P; ++p) {
    if (t + p * B < n) u[t + p * B] = {sum[p].v[0], sum[p].v[1]};
  }
}

}  // namespace
}  // namespace device

using namespace device;  // NOLINT: this file is the kernels' only user

template <class T>
struct DeviceSolver<T>::State {
  cuda::Buffer<DeviceBox> boxes;
  cuda::Buffer<Index> leaves, near, from, to, colleagues, children, members, parents, to_targets;
  cuda::Buffer<Offset> near_offsets, from_offsets, to_offsets, source_order, target_order;
  cuda::Buffer<Group> groups;
  cuda::Buffer<Source<T>> sources;
  cuda::Buffer<T> charge_im, tx, ty, tz, skeleton, fields;
  cuda::Buffer<complex<T>> outgoing, incoming;
  std::vector<cuda::Buffer<complex<T>>> matrices;
  cuda::Buffer<LevelMatrices<T>> levels;
  std::vector<Index> level_begin, parent_begin;  ///< boxes of a level; boxes with children among `parents`
  int first_grid_level = 2, num_levels = 1, rows = 0, row_tile = 1, most_nodes = 0, most_order = 0;
  Offset n = 0, m = 0, num_leaves = 0, num_groups = 0, num_to_targets = 0, num_from = 0, near_pairs = 0;
  double side = 1;
  Wave near_wave = Wave::still, far_wave = Wave::still;
  Kernel<T> kernel;
  std::size_t bytes = 0;

  View<T> view() {
    return {boxes.data(),
            leaves.data(),
            sources.data(),
            charge_im.data(),
            tx.data(),
            ty.data(),
            tz.data(),
            near_offsets.data(),
            near.data(),
            from_offsets.data(),
            from.data(),
            to_offsets.data(),
            to.data(),
            outgoing.data(),
            incoming.data(),
            skeleton.data(),
            rows,
            fields.data(),
            m};
  }
};

namespace {

/// Row-major complex values to device columns: out[j * stride + i] = value(i, j).
template <class T, class F>
std::vector<complex<T>> columns(int rows, int cols, int stride, F&& value) {
  std::vector<complex<T>> out(std::size_t(stride) * cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      const Complex v = value(i, j);
      out[std::size_t(j) * stride + i] = {T(v.real()), T(v.imag())};
    }
  }
  return out;
}

template <class T>
std::vector<complex<T>> translation_matrices(const Scheme& scheme, int level, int rows) {
  const CartesianGrid& grid = scheme.grids[level];
  const double side = scheme.box_side(level);
  const int rank = grid.rank();
  std::vector<complex<T>> out(std::size_t(num_offsets) * rank * rows);
#pragma omp parallel for schedule(dynamic, 4)
  for (int o = 0; o < num_offsets; ++o) {
    const int dx = o % 7 - 3, dy = o / 7 % 7 - 3, dz = o / 49 - 3;
    if (dx * dx <= 1 && dy * dy <= 1 && dz * dz <= 1) continue;
    const Vec3<double> shift{double(dx), double(dy), double(dz)};
    for (int j = 0; j < rank; ++j) {
      for (int i = 0; i < rank; ++i) {
        const double r = side * norm(grid.skeleton[i] - grid.skeleton[j] - shift);
        const Complex g = std::exp(Complex(0, -1) * scheme.k * r) / r;
        out[(std::size_t(o) * rank + j) * rows + i] = {T(g.real()), T(g.imag())};
      }
    }
  }
  return out;
}

/// How to evaluate waves without loss whose phases stay below `most` radians.
template <class T>
Wave wave_of(double most) {
  if (sizeof(T) == 8 || most > series_limit) return Wave::full;
  return most > short_series_limit ? Wave::series : Wave::short_series;
}

template <class F>
void dispatch(Wave wave, F&& f) {
  if (wave == Wave::still) f(std::integral_constant<Wave, Wave::still>());
  if (wave == Wave::short_series) f(std::integral_constant<Wave, Wave::short_series>());
  if (wave == Wave::series) f(std::integral_constant<Wave, Wave::series>());
  if (wave == Wave::full) f(std::integral_constant<Wave, Wave::full>());
  if (wave == Wave::lossy) f(std::integral_constant<Wave, Wave::lossy>());
}

}  // namespace

template <class T>
DeviceSolver<T>::DeviceSolver(const Scheme& scheme) : state_(std::make_unique<State>()) {
  State& s = *state_;
  const Tree& tree = scheme.tree;
  if (scheme.first_grid_level > 2 && scheme.num_levels() > 2) {
    throw InputError(
        "NGIM on the GPU: boxes wider than about two wavelengths need the cones, which run on the CPU only "
        "(use --device cpu)");
  }
  s.first_grid_level = scheme.first_grid_level, s.num_levels = scheme.num_levels();
  s.n = Offset(tree.sources.x.size()), s.m = Offset(tree.target_points().x.size()), s.side = tree.side;
  int rank = 0;
  for (int l = 2; l < s.num_levels; ++l) {
    rank = std::max(rank, scheme.grids[l].rank());
    s.most_order = std::max(s.most_order, scheme.grids[l].order);
  }
  s.most_nodes = s.most_order * s.most_order * s.most_order;
  // Rows in tiles of 8 R: the R of 3 ... 8 that pads least.
  s.row_tile = 8;
  for (int r = 8; r >= 3; --r) {
    const auto padded_rows = [&](int t) { return (rank + 8 * t - 1) / (8 * t) * 8 * t; };
    if (padded_rows(r) < padded_rows(s.row_tile)) s.row_tile = r;
  }
  s.rows = std::max(1, (rank + 8 * s.row_tile - 1) / (8 * s.row_tile)) * 8 * s.row_tile;

  const Index num_boxes = Index(tree.boxes.size()),
              with_grid = s.num_levels > 2 ? num_boxes - tree.level_begin[2] : 0;
  const std::size_t need =
      std::size_t(num_boxes) * (sizeof(DeviceBox) + 36 * sizeof(Index)) +
      std::size_t(with_grid) * s.rows * 2 * sizeof(complex<T>) +
      std::size_t(s.n + s.m) * (sizeof(Offset) + 7 * sizeof(T)) +
      std::size_t(std::max(s.num_levels - 2, 0)) * num_offsets * rank * s.rows * sizeof(complex<T>);
  require_device_memory(need, "NGIM");
  s.bytes = need;

  std::vector<DeviceBox> boxes(num_boxes);
  std::vector<Index> children(std::size_t(num_boxes) * 8), colleagues(std::size_t(num_boxes) * 27);
  double leaf_reach = 0;
  for (Index b = 0; b < num_boxes; ++b) {
    const Box& box = tree.boxes[b];
    const auto c = center(box);
    boxes[b] = {c.x,
                c.y,
                c.z,
                box.source_begin,
                box.target_begin,
                int(box.num_sources()),
                int(box.num_targets()),
                box.parent,
                box.level >= 2 ? b - tree.level_begin[2] : no_box,
                box.level,
                box.octant(),
                box.is_leaf};
    std::copy(box.children.begin(), box.children.end(), &children[std::size_t(b) * 8]);
    std::copy(tree.colleagues[b].begin(), tree.colleagues[b].end(), &colleagues[std::size_t(b) * 27]);
    if (box.is_leaf) leaf_reach = std::max(leaf_reach, 2 * std::sqrt(3.0) * scheme.box_side(box.level));
  }
  s.boxes = cuda::Buffer<DeviceBox>(boxes);
  s.children = cuda::Buffer<Index>(children), s.colleagues = cuda::Buffer<Index>(colleagues);
  s.leaves = cuda::Buffer<Index>(tree.leaves), s.num_leaves = Offset(tree.leaves.size());
  s.near = cuda::Buffer<Index>(scheme.lists.near.values),
  s.near_offsets = cuda::Buffer<Offset>(scheme.lists.near.offsets);
  s.from = cuda::Buffer<Index>(scheme.lists.from_grids.values),
  s.from_offsets = cuda::Buffer<Offset>(scheme.lists.from_grids.offsets);
  s.to = cuda::Buffer<Index>(scheme.lists.to_grids.values),
  s.to_offsets = cuda::Buffer<Offset>(scheme.lists.to_grids.offsets);
  s.num_from = Offset(scheme.lists.from_grids.values.size());
  std::vector<Index> to_targets;
  for (Index b = 0; b < num_boxes; ++b) {
    if (!scheme.lists.to_grids.row(b).empty()) to_targets.push_back(b);
  }
  s.to_targets = cuda::Buffer<Index>(to_targets), s.num_to_targets = Offset(to_targets.size());
  for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
    for (const Index b : scheme.lists.near.row(l)) {
      s.near_pairs += tree.boxes[tree.leaves[l]].num_targets() * tree.boxes[b].num_sources();
      // Two levels may lie between the leaves of a list that skips small boxes: bound the distance by the
      // boxes.
      const auto d = center(tree.boxes[b]) - center(tree.boxes[tree.leaves[l]]);
      leaf_reach = std::max(leaf_reach,
                            norm(d) + std::sqrt(0.75) * (scheme.box_side(tree.boxes[b].level) +
                                                         scheme.box_side(tree.boxes[tree.leaves[l]].level)));
    }
  }

  const auto locals = [&](const PointSet& set, bool of_sources, std::vector<T>& x, std::vector<T>& y,
                          std::vector<T>& z) {
    x.resize(set.x.size()), y.resize(set.x.size()), z.resize(set.x.size());
#pragma omp parallel for
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      const Box& box = tree.boxes[tree.leaves[l]];
      const auto c = center(box);
      const Offset begin = of_sources ? box.source_begin : box.target_begin,
                   end = of_sources ? box.source_end : box.target_end;
      for (Offset i = begin; i < end; ++i)
        x[i] = T(set.x[i] - c.x), y[i] = T(set.y[i] - c.y), z[i] = T(set.z[i] - c.z);
    }
  };
  std::vector<T> x, y, z;
  locals(tree.sources, true, x, y, z);
  std::vector<Source<T>> sources(s.n);
  for (Offset i = 0; i < s.n; ++i) sources[i] = {x[i], y[i], z[i], 0};
  s.sources = cuda::Buffer<Source<T>>(sources), s.charge_im = cuda::Buffer<T>(s.n);
  if (!tree.same_points) locals(tree.targets, false, x, y, z);
  s.tx = cuda::Buffer<T>(x), s.ty = cuda::Buffer<T>(y), s.tz = cuda::Buffer<T>(z);
  s.source_order = cuda::Buffer<Offset>(tree.sources.original);
  s.target_order = cuda::Buffer<Offset>(tree.target_points().original);
  s.fields = cuda::Buffer<T>(std::size_t(s.m) * 8);

  s.kernel = make_kernel<T>({T(scheme.k.real()), T(-scheme.k.imag())});
  s.far_wave = scheme.medium == green::Medium::still
                   ? Wave::still
                   : (scheme.medium == green::Medium::lossy ? Wave::lossy : Wave::full);
  s.near_wave = s.far_wave == Wave::full ? wave_of<T>(scheme.k.real() * leaf_reach) : s.far_wave;
  if (s.num_levels <= 2) return;

  s.outgoing = cuda::Buffer<complex<T>>(std::size_t(with_grid) * s.rows),
  s.incoming = cuda::Buffer<complex<T>>(std::size_t(with_grid) * s.rows);
  std::vector<T> skeleton(std::size_t(s.num_levels) * 3 * s.rows);
  std::vector<LevelMatrices<T>> levels(s.num_levels);
  const auto keep = [&](std::vector<complex<T>> values) {
    s.matrices.emplace_back(values);
    return s.matrices.back().data();
  };
  for (int l = 2; l < s.num_levels; ++l) {
    const CartesianGrid& grid = scheme.grids[l];
    const int r = grid.rank(), q3 = grid.order * grid.order * grid.order;
    for (int i = 0; i < r; ++i) {
      for (int d = 0; d < 3; ++d)
        skeleton[(std::size_t(l) * 3 + d) * s.rows + i] = T(scheme.box_side(l) * grid.skeleton[i][d]);
    }
    const auto p = [&](int i, int j) { return grid.basis_to_skeleton[std::size_t(i) * q3 + j]; };
    levels[l].order = grid.order, levels[l].rank = r,
    levels[l].parent_rank = l > 2 ? scheme.grids[l - 1].rank() : 0;
    levels[l].to_skeleton = keep(columns<T>(r, q3, s.rows, p));
    levels[l].to_field = keep(columns<T>(q3, r, q3, [&](int i, int j) { return p(j, i); }));
    levels[l].translate = keep(translation_matrices<T>(scheme, l, s.rows));
    if (l == 2) continue;
    const int rp = levels[l].parent_rank;
    std::vector<complex<T>> up, down;
    for (int o = 0; o < 8; ++o) {
      const auto& m = scheme.to_parent[l][o];
      const auto a = columns<T>(rp, r, s.rows, [&](int i, int j) { return m[std::size_t(i) * r + j]; });
      const auto b = columns<T>(r, rp, s.rows, [&](int i, int j) { return m[std::size_t(j) * r + i]; });
      up.insert(up.end(), a.begin(), a.end()), down.insert(down.end(), b.begin(), b.end());
    }
    levels[l].to_parent = keep(up), levels[l].from_parent = keep(down);
  }
  s.levels = cuda::Buffer<LevelMatrices<T>>(levels), s.skeleton = cuda::Buffer<T>(skeleton);

  s.level_begin.assign(tree.level_begin.begin(), tree.level_begin.end());
  std::vector<Index> parents, members;
  std::vector<Group> groups;
  s.parent_begin.assign(s.num_levels + 1, 0);
  for (int l = 0; l < s.num_levels; ++l) {
    for (Index b = tree.level_begin[l]; b < tree.level_begin[l + 1]; ++b) {
      if (l >= 2 && !tree.boxes[b].is_leaf && tree.boxes[b].num_sources() > 0) parents.push_back(b);
    }
    s.parent_begin[l + 1] = Index(parents.size());
    for (int octant = 0; l >= 2 && octant < 8; ++octant) {
      const Index first = Index(members.size());
      for (Index b = tree.level_begin[l]; b < tree.level_begin[l + 1]; ++b) {
        if (tree.boxes[b].octant() == octant && tree.boxes[b].num_targets() > 0) members.push_back(b);
      }
      for (Index i = first; i < Index(members.size()); i += group_boxes) {
        groups.push_back({i, std::min<int>(group_boxes, Index(members.size()) - i), l, octant});
      }
    }
  }
  s.parents = cuda::Buffer<Index>(parents), s.members = cuda::Buffer<Index>(members);
  s.groups = cuda::Buffer<Group>(groups), s.num_groups = Offset(groups.size());
}

template <class T>
DeviceSolver<T>::~DeviceSolver() = default;
template <class T>
std::size_t DeviceSolver<T>::device_bytes() const {
  return state_->bytes;
}
template <class T>
Offset DeviceSolver<T>::near_pairs() const {
  return state_->near_pairs;
}

namespace {

unsigned blocks_of(Offset n, int block) {
  return unsigned((n + block - 1) / block);
}

/// Allows a kernel more than 48 KiB of shared memory, of which its static arrays take a part, where it needs
/// it.
template <class K>
void allow_shared(K* kernel, std::size_t bytes) {
  if (bytes > 40 * 1024)
    CURLEW_CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
}

template <int R, class T, class S>
void launch_translate(S& s) {
  constexpr int width = 32 * (sizeof(T) == 4 ? 4 : 2);
  const std::size_t bytes = std::size_t(depth) * (8 * R + width) * sizeof(complex<T>);
  allow_shared(translate<R, T>, bytes);
  const dim3 grid(unsigned(s.num_groups), unsigned(s.rows / (8 * R)));
  translate<R, T><<<grid, translate_block, bytes>>>(s.view(), s.groups.data(), s.members.data(),
                                                    s.colleagues.data(), s.children.data(), s.levels.data());
  CURLEW_CHECK_LAUNCH("translate");
}

/// All stages in order; visit(name, launch) decides what to do around each.
template <class T, class S, class Visit>
void run_stages(S& s, const complex<T>* charges, complex<T>* potential, complex<T>* gradient, Visit&& visit) {
  if (s.m == 0) return;
  const bool slopes = gradient != nullptr;
  visit("sorting charges", [&] {
    if (s.n == 0) return;
    sort_charges<T><<<blocks_of(s.n, 256), 256>>>(s.n, s.source_order.data(), charges, s.sources.data(),
                                                  s.charge_im.data());
    CURLEW_CHECK_LAUNCH("sort_charges");
    CURLEW_CUDA_CALL(cudaMemsetAsync(s.fields.data(), 0, std::size_t(s.m) * 8 * sizeof(T)));
  });
  visit("near field", [&] {
    dispatch(s.near_wave, [&](auto wave) {
      constexpr Wave W = decltype(wave)::value;
      if (slopes)
        near_field<W, true, T><<<unsigned(s.num_leaves), near_block>>>(s.view(), s.kernel);
      else
        near_field<W, false, T><<<unsigned(s.num_leaves), near_block>>>(s.view(), s.kernel);
    });
    CURLEW_CHECK_LAUNCH("near_field");
  });
  if (s.num_levels > 2) {
    visit("charges to grids", [&] {
      CURLEW_CUDA_CALL(cudaMemsetAsync(s.outgoing.data(), 0, s.outgoing.bytes()));
      CURLEW_CUDA_CALL(cudaMemsetAsync(s.incoming.data(), 0, s.incoming.bytes()));
      const std::size_t bytes = (s.most_nodes + 32) * sizeof(complex<T>) + 96 * s.most_order * sizeof(T);
      allow_shared(charges_to_grids<T>, bytes);
      charges_to_grids<T><<<unsigned(s.num_leaves), 64, bytes>>>(s.view(), s.levels.data());
      CURLEW_CHECK_LAUNCH("charges_to_grids");
    });
    const std::size_t row_bytes = std::size_t(s.rows) * sizeof(complex<T>);
    visit("grids to parents", [&] {
      for (int l = s.num_levels - 2; l >= 2; --l) {
        const Index first = s.parent_begin[l], count = s.parent_begin[l + 1] - first;
        if (count == 0) continue;
        grids_to_parents<T><<<unsigned(count), 64, row_bytes>>>(s.view(), s.parents.data() + first,
                                                                s.children.data(), s.levels.data());
        CURLEW_CHECK_LAUNCH("grids_to_parents");
      }
    });
    visit("grids to grids", [&] {
      if (s.num_groups == 0) return;
      switch (s.row_tile) {
        case 3:
          launch_translate<3, T>(s);
          break;
        case 4:
          launch_translate<4, T>(s);
          break;
        case 5:
          launch_translate<5, T>(s);
          break;
        case 6:
          launch_translate<6, T>(s);
          break;
        case 7:
          launch_translate<7, T>(s);
          break;
        default:
          launch_translate<8, T>(s);
      }
    });
    visit("leaves of other levels", [&] {
      dispatch(s.far_wave, [&](auto wave) {
        constexpr Wave W =
            decltype(wave)::value == Wave::series || decltype(wave)::value == Wave::short_series
                ? Wave::full
                : decltype(wave)::value;
        if (s.num_to_targets > 0)
          points_to_skeletons<W, T>
              <<<unsigned(s.num_to_targets), 64>>>(s.view(), s.to_targets.data(), s.levels.data(), s.kernel);
        if (s.num_from > 0 && slopes)
          skeletons_to_points<W, true, T>
              <<<unsigned(s.num_leaves), 64>>>(s.view(), s.levels.data(), s.kernel);
        if (s.num_from > 0 && !slopes)
          skeletons_to_points<W, false, T>
              <<<unsigned(s.num_leaves), 64>>>(s.view(), s.levels.data(), s.kernel);
      });
      CURLEW_CHECK_LAUNCH("leaves of other levels");
    });
    visit("grids from parents", [&] {
      for (int l = 3; l < s.num_levels; ++l) {
        const Index first = s.level_begin[l], count = s.level_begin[l + 1] - first;
        grids_from_parents<T><<<unsigned(count), 64, row_bytes>>>(s.view(), first, s.levels.data());
        CURLEW_CHECK_LAUNCH("grids_from_parents");
      }
    });
    visit("grids to observers", [&] {
      const std::size_t bytes = s.most_nodes * sizeof(complex<T>) + row_bytes;
      if (slopes) {
        allow_shared(grids_to_points<true, T>, bytes);
        grids_to_points<true, T><<<unsigned(s.num_leaves), 64, bytes>>>(s.view(), s.levels.data());
      } else {
        allow_shared(grids_to_points<false, T>, bytes);
        grids_to_points<false, T><<<unsigned(s.num_leaves), 64, bytes>>>(s.view(), s.levels.data());
      }
      CURLEW_CHECK_LAUNCH("grids_to_points");
    });
  }
  visit("sorting fields", [&] {
    unsort_fields<T>
        <<<blocks_of(s.m, 256), 256>>>(s.m, s.target_order.data(), s.fields.data(), potential, gradient);
    CURLEW_CHECK_LAUNCH("unsort_fields");
  });
}

}  // namespace

template <class T>
void DeviceSolver<T>::apply(const complex<T>* charges, complex<T>* potential, complex<T>* gradient) const {
  run_stages<T>(*state_, charges, potential, gradient, [](const char*, auto&& launch) { launch(); });
}

template <class T>
std::vector<std::pair<std::string, double>> DeviceSolver<T>::time_stages(const complex<T>* charges,
                                                                         complex<T>* potential) const {
  std::vector<std::pair<std::string, double>> times;
  cudaEvent_t start, stop;
  CURLEW_CUDA_CALL(cudaEventCreate(&start));
  CURLEW_CUDA_CALL(cudaEventCreate(&stop));
  run_stages<T>(*state_, charges, potential, static_cast<complex<T>*>(nullptr),
                [&](const char* name, auto&& launch) {
                  CURLEW_CUDA_CALL(cudaEventRecord(start));
                  launch();
                  CURLEW_CUDA_CALL(cudaEventRecord(stop));
                  CURLEW_CUDA_CALL(cudaEventSynchronize(stop));
                  float ms = 0;
                  CURLEW_CUDA_CALL(cudaEventElapsedTime(&ms, start, stop));
                  times.emplace_back(name, ms);
                });
  CURLEW_CUDA_CALL(cudaEventDestroy(start));
  CURLEW_CUDA_CALL(cudaEventDestroy(stop));
  return times;
}

template <class T>
void DeviceSolver<T>::apply_host(const Complex* charges, Complex* potential, Complex* gradient) const {
  const State& s = *state_;
  std::vector<complex<T>> q(s.n), u(s.m), slopes(gradient != nullptr ? 3 * s.m : 0);
  for (Offset i = 0; i < s.n; ++i) q[i] = {T(charges[i].real()), T(charges[i].imag())};
  const cuda::Buffer<complex<T>> d_q(q);
  cuda::Buffer<complex<T>> d_u(u.size()), d_slopes(slopes.size());
  apply(d_q.data(), d_u.data(), gradient != nullptr ? d_slopes.data() : nullptr);
  d_u.download(u.data()), d_slopes.download(slopes.data());
  const double scale = 1 / s.side;
  for (Offset i = 0; i < s.m; ++i) potential[i] = scale * Complex(u[i].re, u[i].im);
  for (std::size_t i = 0; i < slopes.size(); ++i)
    gradient[i] = scale * scale * Complex(slopes[i].re, slopes[i].im);
}

template <class T>
double all_pairs_rate(Offset n, double k) {
  std::vector<Source<T>> sources(n);
  std::vector<T> im(n, T(0.3));
  for (Offset i = 0; i < n; ++i)
    sources[i] = {T(std::fmod(0.754877666 * double(i), 1.0)), T(std::fmod(0.569840291 * double(i), 1.0)),
                  T(std::fmod(0.430159709 * double(i), 1.0)), T(0.7)};
  const cuda::Buffer<Source<T>> d_sources(sources);
  const cuda::Buffer<T> d_im(im);
  cuda::Buffer<complex<T>> u(n);
  const auto kernel = make_kernel<T>({T(k), T(0)});
  const Wave wave = k == 0 ? Wave::still : wave_of<T>(k * std::sqrt(3.0));
  cudaEvent_t start, stop;
  CURLEW_CUDA_CALL(cudaEventCreate(&start));
  CURLEW_CUDA_CALL(cudaEventCreate(&stop));
  float best = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    CURLEW_CUDA_CALL(cudaEventRecord(start));
    dispatch(wave, [&](auto w) {
      all_pairs<decltype(w)::value, T><<<blocks_of(n, 8 * near_block), 2 * near_block>>>(
          int(n), d_sources.data(), d_im.data(), kernel, u.data());
    });
    CURLEW_CHECK_LAUNCH("all_pairs");
    CURLEW_CUDA_CALL(cudaEventRecord(stop));
    CURLEW_CUDA_CALL(cudaEventSynchronize(stop));
    float ms = 0;
    CURLEW_CUDA_CALL(cudaEventElapsedTime(&ms, start, stop));
    if (repeat == 1 || (repeat > 1 && ms < best)) best = ms;
  }
  CURLEW_CUDA_CALL(cudaEventDestroy(start));
  CURLEW_CUDA_CALL(cudaEventDestroy(stop));
  return double(n) * double(n) / (1e-3 * double(best));
}

template class DeviceSolver<float>;
template class DeviceSolver<double>;
template double all_pairs_rate<float>(Offset, double);
template double all_pairs_rate<double>(Offset, double);

}  // namespace curlew::ngim
