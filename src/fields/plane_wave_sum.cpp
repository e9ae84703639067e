// SPDX-License-Identifier: BSD-3-Clause
#include "fields/plane_wave_sum.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "green/plane_phase.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "fields/plane_wave_sum_device.hpp"
#endif

namespace curlew::fields {

namespace {

using Point = Vec3<double>;
using Real = Eigen::MatrixXd;
using green::VecD;

constexpr std::size_t lanes = green::double_lanes;
constexpr std::size_t tile_points = 128, tile_directions = 256;  // phases of a tile: 512 KiB, of level 2
constexpr std::size_t least_tasks = 64;

/// A range of the points, so that few directions occupy all threads too. It does not depend on the threads:
/// sums are bitwise reproducible.
struct Division {
  std::size_t chunks, chunk;  ///< of points, whole tiles
};
Division divide(std::size_t points, std::size_t tiles_of_directions) {
  const std::size_t tiles = (points + tile_points - 1) / tile_points;
  const std::size_t wanted =
      std::max<std::size_t>(1, least_tasks / std::max<std::size_t>(tiles_of_directions, 1));
  const std::size_t per = (tiles + std::min(wanted, tiles) - 1) / std::min(wanted, tiles);
  return {(tiles + per - 1) / per, per * tile_points};
}

/// Adjacent directions in vector registers.
struct DirectionLanes {
  VecD x{}, y{}, z{};
  DirectionLanes(std::span<const Point> units, std::size_t first) {
    for (std::size_t i = 0; i < lanes && first + i < units.size(); ++i)
      x[i] = units[first + i].x, y[i] = units[first + i].y, z[i] = units[first + i].z;
  }
};

/// Cosines, then sines, of all directions of a tile: column p of phases, [2 directions, points].
void fill_phases(const std::vector<DirectionLanes>& units, std::span<const Point> points, Real& phases) {
  const std::size_t half = units.size() * lanes;
  for (std::size_t p = 0; p < points.size(); ++p) {
    double* const column = &phases(0, Eigen::Index(p));
    const VecD x = VecD{} + points[p].x, y = VecD{} + points[p].y, z = VecD{} + points[p].z;
    for (std::size_t i = 0; i < units.size(); ++i) {
      VecD s, c;
      green::plane_phase(units[i].x, units[i].y, units[i].z, x, y, z, s, c);
      std::memcpy(column + i * lanes, &c, sizeof c);
      std::memcpy(column + half + i * lanes, &s, sizeof s);
    }
  }
}

/// Real and imaginary parts of all columns at a range of points, [points, 2 columns].
void pack(std::span<const Complex> moments, std::size_t n, std::size_t first, std::size_t count, Real& out) {
  const std::size_t columns = moments.size() / n;
  for (std::size_t v = 0; v < columns; ++v) {
    const Complex* const from = &moments[v * n + first];
    double* const re = &out(0, Eigen::Index(2 * v));
    double* const im = &out(0, Eigen::Index(2 * v + 1));
    for (std::size_t p = 0; p < count; ++p) re[p] = from[p].real(), im[p] = from[p].imag();
  }
}

/// A tile of directions times a chunk of points: one real product of matrices a tile of points.
/// @return [2 directions, 2 columns]: cosines and sines times real and imaginary parts
Real sum_tile(std::span<const Point> points, std::span<const Complex> moments, std::span<const Point> units,
              std::size_t first, std::size_t last) {
  std::vector<DirectionLanes> here;
  for (std::size_t i = 0; i < units.size(); i += lanes) here.emplace_back(units, i);
  const auto rows = Eigen::Index(2 * lanes * here.size());
  const auto columns = Eigen::Index(2 * (moments.size() / points.size()));
  Real phases(rows, Eigen::Index(tile_points)), packed(Eigen::Index(tile_points), columns);
  Real sum = Real::Zero(rows, columns);
  for (std::size_t p = first; p < last; p += tile_points) {
    const std::size_t count = std::min(tile_points, last - p);
    const auto n = Eigen::Index(count);
    fill_phases(here, points.subspan(p, count), phases);
    pack(moments, points.size(), p, count, packed);
    sum.noalias() += phases.leftCols(n) * packed.topRows(n);
  }
  return sum;
}

std::vector<Complex> all_on_host(std::span<const Point> points, std::span<const Complex> moments,
                                 std::span<const Point> units) {
  const std::size_t n = points.size(), m = units.size(), columns = moments.size() / n;
  const std::size_t tiles = (m + tile_directions - 1) / tile_directions;
  const Division division = divide(n, tiles);
  std::vector<Complex> out(columns * m);
  std::vector<Real> parts(division.chunks);
  // Rounds of tiles, between which the run can be interrupted; parts of a tile are added in their order.
  const std::size_t round = division.chunks > 1 ? 1 : least_tasks;
  for (std::size_t t0 = 0; t0 < tiles; t0 += round) {
    check_interrupt();
    const std::size_t here = std::min(round, tiles - t0);
    parts.resize(here * division.chunks);
#pragma omp parallel for schedule(dynamic) num_threads(num_threads())
    for (std::size_t task = 0; task < parts.size(); ++task) {
      const std::size_t tile = t0 + task / division.chunks, first = task % division.chunks * division.chunk;
      const std::size_t d = tile * tile_directions;
      parts[task] = sum_tile(points, moments, units.subspan(d, std::min(tile_directions, m - d)), first,
                             std::min(n, first + division.chunk));
    }
    for (std::size_t task = 0; task < parts.size(); ++task) {
      const std::size_t d = (t0 + task / division.chunks) * tile_directions;
      const Eigen::Index half = parts[task].rows() / 2;
      for (std::size_t v = 0; v < columns; ++v) {
        const auto re = parts[task].col(Eigen::Index(2 * v)), im = parts[task].col(Eigen::Index(2 * v + 1));
        for (std::size_t i = 0; i < std::min(tile_directions, m - d); ++i) {
          const auto c = Eigen::Index(i), s = half + c;
          out[v * m + d + i] += Complex(re(c) - im(s), im(c) + re(s));
        }
      }
    }
  }
  return out;
}

/// Adds points in vector registers, for one direction.
void add_chunk(std::span<const Point> points, std::span<const Complex> moments, std::size_t per,
               std::size_t stride, Point u, Complex* sums) {
  std::vector<double> cosine(points.size() + lanes), sine(points.size() + lanes);
  for (std::size_t p = 0; p < points.size(); p += lanes) {
    VecD x{}, y{}, z{}, s, c;
    for (std::size_t i = 0; i < std::min(lanes, points.size() - p); ++i)
      x[i] = points[p + i].x, y[i] = points[p + i].y, z[i] = points[p + i].z;
    green::plane_phase(VecD{} + u.x, VecD{} + u.y, VecD{} + u.z, x, y, z, s, c);
    std::memcpy(&cosine[p], &c, sizeof c), std::memcpy(&sine[p], &s, sizeof s);
  }
  for (std::size_t v = 0; v < per; ++v) {
    const Complex* const q = &moments[v * stride];
    double re = 0, im = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      re += cosine[p] * q[p].real() - sine[p] * q[p].imag();
      im += cosine[p] * q[p].imag() + sine[p] * q[p].real();
    }
    sums[v] = {re, im};
  }
}

std::vector<Complex> each_on_host(std::span<const Point> points, std::span<const Complex> moments,
                                  std::span<const Point> units) {
  const std::size_t n = points.size(), m = units.size(), per = moments.size() / n / m;
  const Division division = divide(n, m);
  std::vector<Complex> parts(m * division.chunks * per), out(per * m);
#pragma omp parallel for schedule(dynamic) num_threads(num_threads())
  for (std::size_t task = 0; task < m * division.chunks; ++task) {
    const std::size_t i = task / division.chunks, first = task % division.chunks * division.chunk;
    add_chunk(points.subspan(first, std::min(division.chunk, n - first)),
              moments.subspan(i * per * n + first), per, n, units[i], &parts[task * per]);
  }
  for (std::size_t task = 0; task < m * division.chunks; ++task)
    for (std::size_t v = 0; v < per; ++v) out[v * m + task / division.chunks] += parts[task * per + v];
  return out;
}

}  // namespace

