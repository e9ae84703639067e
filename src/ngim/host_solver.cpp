// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/host_solver.hpp"

#include <omp.h>

#include <algorithm>

#include "ngim/current_moments.hpp"

namespace curlew::ngim {
namespace {

template <class T>
LocalPoints<T> local_points(const Tree& tree, const PointSet& set, bool of_sources) {
  LocalPoints<T> local;
  const std::size_t n = set.x.size();
  local.x.resize(n), local.y.resize(n), local.z.resize(n);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
    const Box& box = tree.boxes[tree.leaves[l]];
    const Vec3<double> c = center(box);
    const Offset begin = of_sources ? box.source_begin : box.target_begin,
                 end = of_sources ? box.source_end : box.target_end;
    for (Offset i = begin; i < end; ++i) {
      local.x[i] = T(set.x[i] - c.x), local.y[i] = T(set.y[i] - c.y), local.z[i] = T(set.z[i] - c.z);
    }
  }
  return local;
}

template <class V>
void chebyshev_vector(V x, int q, V* value) {
  const V u = x + x;
  value[0] = u * 0 + 1;
  if (q > 1) value[1] = u;
  for (int m = 2; m < q; ++m) value[m] = 2 * u * value[m - 1] - value[m - 2];
}
template <class V>
void chebyshev_vector(V x, int q, V* value, V* slope) {
  chebyshev_vector(x, q, value);
  const V u = x + x;
  slope[0] = u * 0;
  if (q > 1) slope[1] = u * 0 + 2;
  for (int m = 2; m < q; ++m) slope[m] = 2 * u * slope[m - 1] - slope[m - 2] + 4 * value[m - 1];
}

}  // namespace

namespace {
constexpr int most_vectors = current_vectors;  ///< of one evaluation
}

/// Arrays of one evaluation.
template <class T>
struct HostSolver<T>::Work {
  const T* charges;
  T* fields;
  int num_vectors;
  bool gradient;
  std::size_t num_sources, num_targets;
  AlignedVector<T> outgoing, incoming;  ///< [box][vector][re, im][stride]

  int parts() const { return gradient ? 8 : 2; }
};

template <class T>
HostSolver<T>::HostSolver(const Scheme& scheme)
    : scheme_(scheme), k_{T(scheme.k.real()), T(-scheme.k.imag())}, cones_(scheme, sources_, targets_) {
  const Tree& tree = scheme.tree;
  sources_ = local_points<T>(tree, tree.sources, true);
  if (!tree.same_points) targets_ = local_points<T>(tree, tree.targets, false);
  levels_.resize(scheme.num_levels());
  const bool real = scheme.medium == green::Medium::static_kernel;
  for (int l = scheme.first_grid_level; l < scheme.num_levels(); ++l) {
    const CartesianGrid& grid = scheme.grids[l];
    Level& level = levels_[l];
    level.order = grid.order, level.rank = grid.rank(), level.stride = padded<T>(grid.rank());
    for (int i = 0; i < level.stride; ++i) {
      const Vec3<double> p = scheme.box_side(l) * grid.skeleton[std::min(i, level.rank - 1)];
      level.x.push_back(T(p.x)), level.y.push_back(T(p.y)), level.z.push_back(T(p.z));
    }
    const int n = grid.order * grid.order * grid.order;
    level.charges_to_skeleton = SplitMatrix<T>::from(grid.basis_to_skeleton, level.rank, n, real, false);
    level.skeleton_to_field = SplitMatrix<T>::from(grid.basis_to_skeleton, level.rank, n, real, true);
    if (l == scheme.first_grid_level) continue;
    for (int o = 0; o < 8; ++o) {
      const auto& m = scheme.to_parent[l][o];
      level.to_parent[o] = SplitMatrix<T>::from(m, scheme.grids[l - 1].rank(), level.rank, real, false);
      level.from_parent[o] = SplitMatrix<T>::from(m, scheme.grids[l - 1].rank(), level.rank, real, true);
    }
  }
  grid_offset_.resize(tree.boxes.size());
  for (std::size_t b = 0; b < tree.boxes.size(); ++b) {
    grid_offset_[b] = grid_values_;
    grid_values_ += levels_[tree.boxes[b].level].stride;
  }
  cones_.prepare();
}

