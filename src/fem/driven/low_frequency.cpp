// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/low_frequency.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/hertz.hpp"
#include "base/log.hpp"
#include "base/wavenumber.hpp"
#include "fem/nedelec.hpp"
#include "linalg/dense/decompositions.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

constexpr double largest_share = 1e-2, warning_share = 1e-3;

/// Edges of a regular tetrahedron out of one vertex, as columns.
Eigen::Matrix3d regular_edges() {
  Eigen::Matrix3d edges;
  edges.col(0) << 1, 0, 0;
  edges.col(1) << 0.5, std::sqrt(3.0) / 2, 0;
  edges.col(2) << 0.5, std::sqrt(3.0) / 6, std::sqrt(2.0 / 3);
  return edges;
}

/// The largest eigenvalue of a symmetric matrix, by its invariants. Source: Smith (1961), Comm. ACM 4(4),
/// 168.
double largest_eigenvalue(const Eigen::Matrix3d& a) {
  const double mean = a.trace() / 3;
  const Eigen::Matrix3d b = a - mean * Eigen::Matrix3d::Identity();
  const double p = std::sqrt(b.squaredNorm() / 6);
  if (p == 0) return mean;
  return mean + 2 * p * std::cos(std::acos(std::clamp((b / p).determinant() / 2, -1.0, 1.0)) / 3);
}

/// s1² / (s2 s3)² = s1⁴ / det² of a cell against the regular one, by its vertices [1/m²].
double shape_factor(const mesh::Mesh& mesh, Index cell, const Eigen::Matrix3d& to_regular) {
  const Index* n = mesh.cell(cell);
  Eigen::Matrix3d edges;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> edge = mesh.nodes[std::size_t(n[i + 1])] - mesh.nodes[std::size_t(n[0])];
    edges.col(i) << edge.x, edge.y, edge.z;
  }
  const Eigen::Matrix3d map = edges * to_regular;
  return std::pow(largest_eigenvalue(map.transpose() * map) / map.determinant(), 2);
}

/// |εμ| of a medium at a frequency [Hz], of tensors the smallest on the diagonal.
double index_square(const RegionMaterial& m, double frequency) {
  const Material medium = medium_at(m, frequency);
  double eps = 1e300, mu = 1e300;
  const auto e = medium.epsilon_r.as_tensor(), u = medium.mu_r.as_tensor();
  for (int i = 0; i < 3; ++i) {
    eps = std::min(eps, std::abs(e(i, i)));
    mu = std::min(mu, std::abs(u(i, i)));
  }
  return eps * mu;
}

double extent_of(const mesh::Mesh& mesh) {
  Vec3<double> low = mesh.nodes.front(), high = low;
  for (const auto& r : mesh.nodes)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], r[i]), high[i] = std::max(high[i], r[i]);
  return norm(high - low);
}

/// The frequency [Hz] below which skin effect in conductors and displacement current in insulators are
/// negligible.
double static_frequency_of(const RegionMaterial& m, double extent) {
  constexpr double little = 1e-4;
  if (!m.dispersion.is_empty())
    throw InputError(
        fmt::format("frequency: 0 Hz: \"{}\" has poles or a table, for which there is no limit at 0 Hz: give "
                    "a low frequency instead",
                    m.regions.front()));
  if (m.conductivity == 0) return 1e300;
  double eps = 0, mu = 0;
  for (int i = 0; i < 3; ++i) {
    eps = std::max(eps, std::abs(m.epsilon_r.as_tensor()(i, i)));
    mu = std::max(mu, std::abs(m.mu_r.as_tensor()(i, i)));
  }
  const double skin = little / (mu * vacuum_permeability * m.conductivity * extent * extent),
               relaxation = little * m.conductivity / (eps * vacuum_permittivity);
  return std::min(skin, relaxation) / (2 * pi);
}