PlaneWaveSum::PlaneWaveSum(std::span<const Vec3<double>> points, double k, Device device)
    : k_(k), device_(device), points_(points.begin(), points.end()) {
  if (points_.empty()) return;
  Point low = points_.front(), high = low;
  for (const auto& p : points_)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
  centre_ = 0.5 * (low + high);
  for (auto& p : points_) {
    radius_ = std::max(radius_, norm(p - centre_));
    p = k_ * (p - centre_);
  }
}

std::vector<Complex> PlaneWaveSum::all(std::span<const Complex> moments,
                                       std::span<const Vec3<double>> units) const {
  if (points_.empty() || units.empty()) return {};
  auto sums =
#ifdef CURLEW_HAVE_CUDA
      device_ == Device::cuda ? all_on_device(points_, moments, units) :
#endif
                              all_on_host(points_, moments, units);
  shift(units, sums);
  return sums;
}

std::vector<Complex> PlaneWaveSum::each(std::span<const Complex> moments,
                                        std::span<const Vec3<double>> units) const {
  if (points_.empty() || units.empty()) return {};
  auto sums = each_on_host(points_, moments, units);
  shift(units, sums);
  return sums;
}

void PlaneWaveSum::shift(std::span<const Vec3<double>> units, std::vector<Complex>& sums) const {
  const std::size_t m = units.size();
  for (std::size_t d = 0; d < m; ++d) {
    const Complex phase = std::polar(1.0, k_ * dot(units[d], centre_));
    for (std::size_t i = d; i < sums.size(); i += m) sums[i] *= phase;
  }
}

}  // namespace curlew::fields