template <class T>
void HostSolver<T>::append_box(SourceBuffer<T>& buffer, Index source, Vec3<double> center_to,
                               const Work& work) const {
  const Box& box = scheme_.tree.boxes[source];
  const Offset b = box.source_begin;
  const T* re = work.charges + b;
  buffer.append(&sources_.x[b], &sources_.y[b], &sources_.z[b], int(box.num_sources()),
                (center(box) - center_to).template cast<T>(), re, re + work.num_sources,
                2 * work.num_sources);
}

template <class T>
void HostSolver<T>::append_grid(SourceBuffer<T>& buffer, Index source, Vec3<double> center_to,
                                const Work& work) const {
  const Box& box = scheme_.tree.boxes[source];
  const Level& level = levels_[box.level];
  const T* values = &work.outgoing[grid_offset_[source] * 2 * work.num_vectors];
  buffer.append(level.x.data(), level.y.data(), level.z.data(), level.rank,
                (center(box) - center_to).template cast<T>(), values, values + level.stride,
                2 * level.stride);
}

/// Sums over a buffer of points, which are charges or currents.
template <class T>
void HostSolver<T>::add_points(const SourceBuffer<T>& buffer, const T* x, const T* y, const T* z, int n,
                               bool gradient, SumOutput<T> out) const {
  if (scheme_.currents)
    add_current_sums<T>(k_.re, buffer, x, y, z, n, out);
  else
    add_pair_sums<T>(scheme_.medium, k_, buffer, x, y, z, n, gradient, out);
}

/// Stage 0: direct sums between adjacent leaves.
template <class T>
void HostSolver<T>::add_near(const Work& work) const {
  const Tree& tree = scheme_.tree;
  const LocalPoints<T>& targets = tree.same_points ? sources_ : targets_;
#pragma omp parallel
  {
    SourceBuffer<T> buffer(work.num_vectors);
#pragma omp for schedule(dynamic, 8)
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      const Box& box = tree.boxes[tree.leaves[l]];
      if (box.num_targets() == 0) continue;
      const Offset b = box.target_begin;
      const auto flush = [&] {
        buffer.pad();
        add_points(buffer, &targets.x[b], &targets.y[b], &targets.z[b], int(box.num_targets()), work.gradient,
                   {work.fields + b, work.num_targets});
        buffer.clear();
      };
      for (const Index source : scheme_.lists.near.row(l)) {
        append_box(buffer, source, center(box), work);
        if (buffer.size() > 2048) flush();  // stays in the L1 cache
      }
      flush();
    }
  }
}

/// Chebyshev moments of one charge vector of a leaf: [re, im][q^3].
template <class T>
void HostSolver<T>::leaf_moments(const Work& work, const Box& box, int vector, AlignedVector<Vec<T>>& sums,
                                 T* moments) const {
  using V = Vec<T>;
  constexpr int W = lanes<T>;
  const int q = levels_[box.level].order, n = q * q * q;
  const T scale = T(double(1u << box.level));
  sums.assign(2 * n, V{});
  const T* re = work.charges + 2 * vector * work.num_sources;
  const T* im = re + work.num_sources;
  for (Offset i = box.source_begin; i < box.source_end; i += W) {
    V x{}, y{}, z{}, qr{}, qi{};
    const int count = int(std::min<Offset>(W, box.source_end - i));
    for (int c = 0; c < count; ++c) {
      x[c] = sources_.x[i + c] * scale, y[c] = sources_.y[i + c] * scale, z[c] = sources_.z[i + c] * scale;
      qr[c] = re[i + c], qi[c] = im[i + c];
    }
    V tx[32], ty[32], tz[32];
    chebyshev_vector(x, q, tx), chebyshev_vector(y, q, ty), chebyshev_vector(z, q, tz);
    V* sum = sums.data();
    for (int a = 0; a < q; ++a) {
      for (int b = 0; b < q; ++b) {
        const V f = tx[a] * ty[b], fr = f * qr, fi = f * qi;
        for (int c = 0; c < q; ++c, sum += 2) sum[0] += fr * tz[c], sum[1] += fi * tz[c];
      }
    }
  }
  std::fill(moments, moments + 2 * n, T(0));
  for (int j = 0; j < n; ++j) {
    for (int c = 0; c < W; ++c) moments[j] += sums[2 * j][c], moments[n + j] += sums[2 * j + 1][c];
  }
}

