// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_exterior.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/lagrange/scalar_boundary.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

Complex SoundWave::pressure(Vec3<double> x) const {
  return std::polar(amplitude, -k * dot(direction, x));
}

Complex SoundWave::slope(Vec3<double> x, Vec3<double> normal) const {
  return Complex(0, -k * dot(direction, normal)) * pressure(x);
}

/// Numbered by nodes_; the others have no row.
struct SoundExterior::Mass {
  std::vector<Index> row;  // [num_nodes] -1 off the face
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors;

  Mass(const LagrangeSpace& space, const std::vector<Index>& triangles, const std::vector<Index>& nodes)
      : row(std::size_t(space.num_nodes), -1) {
    for (std::size_t i = 0; i < nodes.size(); ++i) row[std::size_t(nodes[i])] = Index(i);
    const auto masses = face_masses(space, triangles);
    const int n = lagrange_face_dim(space.order);
    std::vector<Eigen::Triplet<double>> entries;
    Index at[max_lagrange_face_dim];
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      space.face_nodes(space.topology->triangle_face[std::size_t(triangles[t])], at);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const Index a = row[std::size_t(at[i])], b = row[std::size_t(at[j])];
          if (a >= 0 && b >= 0)
            entries.emplace_back(
                a, b, masses[(t * std::size_t(n) + std::size_t(i)) * std::size_t(n) + std::size_t(j)]);
        }
    }
    Eigen::SparseMatrix<double> matrix(Eigen::Index(nodes.size()), Eigen::Index(nodes.size()));
    matrix.setFromTriplets(entries.begin(), entries.end());
    factors.compute(matrix);
  }
};

SoundExterior::SoundExterior(const LagrangeSpace& space, const AcousticModel& model)
    : space_(space), model_(model), coefficients_(acoustic_coefficients(model, *space.mesh)) {
  const mesh::Mesh& mesh = *space.mesh;
  const auto layer = [&](Index cell) { return coefficients_.cell_layer[std::size_t(cell)] >= 0; };
  triangles_ = surface_triangles(mesh, model.layer_face);
  for (const Index t : triangles_) {
    const auto [a, b] =
        space.topology->face_cells[std::size_t(space.topology->triangle_face[std::size_t(t)])];
    sides_.push_back(points_into(mesh, t, layer(a) ? a : b) ? 1 : -1);
  }
  std::vector<char> on_face(std::size_t(space.num_nodes), 0);
  for (const Index node : nodes_on(space, triangles_))
    if (node < space.num_free) on_face[std::size_t(node)] = 1, nodes_.push_back(node);
  Index nodes[max_lagrange_dim];
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    if (!layer(c)) continue;
    space.cell_nodes(c, nodes);
    if (std::any_of(nodes, nodes + lagrange_dim(space.order),
                    [&](Index n) { return on_face[std::size_t(n)] != 0; }))
      beside_.push_back(c);
  }
  const auto [a, b] =
      space.topology->face_cells[std::size_t(space.topology->triangle_face[std::size_t(triangles_.front())])];
  const AcousticMedium& around = model.media[coefficients_.material_of(layer(a) ? a : b)];
  density_ = around.density.real(), speed_ = around.speed_of_sound.real();
  mass_ = std::make_unique<Mass>(space, triangles_, nodes_);
}

SoundExterior::~SoundExterior() = default;
SoundExterior::SoundExterior(SoundExterior&&) noexcept = default;

double SoundExterior::wavenumber(double frequency) const {
  return 2 * pi * frequency / speed_;
}

SoundWave SoundExterior::wave(double frequency) const {
  if (!model_.wave) throw InputError("the model of sound has no wave");
  return {model_.wave->direction(), wavenumber(frequency), model_.wave->amplitude};
}

