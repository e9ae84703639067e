// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/host_cones.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/threads.hpp"
#include "ngim/host_solver.hpp"

namespace curlew::ngim {
namespace {

/// Not inlined: marking and evaluation must round alike, or a point on a boundary misses its segment.
template <class T>
__attribute__((noinline)) ConePoint<T> locate_alike(const ConeGrid& grid, T x, T y, T z) {
  return locate(grid, Vec3<T>{x, y, z});
}

/// Values at Chebyshev nodes to coefficients, [m, i].
template <class T>
std::vector<T> coefficient_map(int n) {
  std::vector<T> map(n * n);
  for (int m = 0; m < n; ++m) {
    for (int i = 0; i < n; ++i)
      map[m * n + i] = T((m == 0 ? 1.0 : 2.0) / n * std::cos(m * (i + 0.5) * pi / n));
  }
  return map;
}

template <class F>
void for_leaves(const Tree& tree, Index b, F&& f) {
  if (tree.boxes[b].is_leaf) {
    f(b);
    return;
  }
  for (const Index child : tree.boxes[b].children) {
    if (child != no_box) for_leaves(tree, child, f);
  }
}

}  // namespace

template <class T>
std::size_t HostCones<T>::num_samples() const {
  std::size_t n = 0;
  for (const Level& level : levels_) n += level.segments.size() * level.grid.num_samples();
  return n;
}

template <class T>
auto HostCones<T>::targets_of(Index leaf) const -> Receiver {
  const LocalPoints<T>& points = scheme_.tree.same_points ? sources_ : targets_;
  const Offset i = scheme_.tree.boxes[leaf].target_begin;
  return {leaf, false, scheme_.tree.boxes[leaf].num_targets(), &points.x[i], &points.y[i], &points.z[i]};
}

template <class T>
template <class F>
void HostCones<T>::for_receivers(Index b, F&& f) const {
  const Box& box = scheme_.tree.boxes[b];
  if (box.num_targets() == 0) return;
  if (box.level == scheme_.first_grid_level && box.num_targets() > Offset(grid_[0].size()))
    return f({b, true, Offset(grid_[0].size()), grid_[0].data(), grid_[1].data(), grid_[2].data()});
  if (box.is_leaf) return f(targets_of(b));
  for (const Index child : box.children)
    if (child != no_box) for_receivers(child, f);
}

/// Marks the segments of box b that a receiver needs.
template <class T>
void HostCones<T>::mark(const Level& level, int l, Index b, const Receiver& receiver,
                        std::vector<char>& marks) const {
  const auto& boxes = scheme_.tree.boxes;
  const Vec3<T> shift = (center(boxes[receiver.box]) - center(boxes[b])).template cast<T>();
  const T scale = T(1 / scheme_.box_side(l));
  for (Offset i = 0; i < receiver.count; ++i) {
    const auto p = locate_alike<T>(level.grid, (receiver.x[i] + shift.x) * scale,
                                   (receiver.y[i] + shift.y) * scale, (receiver.z[i] + shift.z) * scale);
    if (p.segment >= 0) marks[p.segment] = 1;
  }
}

template <class T>
void HostCones<T>::mark_points(Level& level, int l, Index b, std::vector<char>& marks) const {
  const Tree& tree = scheme_.tree;
  const Box& box = tree.boxes[b];
  for (const Index uncle : tree.colleagues[box.parent]) {
    if (uncle == no_box) continue;
    for (const Index t : tree.boxes[uncle].children) {
      if (t != no_box && !is_adjacent(box, tree.boxes[t]))
        for_receivers(t, [&](const Receiver& r) { mark(level, l, b, r, marks); });
    }
  }
  for (const Index leaf : level.larger_leaves[b - tree.level_begin[l]])
    mark(level, l, b, targets_of(leaf), marks);
}

template <class T>
void HostCones<T>::mark_parent_samples(Level& level, int l, Index b, std::vector<char>& marks) const {
  const Tree& tree = scheme_.tree;
  const Box& box = tree.boxes[b];
  if (!scheme_.is_high_frequency(l - 1) || tree.boxes[box.parent].is_leaf) return;
  const Level& above = levels_[l - 1];
  const Index parent = box.parent - tree.level_begin[l - 1];
  const Vec3<T> shift = (center(tree.boxes[box.parent]) - center(box)).template cast<T>();
  const T side = T(scheme_.box_side(l - 1)), scale = T(1 / scheme_.box_side(l));
  const SamplePoints<T> nodes(above.grid);
  std::vector<T> x(above.grid.num_samples()), y(x), z(x);
  for (Offset slot = above.box_slots[parent]; slot < above.box_slots[parent + 1]; ++slot) {
    nodes.positions(above.segments[slot], side, x.data(), y.data(), z.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto p = locate_alike<T>(level.grid, (x[i] + shift.x) * scale, (y[i] + shift.y) * scale,
                                     (z[i] + shift.z) * scale);
      if (p.segment >= 0) marks[p.segment] = 1;
    }
  }
}

template <class T>
void HostCones<T>::prepare() {
  const Tree& tree = scheme_.tree;
  const int end = std::min(scheme_.first_grid_level, scheme_.num_levels());
  levels_.resize(std::max(end, 0));
  if (scheme_.first_grid_level < scheme_.num_levels()) {
    const double side = scheme_.box_side(scheme_.first_grid_level);
    for (const auto& node : scheme_.grids[scheme_.first_grid_level].skeleton)
      for (int d = 0; d < 3; ++d) grid_[d].push_back(T(side * node[d]));
  }
  for (int l = 2; l < end; ++l) {
    Level& level = levels_[l];
    level.grid = scheme_.cones[l];
    level.row = padded<T>(level.grid.angular_order * level.grid.angular_order);
    const Index begin = tree.level_begin[l], count = tree.level_begin[l + 1] - begin;
    level.larger_leaves.resize(count);
    for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
      for (const Index s : scheme_.lists.from_grids.row(i)) {
        if (tree.boxes[s].level == l) level.larger_leaves[s - begin].push_back(tree.leaves[i]);
      }
    }
    const int num_segments = level.grid.num_segments();
    require_memory(std::size_t(count) * num_segments * sizeof(int), "the table of cone segments");
    level.slot.assign(std::size_t(count) * num_segments, -1);
    level.box_slots.assign(count + 1, 0);
#pragma omp parallel
    {
      std::vector<char> marks(num_segments);
#pragma omp for schedule(dynamic, 1)
      for (Index b = 0; b < count; ++b) {
        if (tree.boxes[begin + b].num_sources() == 0) continue;
        std::fill(marks.begin(), marks.end(), 0);
        mark_points(level, l, begin + b, marks);
        mark_parent_samples(level, l, begin + b, marks);
        for (int i = 0; i < num_segments; ++i) {
          if (marks[i]) level.slot[std::size_t(b) * num_segments + i] = 0, ++level.box_slots[b + 1];
        }
      }
    }
    for (Index b = 0; b < count; ++b) level.box_slots[b + 1] += level.box_slots[b];
    level.segments.resize(level.box_slots[count]);
    for (Index b = 0; b < count; ++b) {
      int next = int(level.box_slots[b]);
      for (int i = 0; i < num_segments; ++i) {
        int& slot = level.slot[std::size_t(b) * num_segments + i];
        if (slot == 0) level.segments[next] = i, slot = next++;
      }
    }
  }
}

