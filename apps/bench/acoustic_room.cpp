// SPDX-License-Identifier: BSD-3-Clause
#include "bench/acoustic_room.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::bench {
namespace {

constexpr double row_tolerance = 0.05;
constexpr double lining = 0.1;  // its admittance over that of the air
constexpr int least_resonances = 3;

/// Nodes of the box nearest to these sides that has as many rows.
std::array<Index, 3> nodes_for(const AcousticCase& c) {
  std::array<Index, 3> best{};
  double least = 1e300;
  const auto miss = [&](int axis, Index n) {
    return std::abs(std::log((n - 1) * c.mesh_size / c.sides[std::size_t(axis)]));
  };
  const double x = c.sides[0] / c.mesh_size, y = c.sides[1] / c.mesh_size;
  for (Index nx = Index(0.8 * x); nx <= Index(1.25 * x) + 1; ++nx) {
    for (Index ny = Index(0.8 * y); ny <= Index(1.25 * y) + 1; ++ny) {
      const Index nz = Index(std::lround(double(c.rows) / (Offset(nx) * ny)));
      const double rows = double(nx) * ny * nz;
      if (std::abs(rows / c.rows - 1) > row_tolerance) continue;
      const double now = miss(0, nx) + miss(1, ny) + miss(2, nz);
      if (now < least) least = now, best = {nx, ny, nz};
    }
  }
  if (best[0] == 0) throw InputError(fmt::format("{}: no box has {} rows", c.name, c.rows));
  return best;
}

/// Entry (i, i + step) of the matrices of one axis with n nodes; step is -1, 0 or 1.
double stiffness(Index i, int step, Index n, double h) {
  return step != 0 ? -1 / h : (i == 0 || i == n - 1 ? 1 : 2) / h;
}
double mass(Index i, int step, Index n, double h) {
  return step != 0 ? h / 6 : (i == 0 || i == n - 1 ? 2 : 4) * h / 6;
}

void add_row(AcousticRoom& room, std::array<Index, 3> at, double h, double k) {
  const auto [nx, ny, nz] = room.nodes;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const Index i = at[0] + x, j = at[1] + y, l = at[2] + z;
        if (i < 0 || i >= nx || j < 0 || j >= ny || l < 0 || l >= nz) continue;
        const double mx = mass(at[0], x, nx, h), my = mass(at[1], y, ny, h), mz = mass(at[2], z, nz, h);
        Complex value = stiffness(at[0], x, nx, h) * my * mz + mx * stiffness(at[1], y, ny, h) * mz +
                        mx * my * stiffness(at[2], z, nz, h) - k * k * mx * my * mz;
        if (at[2] == 0 && l == 0) value += Complex(0, lining * k) * mx * my;
        room.a.columns.push_back(i + nx * (j + ny * l));
        room.a.values.push_back(value);
      }
    }
  }
  room.a.row_offsets.push_back(Offset(room.a.columns.size()));
}

/// Right-hand side of du/dn = 1 on the quarter of the wall x = 0 at the floor.
double load(std::array<Index, 3> at, const std::array<Index, 3>& nodes, double h) {
  if (at[0] != 0) return 0;
  double product = 1;
  for (const std::size_t axis : {1u, 2u}) {
    const Index end = nodes[axis] / 2;
    product *= at[axis] > end ? 0 : at[axis] == 0 || at[axis] == end ? h / 2 : h;
  }
  return product;
}

void count_resonances(AcousticRoom& room, double h, double k) {
  room.first_resonance = 1e300;
  for (int p = 0; p * pi <= k * h * (room.nodes[0] - 1) || p <= 1; ++p) {
    for (int q = 0; q * pi <= k * h * (room.nodes[1] - 1) || q <= 1; ++q) {
      for (int r = 0; r * pi <= k * h * (room.nodes[2] - 1) || r <= 1; ++r) {
        if (p + q + r == 0) continue;
        const double of = std::hypot(p * pi / (h * (room.nodes[0] - 1)), q * pi / (h * (room.nodes[1] - 1)),
                                     r * pi / (h * (room.nodes[2] - 1)));
        room.first_resonance = std::min(room.first_resonance, of);
        room.resonances += of <= k;
      }
    }
  }
}

}  // namespace

AcousticRoom acoustic_room(const AcousticCase& c) {
  AcousticRoom room;
  room.nodes = nodes_for(c);
  const auto [nx, ny, nz] = room.nodes;
  count_resonances(room, c.mesh_size, c.wave_number);
  if (room.resonances < least_resonances)
    throw InputError(
        fmt::format("{}: {} resonances below k, {} are needed", c.name, room.resonances, least_resonances));
  room.a.num_rows = room.a.num_cols = nx * ny * nz;
  for (Index l = 0; l < nz; ++l) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) {
        add_row(room, {i, j, l}, c.mesh_size, c.wave_number);
        room.b.push_back(load({i, j, l}, room.nodes, c.mesh_size));
      }
    }
  }
  return room;
}

}  // namespace curlew::bench