std::vector<Complex> SoundExterior::trace(const SoundWave& wave) const {
  const auto at = node_positions(space_);
  std::vector<Complex> load(at.size()), w(at.size());
  add_boundary_load(
      space_, triangles_, sides_, [&](Vec3<double> x, Vec3<double>) { return wave.pressure(x); },
      load.data());
  Index nodes[max_lagrange_dim];
  for (Index c = 0; c < space_.mesh->num_cells(); ++c) {
    if (coefficients_.cell_layer[std::size_t(c)] < 0) continue;
    space_.cell_nodes(c, nodes);
    for (int i = 0; i < lagrange_dim(space_.order); ++i)
      w[std::size_t(nodes[i])] = wave.pressure(at[std::size_t(nodes[i])]);
  }
  const auto projected = flux(load);
  for (const Index node : nodes_) w[std::size_t(node)] = projected[std::size_t(node)];
  return w;
}

std::vector<Complex> SoundExterior::slope_load(const SoundWave& wave) const {
  std::vector<Complex> load(std::size_t(space_.num_nodes));
  add_boundary_load(
      space_, triangles_, sides_, [&](Vec3<double> x, Vec3<double> n) { return wave.slope(x, n) / density_; },
      load.data());
  return load;
}

std::vector<Complex> SoundExterior::beside_face(const std::vector<Complex>& u, double frequency) const {
  ScalarCoefficients coefficients = coefficients_;
  coefficients.layers = acoustic_layers(model_, coefficients, frequency);
  const double omega = 2 * pi * frequency;
  const ScalarTable table = curved_scalar_table(space_.order);
  ScalarCellMatrix<Complex> matrix(space_, coefficients, table);
  const int n = lagrange_dim(space_.order);
  std::vector<Complex> load(u.size());
  Index nodes[max_lagrange_dim];
  for (const Index c : beside_) {
    space_.cell_nodes(c, nodes);
    matrix.compute(c, 1.0, -omega * omega);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        load[std::size_t(nodes[i])] -= matrix.entries()[i * n + j] * u[std::size_t(nodes[j])];
  }
  return load;
}

std::vector<Complex> SoundExterior::on_face(const std::vector<Complex>& u) const {
  std::vector<Complex> values(u.size());
  for (const Index node : nodes_) values[std::size_t(node)] = u[std::size_t(node)];
  return values;
}

std::vector<Complex> SoundExterior::flux_load(const std::vector<Complex>& u, double frequency) const {
  return on_face(beside_face(u, frequency));
}

/// int (u dg/dn - rho g flux) dS with the projection of g, as a form of u.
std::vector<Complex> SoundExterior::far_load(const SoundWave& wave) const {
  auto load = slope_load(wave);
  const auto of_flux = beside_face(on_face(trace(wave)), wave.k * speed_ / (2 * pi));
  for (std::size_t i = 0; i < load.size(); ++i) load[i] = density_ / (4 * pi) * (load[i] - of_flux[i]);
  return load;
}

std::vector<Complex> SoundExterior::power_load(const std::vector<Complex>& u, double frequency) const {
  auto mirrored = on_face(u);
  for (Complex& value : mirrored) value = std::conj(value);
  auto load = beside_face(mirrored, frequency);
  const auto flux = flux_load(u, frequency);
  for (std::size_t i = 0; i < load.size(); ++i) load[i] -= std::conj(flux[i]);
  return load;
}

std::vector<Complex> SoundExterior::flux(const std::vector<Complex>& load) const {
  Eigen::MatrixXd parts(Eigen::Index(nodes_.size()), 2);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Complex z = load[std::size_t(nodes_[i])];
    parts(Eigen::Index(i), 0) = z.real(), parts(Eigen::Index(i), 1) = z.imag();
  }
  const Eigen::MatrixXd solved = mass_->factors.solve(parts);
  std::vector<Complex> values(load.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    values[std::size_t(nodes_[i])] = {solved(Eigen::Index(i), 0), solved(Eigen::Index(i), 1)};
  return values;
}

}  // namespace curlew::fem
