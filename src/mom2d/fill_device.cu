// SPDX-License-Identifier: BSD-3-Clause
// The matrix and the excitations on the GPU: the kernels of src/green and the quadrature of near.hpp, as in
// fill.cpp.
#include <algorithm>

#include "base/constants.hpp"
#include "base/cuda.hpp"
#include "base/cuda_grid.hpp"
#include "mom2d/device.hpp"
#include "mom2d/fill.hpp"
#include "quadrature/log_singular.hpp"
#include "quadrature/rules.hpp"

namespace curlew::mom2d {
namespace {

constexpr int most = Stencil::most;

struct NodesView {
  const double *x, *y, *nx, *ny, *root;
  int per_panel;
  int num_nodes;
};

/// What the near integrals read.
struct NearView {
  const Panel* panels;
  const Stencil* stencils;
  const double* coefficients;
  const double* rule_t;
  const double* principal_value;
  const Offset* offsets;
  const int* near_panels;
  NearTables tables;
};

/// Range of columns of the matrix that are filled.
struct Columns {
  Offset first, count;
  /// @param column counted from the first
  __device__ bool has(Offset column) const { return column >= 0 && column < count; }
};

template <bool REAL, bool SINGLE>
__device__ green::Parts<double> kernel_value(const green::Kernel2d& kernel, double rx, double ry, double nx,
                                             double ny, double sx, double sy) {
  if constexpr (SINGLE)
    return green::evaluate_single_layer<double>(kernel, rx, ry);
  else
    return green::evaluate<REAL, double>(kernel, rx, ry, nx, ny, sx, sy);
}

/// One entry per thread, rows along the warp: coalesced 16-byte writes. Limited by the arithmetic of the
/// Hankel functions (about 130 fp64 instructions for H0), not by the write.
template <bool REAL, bool SINGLE>
__global__ __launch_bounds__(256) void far_entries(NodesView nodes, Block block, Offset size,
                                                   complex<double>* a) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= block.num_targets) return;
  const Offset t = block.target + i;
  const double x = nodes.x[t], y = nodes.y[t], nx = nodes.nx[t], ny = nodes.ny[t], root = nodes.root[t];
  for (Offset j = blockIdx.y; j < block.num_sources; j += gridDim.y) {
    const Offset s = block.source + j;
    double rx = x - nodes.x[s];
    const double ry = y - nodes.y[s];
    if (rx == 0 && ry == 0) rx = 1;  // the node itself: replaced by the near integrals
    complex<double> sum = 0;
    for (int k = 0; k < block.num_kernels; ++k) {
      const auto f = kernel_value<REAL, SINGLE>(block.kernels[k], rx, ry, nx, ny, nodes.nx[s], nodes.ny[s]);
      sum += complex<double>(f.re, f.im);
    }
    a[block.row + i + (block.col + j) * size] = (root * nodes.root[s]) * sum;
  }
}