template <class T>
void HostCones<T>::to_coefficients(const Level& level, const T* values, T* out) const {
  const int ps = level.grid.radial_order, pa = level.grid.angular_order;
  const auto map_s = coefficient_map<T>(ps), map_a = coefficient_map<T>(pa);
  T a[16 * 256], b[16 * 256];
  const int pa2 = pa * pa;
  for (int i = 0; i < ps; ++i) {  // values are [s][u][v]
    for (int u = 0; u < pa; ++u) {
      for (int m = 0; m < pa; ++m) {
        T sum = 0;
        for (int v = 0; v < pa; ++v) sum += map_a[m * pa + v] * values[i * pa2 + u * pa + v];
        a[i * pa2 + u * pa + m] = sum;
      }
    }
    for (int m = 0; m < pa; ++m) {
      for (int v = 0; v < pa; ++v) {
        T sum = 0;
        for (int u = 0; u < pa; ++u) sum += map_a[m * pa + u] * a[i * pa2 + u * pa + v];
        b[i * pa2 + m * pa + v] = sum;
      }
    }
  }
  for (int m = 0; m < ps; ++m) {
    T* row = out + m * level.row;
    std::fill(row, row + level.row, T(0));
    for (int i = 0; i < ps; ++i) {
      for (int j = 0; j < pa2; ++j) row[j] += map_s[m * ps + i] * b[i * pa2 + j];
    }
  }
}