/// Moments of the six vectors of currents to those of charges with their fields; k is real, so that real and
/// imaginary parts are independent.
template <class T>
void HostSolver<T>::to_current_moments(const Box& box, AlignedVector<T>& moments) const {
  const int q = levels_[box.level].order, n = q * q * q;
  const T scale = T(double(1u << box.level));
  const AlignedVector<T> old = moments;
  std::vector<T> divergence(n);
  for (int half = 0; half < 2; ++half) {
    for (int part = 0; part < 2; ++part) {
      const auto moment = [&](int i, int v) { return old[(2 * (3 * half + v) + part) * n + i]; };
      for (int j = 0; j < n; ++j) divergence[j] = moment_divergence<T>(j, q, scale, moment);
      for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < n; ++j)
          moments[(2 * (3 * half + d) + part) * n + j] = current_moment<T>(
              j, d, q, scale, half == 0 ? k_.re : -k_.re, moment, [&](int i) { return divergence[i]; });
      }
    }
  }
}

/// Stage 1: charges of leaves to their skeletons.
template <class T>
void HostSolver<T>::charges_to_grids(const Work& work) const {
  const Tree& tree = scheme_.tree;
#pragma omp parallel
  {
    AlignedVector<Vec<T>> sums;
    AlignedVector<T> moments;
#pragma omp for schedule(dynamic, 8)
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      const Box& box = tree.boxes[tree.leaves[l]];
      if (box.level < scheme_.first_grid_level || box.num_sources() == 0) continue;
      const Level& level = levels_[box.level];
      const int n = level.order * level.order * level.order;
      moments.resize(std::size_t(2 * n) * work.num_vectors);
      for (int v = 0; v < work.num_vectors; ++v) leaf_moments(work, box, v, sums, &moments[2 * n * v]);
      if (scheme_.currents) to_current_moments(box, moments);
      for (int v = 0; v < work.num_vectors; ++v) {
        const T* from = &moments[2 * n * v];
        T* to = const_cast<T*>(
            &work.outgoing[(grid_offset_[tree.leaves[l]] * work.num_vectors + v * level.stride) * 2]);
        multiply_add<T>(level.charges_to_skeleton, 1, &from, n, &to, level.stride);
      }
    }
  }
}

/// Stage 2: skeletons of children to those of their parents.
template <class T>
void HostSolver<T>::grids_to_parents(const Work& work, int l) const {
  const Tree& tree = scheme_.tree;
  const Level& child_level = levels_[l + 1];
  const std::size_t plane = levels_[l].stride, child_plane = child_level.stride;
#pragma omp parallel for schedule(dynamic, 4)
  for (Index b = tree.level_begin[l]; b < tree.level_begin[l + 1]; ++b) {
    const Box& box = tree.boxes[b];
    if (box.is_leaf || box.num_sources() == 0) continue;
    for (int o = 0; o < 8; ++o) {
      if (box.children[o] == no_box) continue;
      const T* from[most_vectors];
      T* to[most_vectors];
      for (int v = 0; v < work.num_vectors; ++v) {
        from[v] = &work.outgoing[(grid_offset_[box.children[o]] * work.num_vectors + v * child_plane) * 2];
        to[v] = const_cast<T*>(&work.outgoing[(grid_offset_[b] * work.num_vectors + v * plane) * 2]);
      }
      multiply_add<T>(child_level.to_parent[o], work.num_vectors, from, child_plane, to, plane);
    }
  }
}