/// Sum over the lanes of a warp, in every lane.
__device__ double warp_sum(double v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

struct Seen {
  double x, y, nx, ny;
  int self;
  double self_t;
};

/// Adds the moments of one kernel over a near cell; each lane takes every 32nd point.
template <bool REAL>
__device__ void add_moments(const NearView& view, const Panel& panel, const Seen& o,
                            const green::Kernel2d& kernel, int count, complex<double>* moment) {
  const bool self = o.self >= 0, by_parts = !(kernel.hypersingular == complex<double>(0));
  const NearRule rule = make_near_rule(panel, o.x, o.y, self, o.self_t, ::hypot(kernel.k.re, kernel.k.im));
  complex<double> pole = 0;
  if (by_parts && self) {
    const CurvePoint c = evaluate<double>(panel, o.self_t);
    pole = kernel.hypersingular / (2 * pi * ::sqrt(c.dx * c.dx + c.dy * c.dy));
  }
  const int points = rule.num_points(), lane = threadIdx.x % 32;
  for (int i = lane; i < points + (by_parts ? 2 : 0); i += 32) {
    const bool is_end = i >= points;  // the two end terms of the integration by parts are added here
    const double end = i == points ? -1 : 1;
    const NearPoint point = is_end ? NearPoint{end - rule.t, 0} : near_point(rule, view.tables, i);
    const double t = is_end ? end : rule.t + point.tau;
    const CurvePoint q = evaluate<double>(panel, t);
    const auto d =
        self ? displacement<double>(panel, rule.t, point.tau) : PointOf<double>{q.x - o.x, q.y - o.y};
    const double rx = -d.x, ry = -d.y, speed = ::sqrt(q.dx * q.dx + q.dy * q.dy);
    const double sx = q.dy / speed, sy = -q.dx / speed;
    const double square = rx * rx + ry * ry, inverse = green::inverse_sqrt(square);
    const auto h = green::hankel_of<REAL, double>(kernel.k, square * inverse);
    const complex<double> h0(h.h0.re, h.h0.im), h1(h.h1.re, h.h1.im);
    const double nr = (o.nx * rx + o.ny * ry) * inverse, sr = (sx * rx + sy * ry) * inverse;
    const complex<double> plain =
        (point.weight * speed) *
        (h0 * (kernel.a0 + (o.nx * sx + o.ny * sy) * kernel.a1) + h1 * (nr * kernel.b0 + sr * kernel.b1));
    complex<double> slope = 0;
    if (by_parts) {
      slope = ((o.nx * ry - o.ny * rx) * inverse) * (-kernel.b2 * h1);
      if (!is_end) slope = point.weight * (slope - pole / point.tau);
    }
    double p0 = 1, p1 = t, d0 = 0, d1 = 1;  // Legendre polynomials and derivatives of degrees k and k + 1
    for (int k = 0; k < most; ++k) {
      if (k < count) {
        if (is_end)
          moment[k] -= (end * p0) * slope;
        else
          moment[k] += p0 * plain + d0 * slope;
      }
      const double p2 = ((2 * k + 3) * t * p1 - (k + 1) * p0) / (k + 2), d2 = d0 + (2 * k + 3) * p1;
      p0 = p1, p1 = p2, d0 = d1, d1 = d2;
    }
  }
  if (by_parts && self && lane == 0) {
    for (int k = 0; k < most; ++k) {
      if (k < count) moment[k] += view.principal_value[o.self * most + k] * pole;
    }
  }
}

/// One warp per row of the matrix: no other warp writes there, so that corrections need no atomic operations.
__global__ __launch_bounds__(128) void near_rows(NodesView nodes, NearView view, const Block* blocks,
                                                 int num_blocks, Offset size, Columns columns,
                                                 complex<double>* a) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, q = nodes.per_panel;
  if (i >= nodes.num_nodes) return;
  for (int b = 0; b < num_blocks; ++b) {
    const Block& block = blocks[b];
    const Offset row = i - block.target;
    if (row < 0 || row >= block.num_targets) continue;
    const Offset shift = block.col - block.source - columns.first;  // of a source node to its column in a
    complex<double>* line = a + block.row + row;
    for (Offset n = view.offsets[i]; n < view.offsets[i + 1]; ++n) {
      const Offset node = Offset(view.near_panels[n]) * q;
      if (node < block.source || node >= block.source + block.num_sources) continue;
      if (lane < q && columns.has(node + lane + shift)) line[(node + lane + shift) * size] = 0;
    }
    __syncwarp();
    for (Offset n = view.offsets[i]; n < view.offsets[i + 1]; ++n) {
      const int number = view.near_panels[n];
      const Offset node = Offset(number) * q;
      if (node < block.source || node >= block.source + block.num_sources) continue;
      const Panel panel = view.panels[number];
      const Stencil& stencil = view.stencils[number];
      const bool writes = lane < stencil.count && columns.has(stencil.node[lane] + shift);
      if (__ballot_sync(0xffffffffu, writes) == 0) continue;
      const bool own = i / q == number;
      const Seen o{nodes.x[i],  nodes.y[i],       nodes.nx[i],
                   nodes.ny[i], own ? i % q : -1, own ? view.rule_t[i % q] : 0};
      complex<double> moment[most];
#pragma unroll
      for (int k = 0; k < most; ++k) moment[k] = 0;
      for (int k = 0; k < block.num_kernels; ++k) {
        const auto& kernel = block.kernels[k];
        if (kernel.k.im == 0 && kernel.k.re > 0)
          add_moments<true>(view, panel, o, kernel, stencil.count, moment);
        else
          add_moments<false>(view, panel, o, kernel, stencil.count, moment);
      }
      complex<double> entry = 0;
      const double* table =
          view.coefficients + (Offset(stencil.pattern) * most + (lane < most ? lane : 0)) * most;
#pragma unroll
      for (int k = 0; k < most; ++k) {
        const complex<double> m(warp_sum(moment[k].re), warp_sum(moment[k].im));
        if (k < stencil.count) entry += table[k] * m;
      }
      if (writes) {
        const int j = stencil.node[lane];
        complex<double> value = (nodes.root[i] / nodes.root[j]) * entry;
        if (own && j == i) value += complex<double>(block.diagonal);
        line[(j + shift) * size] += value;
      }
      __syncwarp();
    }
  }
}