template <class T>
bool HostCones<T>::gather_sources(SourceBuffer<T>& buffer, const Input& input, Index b,
                                  Vec3<double> origin) const {
  const Tree& tree = scheme_.tree;
  const Box& box = tree.boxes[b];
  buffer.clear();
  const int l = box.level;
  if (!box.is_leaf) {
    const CartesianGrid& grid = scheme_.grids[l + 1];
    Offset skeletons = 0;
    for (const Index child : box.children)
      skeletons += child == no_box || tree.boxes[child].num_sources() == 0 ? 0 : grid.rank();
    if (skeletons < box.num_sources()) {
      const std::size_t stride = padded<T>(grid.rank());
      std::vector<T> x, y, z;
      for (const auto& p : grid.skeleton) {
        const double side = scheme_.box_side(l + 1);
        x.push_back(T(side * p.x)), y.push_back(T(side * p.y)), z.push_back(T(side * p.z));
      }
      for (const Index child : box.children) {
        if (child == no_box || tree.boxes[child].num_sources() == 0) continue;
        const T* values = input.outgoing + (*input.grid_offset)[child] * 2 * input.num_vectors;
        buffer.append(x.data(), y.data(), z.data(), grid.rank(),
                      (center(tree.boxes[child]) - origin).template cast<T>(), values, values + stride,
                      2 * stride);
      }
      return false;
    }
  }
  const std::size_t n = tree.sources.x.size();
  for_leaves(tree, b, [&](Index leaf) {
    const Box& from = tree.boxes[leaf];
    const Offset i = from.source_begin;
    if (from.num_sources() > 0) {
      buffer.append(&sources_.x[i], &sources_.y[i], &sources_.z[i], int(from.num_sources()),
                    (center(from) - origin).template cast<T>(), input.charges + i, input.charges + n + i,
                    2 * n);
    }
  });
  return true;
}

template <class T>
void HostCones<T>::fill_level(const Input& input, int l, Samples& samples) const {
  const Tree& tree = scheme_.tree;
  const Level& level = levels_[l];
  const Index begin = tree.level_begin[l], count = tree.level_begin[l + 1] - begin;
  const int nv = input.num_vectors, num = level.grid.num_samples();
  const T side = T(scheme_.box_side(l)), child_scale = T(1 / scheme_.box_side(l + 1));
  const green::Wavenumber<T> k{T(scheme_.k.real()), T(-scheme_.k.imag())};
  samples[l].assign(level.segments.size() * level.slot_values() * 2 * nv, T(0));
  const SamplePoints<T> nodes(level.grid);
  const bool from_cones = scheme_.is_high_frequency(l + 1);
#pragma omp parallel
  {
    SourceBuffer<T> buffer(nv);
    std::vector<T> x(num), y(num), z(num), field;
#pragma omp for schedule(dynamic, 1)
    for (Index b = 0; b < count; ++b) {
      if (level.box_slots[b] == level.box_slots[b + 1]) continue;
      const Box& box = tree.boxes[begin + b];
      const bool direct = box.is_leaf || !from_cones;
      bool currents = false;
      if (direct) {
        currents = gather_sources(buffer, input, begin + b, center(box)) && scheme_.currents;
        buffer.pad();
      }
      for (Offset slot = level.box_slots[b]; slot < level.box_slots[b + 1]; ++slot) {
        nodes.positions(level.segments[slot], side, x.data(), y.data(), z.data());
        field.assign(std::size_t(num) * 2 * nv, T(0));
        if (currents) {
          add_current_sums<T>(k.re, buffer, x.data(), y.data(), z.data(), num,
                              {field.data(), std::size_t(num)});
        } else if (direct) {
          add_pair_sums<T>(scheme_.medium, k, buffer, x.data(), y.data(), z.data(), num, false,
                           {field.data(), std::size_t(num)});
        } else {
          for (const Index child : box.children) {
            if (child == no_box || tree.boxes[child].num_sources() == 0) continue;
            const Vec3<T> shift = (center(box) - center(tree.boxes[child])).template cast<T>();
            for (int i = 0; i < num; ++i) {
              add_box(l + 1, child,
                      {(x[i] + shift.x) * child_scale, (y[i] + shift.y) * child_scale,
                       (z[i] + shift.z) * child_scale},
                      samples[l + 1].data(), nv, false, field.data() + i, num);
            }
          }
        }
        for (int i = 0; i < num; ++i) {  // compensation: times r exp(jkr)
          const T r = std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
          const T amplitude = r * std::exp(k.loss * r), c = amplitude * std::cos(k.re * r),
                  s = amplitude * std::sin(k.re * r);
          for (int v = 0; v < nv; ++v) {
            T& re = field[std::size_t(2 * v) * num + i];
            T& im = field[std::size_t(2 * v + 1) * num + i];
            const T old = re;
            re = c * old - s * im, im = c * im + s * old;
          }
        }
        for (int part = 0; part < 2 * nv; ++part) {
          to_coefficients(level, &field[std::size_t(part) * num],
                          &samples[l][(slot * 2 * nv + part) * level.slot_values()]);
        }
      }
    }
  }
}