/// Stage 3, first part: skeletons of the interaction list to skeletons. A task has a range of boxes and of
/// rows; it computes the matrix of one offset once and applies it to all pairs with that offset.
template <class T>
void HostSolver<T>::grids_to_grids(const Work& work, int l) const {
  const Tree& tree = scheme_.tree;
  const Level& level = levels_[l];
  const Index begin = tree.level_begin[l], end = tree.level_begin[l + 1];
  const Index chunk = std::max<Index>(2048 / work.num_vectors, 1);
  const int num_chunks = int((end - begin + chunk - 1) / chunk);
  const int wanted = std::max(1, 2 * omp_get_max_threads() / num_chunks);
  const int slice = padded<T>((level.stride + wanted - 1) / wanted);
  const int num_slices = (level.stride + slice - 1) / slice;
  const std::size_t plane = level.stride;
  const T side = T(scheme_.box_side(l));
#pragma omp parallel
  {
    std::vector<std::pair<Index, Index>> pairs;
    std::vector<Offset> first(num_offsets + 1);
    AlignedVector<T> re(std::size_t(slice) * level.rank), im(re.size());
    const bool is_real = scheme_.medium == green::Medium::static_kernel;
#pragma omp for schedule(dynamic, 1)
    for (int task = 0; task < num_chunks * num_slices; ++task) {
      const Index t0 = begin + task / num_slices * chunk, t1 = std::min(end, t0 + chunk);
      const int row = task % num_slices * slice, rows = std::min(slice, level.stride - row);
      first.assign(num_offsets + 1, 0);
      for (Index t = t0; t < t1; ++t) {
        if (tree.boxes[t].num_targets() > 0)
          for_interaction_list(tree, t, [&](Index, int o) { ++first[o + 1]; });
      }
      for (int o = 0; o < num_offsets; ++o) first[o + 1] += first[o];
      pairs.resize(first[num_offsets]);
      std::vector<Offset> next(first.begin(), first.end() - 1);
      for (Index t = t0; t < t1; ++t) {
        if (tree.boxes[t].num_targets() > 0)
          for_interaction_list(tree, t, [&](Index s, int o) { pairs[next[o]++] = {t, s}; });
      }
      for (int o = 0; o < num_offsets; ++o) {
        if (first[o] == first[o + 1]) continue;
        const Vec3<T> shift{side * T(o % 7 - 3), side * T(o / 7 % 7 - 3), side * T(o / 49 - 3)};
        green_matrix<T>(scheme_.medium, k_, &level.x[row], &level.y[row], &level.z[row], rows, level.x.data(),
                        level.y.data(), level.z.data(), level.rank, shift, re.data(), im.data(), slice);
        const T* from[16];
        T* to[16];
        int n = 0;
        const auto flush = [&] {
          multiply_add<T>(re.data(), is_real ? nullptr : im.data(), rows, slice, level.rank, n, from, plane,
                          to, plane);
          n = 0;
        };
        for (Offset p = first[o]; p < first[o + 1]; ++p) {
          for (int v = 0; v < work.num_vectors; ++v, ++n) {
            from[n] = &work.outgoing[(grid_offset_[pairs[p].second] * work.num_vectors + v * plane) * 2];
            to[n] = const_cast<T*>(
                        &work.incoming[(grid_offset_[pairs[p].first] * work.num_vectors + v * plane) * 2]) +
                    row;
          }
          if (n + work.num_vectors > 16) flush();
        }
        flush();
      }
    }
  }
}