/// The diagonal of the paper's MoM.
__global__ void set_diagonal(const complex<double>* diagonal, Offset size, Columns columns,
                             complex<double>* a) {
  const Offset j = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j < columns.count) a[columns.first + j + j * size] = diagonal[columns.first + j];
}

__global__ void plane_waves(NodesView nodes, Offset node, Offset count, Offset row, complex<double> of_u,
                            complex<double> of_v, double k, const double* cosines, const double* sines,
                            int waves, Offset size, complex<double>* b) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (int w = blockIdx.y; w < waves; w += gridDim.y) {
    const double c = cosines[w], s = sines[w];
    const complex<double> u = green::plane_wave2d(k, nodes.x[node + i], nodes.y[node + i], c, s);
    const complex<double> dn(0, c * nodes.nx[node + i] + s * nodes.ny[node + i]);
    b[Offset(w) * size + row + i] = nodes.root[node + i] * (u * (of_u + of_v * dn));
  }
}

/// The part of a block within a range of columns, its column counted from the first of them; it may have no
/// sources.
Block part_of(Block block, Columns columns) {
  const Offset begin = std::max(block.col, columns.first),
               end = std::min(block.col + block.num_sources, columns.first + columns.count);
  block.source += begin - block.col;
  block.num_sources = std::max<Offset>(0, end - begin);
  block.col = begin - columns.first;
  return block;
}

}  // namespace

struct DeviceSystem::State {
  Offset size;
  double k0;
  std::vector<Block> blocks;
  bool full;  ///< every pair of unknowns has a block
  std::vector<EquationRow> equations;
  std::vector<Offset> rows, contour_offsets;
  cuda::Buffer<double> x, y, nx, ny, root, coefficients, rule_t, principal_value, gauss, gauss_weight, log,
      log_weight;
  cuda::Buffer<Panel> panels;
  cuda::Buffer<Stencil> stencils;
  cuda::Buffer<Offset> offsets;
  cuda::Buffer<int> near_panels;
  cuda::Buffer<unsigned char> block_bytes;  // Block has members without device constructors
  cuda::Buffer<complex<double>> diagonal;
  NodesView nodes;
  NearView near;
};

DeviceSystem::DeviceSystem(const Problem& problem, const System& system, const Nodes& nodes,
                           const NearList& near)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.size = system.size;
  s.k0 = problem.wavenumber;
  s.blocks = system.blocks;
  s.full = system.blocks.size() == system.unknowns.size() * system.unknowns.size();
  s.equations = system.equations;
  for (const auto& unknown : system.unknowns) s.rows.push_back(unknown.first);
  s.contour_offsets = nodes.contour_offsets;
  const PanelRule rule = make_panel_rule(nodes.per_panel);
  const auto gauss = quadrature::gauss_legendre(NearTables::num_points);
  namespace ls = quadrature::log_singular;
  const auto buffer = [](const auto& v) {
    return cuda::Buffer<typename std::decay_t<decltype(v)>::value_type>(v);
  };
  s.x = buffer(nodes.x), s.y = buffer(nodes.y), s.nx = buffer(nodes.nx), s.ny = buffer(nodes.ny);
  s.root = buffer(nodes.root), s.coefficients = buffer(nodes.coefficients);
  s.rule_t = buffer(rule.t), s.principal_value = buffer(rule.principal_value);
  s.gauss = buffer(gauss.points), s.gauss_weight = buffer(gauss.weights);
  s.log = buffer(std::vector<double>(ls::points.begin(), ls::points.end()));
  s.log_weight = buffer(std::vector<double>(ls::weights.begin(), ls::weights.end()));
  s.panels = buffer(nodes.panels), s.stencils = buffer(nodes.stencils);
  s.offsets = buffer(near.offsets), s.near_panels = buffer(near.panels);
  s.block_bytes = cuda::Buffer<unsigned char>(system.blocks.size() * sizeof(Block));
  s.block_bytes.upload(reinterpret_cast<const unsigned char*>(system.blocks.data()));
  if (problem.paper_mom) {
    std::vector<complex<double>> diagonal;
    for (const double w : nodes.weight) diagonal.push_back(s.k0 * paper_diagonal(s.k0, w));
    s.diagonal = cuda::Buffer<complex<double>>(diagonal);
  }
  s.nodes = {s.x.data(),    s.y.data(),      s.nx.data(),      s.ny.data(),
             s.root.data(), nodes.per_panel, int(nodes.size())};
  s.near = {
      s.panels.data(),          s.stencils.data(),
      s.coefficients.data(),    s.rule_t.data(),
      s.principal_value.data(), s.offsets.data(),
      s.near_panels.data(),     {s.gauss.data(), s.gauss_weight.data(), s.log.data(), s.log_weight.data()}};
}