double static_frequency_of(const BoundaryCondition& b, double extent, double frequency) {
  const auto z = b->surface_impedance(frequency), lower = b->surface_impedance(frequency / 4);
  if (!z) return 1e300;
  if (std::abs(*z - *lower) > 1e-6 * std::abs(*z))
    throw InputError(
        fmt::format("frequency: 0 Hz: surface \"{}\" is metal of infinite thickness, whose resistance has no "
                    "limit at 0 Hz: give it a thickness (type = \"sheet\") or a low frequency instead",
                    b.regions.front()));
  return 1e-4 * std::abs(*z) / (2 * pi * vacuum_permeability * extent);
}

}  // namespace

double largest_curl_ratio(int order) {
  const Eigen::Matrix3d edges = regular_edges(), inverse = edges.inverse();
  Vec3<double> g[4];
  for (int i = 0; i < 3; ++i) {
    g[i + 1] = {inverse(i, 0), inverse(i, 1), inverse(i, 2)};
    g[0] = g[0] - g[i + 1];
  }
  const int n = nedelec_dim(order);
  Eigen::MatrixXcd k = Eigen::MatrixXcd::Zero(n, n), m = k;
  const auto rule = quadrature::tetrahedron_rule(2 * order);
  BasisValue<double> w[max_cell_dim];
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    const auto x = rule.points[q];
    const double l[4] = {1 - x.x - x.y - x.z, x.x, x.y, x.z};
    nedelec_basis(order, l, g, w);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        k(a, b) += rule.weights[q] * dot(w[a].curl, w[b].curl);
        m(a, b) += rule.weights[q] * dot(w[a].value, w[b].value);
      }
  }
  const auto mass = linalg::eigh(m);
  const Eigen::MatrixXcd scaled = mass.vectors * mass.values.cwiseSqrt().cwiseInverse().asDiagonal();
  return linalg::eigh(scaled.adjoint() * k * scaled).values.maxCoeff();
}

ChargeRounding::ChargeRounding(const mesh::Mesh& mesh, const Model& model)
    : curl_ratio_(model.materials.size(), 0.0) {
  const auto material = material_of_cells(model, mesh);
  const Eigen::Matrix3d to_regular = regular_edges().inverse();
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    double& worst = curl_ratio_[std::size_t(material[std::size_t(c)])];
    worst = std::max(worst, shape_factor(mesh, c, to_regular));
  }
  const double regular = largest_curl_ratio(model.order);
  for (double& ratio : curl_ratio_) ratio *= regular;
}

double ChargeRounding::share(const Model& model, double frequency) const {
  const double k0 = wavenumber(frequency);
  double share = 0;
  for (std::size_t m = 0; m < curl_ratio_.size(); ++m)
    if (curl_ratio_[m] > 0)
      share = std::max(share, std::numeric_limits<double>::epsilon() * curl_ratio_[m] /
                                  (index_square(model.materials[m], frequency) * k0 * k0));
  return share;
}

void ChargeRounding::require(const Model& model, double lowest, const std::string& why) const {
  const double at_lowest = share(model, lowest);
  if (!(at_lowest > warning_share)) return;
  if (at_lowest > largest_share) {
    double bound = lowest;  // the share falls at least as 1/f: slower than 1/f² with conductivity
    while (share(model, bound) > largest_share) bound *= 1.01;
    throw InputError(
        fmt::format("frequency: {} is too low for double precision on this mesh with {}: it resolves "
                    "{} and above; check the unit (frequencies are in Hz), or take a coarser mesh",
                    hertz(lowest), why, hertz(bound, 3)));
  }
  log::warn("frequency: at {} rounding errors may change voltages and S by {:.1e} on this mesh with {}",
            hertz(lowest), at_lowest, why);
}

double static_frequency(const mesh::Mesh& mesh, const Model& model) {
  const double extent = extent_of(mesh);
  double frequency = 1e-9 * speed_of_light / (2 * pi * extent);
  for (const auto& m : model.materials) frequency = std::min(frequency, static_frequency_of(m, extent));
  for (const auto& b : model.boundaries)
    frequency = std::min(frequency, static_frequency_of(b, extent, frequency));
  return frequency;
}

}  // namespace curlew::fem