/// Stage 3, second part: skeletons of parents to those of their children.
template <class T>
void HostSolver<T>::grids_from_parents(const Work& work, int l) const {
  const Tree& tree = scheme_.tree;
  const Level& level = levels_[l];
  const std::size_t plane = level.stride, parent_plane = levels_[l - 1].stride;
#pragma omp parallel for schedule(dynamic, 32)
  for (Index b = tree.level_begin[l]; b < tree.level_begin[l + 1]; ++b) {
    const Box& box = tree.boxes[b];
    if (box.num_targets() == 0) continue;
    const T* from[most_vectors];
    T* to[most_vectors];
    for (int v = 0; v < work.num_vectors; ++v) {
      from[v] = &work.incoming[(grid_offset_[box.parent] * work.num_vectors + v * parent_plane) * 2];
      to[v] = const_cast<T*>(&work.incoming[(grid_offset_[b] * work.num_vectors + v * plane) * 2]);
    }
    multiply_add<T>(level.from_parent[box.octant()], work.num_vectors, from, parent_plane, to, plane);
  }
}

/// Stage 4: the interpolated field of a leaf at its observers.
template <class T>
void HostSolver<T>::grids_to_points(const Work& work) const {
  const Tree& tree = scheme_.tree;
  const LocalPoints<T>& targets = tree.same_points ? sources_ : targets_;
  using V = Vec<T>;
  constexpr int W = lanes<T>;
#pragma omp parallel
  {
    AlignedVector<T> field;
#pragma omp for schedule(dynamic, 8)
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      const Box& box = tree.boxes[tree.leaves[l]];
      if (box.level < scheme_.first_grid_level || box.num_targets() == 0) continue;
      const Level& level = levels_[box.level];
      const int q = level.order, n = q * q * q, plane = padded<T>(n);
      const T scale = T(double(1u << box.level));
      for (int v = 0; v < work.num_vectors; ++v) {
        field.assign(2 * plane, T(0));
        const T* from =
            &work.incoming[(grid_offset_[tree.leaves[l]] * work.num_vectors + v * level.stride) * 2];
        T* to = field.data();
        multiply_add<T>(level.skeleton_to_field, 1, &from, level.stride, &to, plane);
        T* out = work.fields + std::size_t(v) * work.parts() * work.num_targets;
        for (Offset i = box.target_begin; i < box.target_end; i += W) {
          V x{}, y{}, z{};
          const int count = int(std::min<Offset>(W, box.target_end - i));
          for (int c = 0; c < count; ++c)
            x[c] = targets.x[i + c] * scale, y[c] = targets.y[i + c] * scale, z[c] = targets.z[i + c] * scale;
          V tx[32], ty[32], tz[32], sum[8] = {};
          const T* f = field.data();
          if (!work.gradient) {
            chebyshev_vector(x, q, tx), chebyshev_vector(y, q, ty), chebyshev_vector(z, q, tz);
            for (int a = 0; a < q; ++a) {
              for (int b = 0; b < q; ++b, f += q) {
                V re{}, im{};
                for (int c = 0; c < q; ++c) re += tz[c] * f[c], im += tz[c] * f[plane + c];
                const V g = tx[a] * ty[b];
                sum[0] += g * re, sum[1] += g * im;
              }
            }
          } else {
            V sx[32], sy[32], sz[32];
            chebyshev_vector(x, q, tx, sx), chebyshev_vector(y, q, ty, sy), chebyshev_vector(z, q, tz, sz);
            for (int a = 0; a < q; ++a) {
              for (int b = 0; b < q; ++b, f += q) {
                V re{}, im{}, re_z{}, im_z{};
                for (int c = 0; c < q; ++c) {
                  re += tz[c] * f[c], im += tz[c] * f[plane + c];
                  re_z += sz[c] * f[c], im_z += sz[c] * f[plane + c];
                }
                const V g = tx[a] * ty[b], gx = sx[a] * ty[b] * scale, gy = tx[a] * sy[b] * scale,
                        gz = g * scale;
                sum[0] += g * re, sum[1] += g * im, sum[2] += gx * re, sum[3] += gx * im;
                sum[4] += gy * re, sum[5] += gy * im, sum[6] += gz * re_z, sum[7] += gz * im_z;
              }
            }
          }
          for (int p = 0; p < work.parts(); ++p) {
            for (int c = 0; c < count; ++c) out[p * work.num_targets + i + c] += sum[p][c];
          }
        }
      }
    }
  }
}