/// Adds the field of one box at one point; d = (point - centre)/side.
template <class T>
void HostCones<T>::add_box(int l, Index source, Vec3<T> d, const T* samples, int nv, bool gradient, T* fields,
                           std::size_t plane) const {
  using V = Vec<T>;
  const Level& level = levels_[l];
  const ConeGrid& grid = level.grid;
  const auto p = locate_alike<T>(grid, d.x, d.y, d.z);
  if (p.segment < 0) return;
  const int slot =
      level.slot[std::size_t(source - scheme_.tree.level_begin[l]) * grid.num_segments() + p.segment];
  if (slot < 0) return;
  const int pa = grid.angular_order, ps = grid.radial_order;
  T ts[16], tu[16], tv[16], ds[16], du[16], dv[16];
  chebyshev(p.s, ps, ts, ds), chebyshev(p.u, pa, tu, du), chebyshev(p.v, pa, tv, dv);
  alignas(64) T w[3][256];
  const int rows = gradient ? 3 : 1;
  for (int j = pa * pa; j < level.row; ++j) w[0][j] = w[1][j] = w[2][j] = 0;
  for (int a = 0; a < pa; ++a) {
    for (int b = 0; b < pa; ++b) w[0][a * pa + b] = tu[a] * tv[b];
    if (!gradient) continue;
    for (int b = 0; b < pa; ++b) w[1][a * pa + b] = du[a] * tv[b], w[2][a * pa + b] = tu[a] * dv[b];
  }
  const T side = T(scheme_.box_side(l)), r = p.r * side;
  const T kr = T(scheme_.k.real()), loss = T(-scheme_.k.imag());
  const T amplitude = std::exp(-loss * r) / r, c = amplitude * std::cos(kr * r),
          s = -amplitude * std::sin(kr * r);
  for (int v = 0; v < nv; ++v) {
    T f[2][4] = {};  // value, by s, by u, by v
    for (int part = 0; part < 2; ++part) {
      const T* row = samples + (std::size_t(slot) * 2 * nv + 2 * v + part) * level.slot_values();
      for (int i = 0; i < ps; ++i, row += level.row) {
        V sum[3] = {};
        for (int j = 0; j < level.row; j += lanes<T>) {
          const V value = *reinterpret_cast<const V*>(row + j);
          for (int g = 0; g < rows; ++g) sum[g] += value * *reinterpret_cast<const V*>(&w[g][j]);
        }
        T total[3] = {};
        for (int g = 0; g < rows; ++g) {
          for (int lane = 0; lane < lanes<T>; ++lane) total[g] += sum[g][lane];
        }
        f[part][0] += ts[i] * total[0];
        f[part][1] += ds[i] * total[0];
        f[part][2] += ts[i] * total[1];
        f[part][3] += ts[i] * total[2];
      }
    }
    T* out = fields + std::size_t(v) * (gradient ? 8 : 2) * plane;
    const T re = c * f[0][0] - s * f[1][0], im = c * f[1][0] + s * f[0][0];
    out[0] += re;
    out[plane] += im;
    if (!gradient) continue;
    // grad u = E (F_s grad s + F_u grad u + F_v grad v) - (jk + 1/r) u r/|r|, with E = exp(-jkr)/r.
    const Vec3<T> unit = (T(1) / p.r) * d;
    const int a = p.face_axis;
    const T inverse_da = T(1) / (d[a] * side);
    Vec3<T> by_s = (-T(grid.radial_segments / (grid.s_max - grid.s_min)) / (p.r * p.r * side)) * unit, by_u{},
            by_v{};
    const T scale_u = T(2 / pi * grid.angular_segments) / (1 + p.xi * p.xi) * inverse_da;
    const T scale_v = T(2 / pi * grid.angular_segments) / (1 + p.eta * p.eta) * inverse_da;
    by_u[(a + 1) % 3] = scale_u, by_u[a] = -p.xi * scale_u;
    by_v[(a + 2) % 3] = scale_v, by_v[a] = -p.eta * scale_v;
    const T radial_re = -(loss + T(1) / r), radial_im = -kr;  // -(jk + 1/r), jk = k'' + j k'
    for (int x = 0; x < 3; ++x) {
      const T g_re = f[0][1] * by_s[x] + f[0][2] * by_u[x] + f[0][3] * by_v[x];
      const T g_im = f[1][1] * by_s[x] + f[1][2] * by_u[x] + f[1][3] * by_v[x];
      out[(2 + 2 * x) * plane] += c * g_re - s * g_im + (radial_re * re - radial_im * im) * unit[x];
      out[(3 + 2 * x) * plane] += c * g_im + s * g_re + (radial_re * im + radial_im * re) * unit[x];
    }
  }
}