DeviceSystem::~DeviceSystem() = default;

void DeviceSystem::fill(complex<double>* a) const {
  fill_columns(0, state_->size, a);
}

void DeviceSystem::fill_columns(Offset first, Offset count, complex<double>* a) const {
  const State& s = *state_;
  const Columns columns{first, count};
  if (!s.full) CURLEW_CUDA_CALL(cudaMemsetAsync(a, 0, std::size_t(s.size) * std::size_t(count) * sizeof(*a)));
  for (const auto& whole : s.blocks) {
    const Block block = part_of(whole, columns);
    if (block.num_sources == 0) continue;
    bool real = true, single = true;
    for (int k = 0; k < block.num_kernels; ++k) {
      real = real && block.kernels[k].k.im == 0 && block.kernels[k].k.re > 0;
      single = single && block.kernels[k].single_layer_only;
    }
    const dim3 grid(cuda::blocks_for(block.num_targets, 256),
                    unsigned(std::min<Offset>(block.num_sources, 16384)));
    if (real && single)
      far_entries<true, true><<<grid, 256>>>(s.nodes, block, s.size, a);
    else if (real)
      far_entries<true, false><<<grid, 256>>>(s.nodes, block, s.size, a);
    else
      far_entries<false, false><<<grid, 256>>>(s.nodes, block, s.size, a);
    CURLEW_CHECK_LAUNCH("far_entries");
  }
  if (s.diagonal.size() > 0) {
    set_diagonal<<<cuda::blocks_for(count, 256), 256>>>(s.diagonal.data(), s.size, columns, a);
    CURLEW_CHECK_LAUNCH("set_diagonal");
    return;
  }
  near_rows<<<cuda::blocks_for(Offset(s.nodes.num_nodes) * 32, 128), 128>>>(
      s.nodes, s.near, reinterpret_cast<const Block*>(s.block_bytes.data()), int(s.blocks.size()), s.size,
      columns, a);
  CURLEW_CHECK_LAUNCH("near_rows");
}

void DeviceSystem::excite(const std::vector<double>& phi, complex<double>* b) const {
  const State& s = *state_;
  std::vector<double> cosines, sines;
  for (const double p : phi) cosines.push_back(std::cos(p)), sines.push_back(std::sin(p));
  const cuda::Buffer<double> c(cosines), d(sines);
  CURLEW_CUDA_CALL(cudaMemsetAsync(b, 0, std::size_t(s.size) * phi.size() * sizeof(*b)));
  for (std::size_t e = 0; e < s.equations.size(); ++e) {
    const auto contour = std::size_t(s.equations[e].contour);
    const Offset node = s.contour_offsets[contour], count = s.contour_offsets[contour + 1] - node;
    for (const auto& side : s.equations[e].sides) {
      if (side.region != 0) continue;
      const dim3 grid(cuda::blocks_for(count, 128), unsigned(std::min<std::size_t>(phi.size(), 1024)));
      plane_waves<<<grid, 128>>>(s.nodes, node, count, s.rows[e], side.of_u, side.of_v, s.k0, c.data(),
                                 d.data(), int(phi.size()), s.size, b);
      CURLEW_CHECK_LAUNCH("plane_waves");
    }
  }
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // the angles' memory ends here
}

}  // namespace curlew::mom2d