/// Leaves adjacent to smaller or larger boxes: fields of skeletons at points, fields of points at skeletons.
template <class T>
void HostSolver<T>::far_leaves(const Work& work) const {
  const Tree& tree = scheme_.tree;
  const LocalPoints<T>& targets = tree.same_points ? sources_ : targets_;
#pragma omp parallel
  {
    SourceBuffer<T> buffer(work.num_vectors);
#pragma omp for schedule(dynamic, 8) nowait
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      const auto row = scheme_.lists.from_grids.row(l);
      if (row.empty()) continue;
      const Box& box = tree.boxes[tree.leaves[l]];
      const Offset b = box.target_begin;
      buffer.clear();
      for (const Index s : row) {
        if (tree.boxes[s].level >= scheme_.first_grid_level) append_grid(buffer, s, center(box), work);
      }
      buffer.pad();
      add_pair_sums<T>(scheme_.medium, k_, buffer, &targets.x[b], &targets.y[b], &targets.z[b],
                       int(box.num_targets()), work.gradient, {work.fields + b, work.num_targets});
    }
#pragma omp for schedule(dynamic, 8)
    for (std::size_t t = 0; t < tree.boxes.size(); ++t) {
      const auto row = scheme_.lists.to_grids.row(t);
      if (row.empty()) continue;
      const Level& level = levels_[tree.boxes[t].level];
      buffer.clear();
      for (const Index s : row) append_box(buffer, s, center(tree.boxes[t]), work);
      buffer.pad();
      T* to = const_cast<T*>(&work.incoming[grid_offset_[t] * 2 * work.num_vectors]);
      add_points(buffer, level.x.data(), level.y.data(), level.z.data(), level.rank, false,
                 {to, std::size_t(level.stride)});
    }
  }
}

template <class T>
void HostSolver<T>::apply(const std::vector<T>& charges, int num_vectors, bool gradient,
                          std::vector<T>& fields, Stages& stages) const {
  const Tree& tree = scheme_.tree;
  Work work{charges.data(),
            fields.data(),
            num_vectors,
            gradient,
            tree.sources.x.size(),
            tree.target_points().x.size(),
            {},
            {}};
  const auto stage = [&](const char* name, auto&& f) {
    ScopedStage timed(stages, name);
    f();
  };
  stage("near field", [&] { add_near(work); });
  const int first = scheme_.first_grid_level, last = scheme_.num_levels() - 1;
  if (last < 2) return;
  work.outgoing.assign(grid_values_ * 2 * num_vectors, T(0));
  work.incoming.assign(grid_values_ * 2 * num_vectors, T(0));
  stage("charges to grids", [&] { charges_to_grids(work); });
  stage("grids to parents", [&] {
    for (int l = last - 1; l >= first; --l) grids_to_parents(work, l);
  });
  stage("leaves of other levels", [&] { far_leaves(work); });
  stage("grids to grids", [&] {
    for (int l = first; l <= last; ++l) grids_to_grids(work, l);
  });
  if (first > 2) {
    const typename HostCones<T>::Input input{charges.data(), work.outgoing.data(), num_vectors,
                                             &grid_offset_};
    stage("cones", [&] { cones_.apply(input, {fields.data(), work.incoming.data(), gradient}); });
  }
  stage("grids from parents", [&] {
    for (int l = first + 1; l <= last; ++l) grids_from_parents(work, l);
  });
  stage("grids to observers", [&] { grids_to_points(work); });
}

template class HostSolver<float>;
template class HostSolver<double>;

}  // namespace curlew::ngim