/// Adds the field of a source box at the points of a receiver.
template <class T>
void HostCones<T>::add_sources(const Samples& samples, const Input& input, const Receiver& receiver,
                               Index source, const Output& output) const {
  const Tree& tree = scheme_.tree;
  const int l = tree.boxes[source].level, nv = input.num_vectors;
  const Vec3<T> shift = (center(tree.boxes[receiver.box]) - center(tree.boxes[source])).template cast<T>();
  const T scale = T(1 / scheme_.box_side(l));
  T* const fields = receiver.is_grid ? output.incoming + (*input.grid_offset)[receiver.box] * 2 * nv
                                     : output.fields + tree.boxes[receiver.box].target_begin;
  const std::size_t plane =
      receiver.is_grid ? std::size_t(padded<T>(int(receiver.count))) : tree.target_points().x.size();
  for (Offset i = 0; i < receiver.count; ++i) {
    add_box(l, source,
            {(receiver.x[i] + shift.x) * scale, (receiver.y[i] + shift.y) * scale,
             (receiver.z[i] + shift.z) * scale},
            samples[l].data(), nv, output.gradient && !receiver.is_grid, fields + i, plane);
  }
}

template <class T>
void HostCones<T>::apply(const Input& input, const Output& output) const {
  const Tree& tree = scheme_.tree;
  const int end = int(levels_.size());
  std::size_t bytes = 0;
  for (const Level& level : levels_)
    bytes += level.segments.size() * level.slot_values() * 2 * input.num_vectors * sizeof(T);
  require_memory(bytes, "the samples of the cone segments");
  Samples samples(end);
  for (int l = end - 1; l >= 2; --l) fill_level(input, l, samples);
  std::vector<Receiver> receivers;
  for_receivers(0, [&](const Receiver& r) { receivers.push_back(r); });
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4)
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      for (Index b = receivers[i].box; b != no_box; b = tree.boxes[b].parent) {
        if (scheme_.is_high_frequency(tree.boxes[b].level))
          for_interaction_list(tree, b,
                               [&](Index s, int) { add_sources(samples, input, receivers[i], s, output); });
      }
    }
#pragma omp for schedule(dynamic, 4)
    for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
      for (const Index s : scheme_.lists.from_grids.row(i)) {
        if (scheme_.is_high_frequency(tree.boxes[s].level))
          add_sources(samples, input, targets_of(tree.leaves[i]), s, output);
      }
    }
  }
}

template class HostCones<float>;
template class HostCones<double>;

}  // namespace curlew::ngim
