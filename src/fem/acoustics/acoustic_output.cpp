// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_output.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/geometry.hpp"
#include "fem/output/cell_subdivision.hpp"

namespace curlew::fem {
namespace {

bool is_quadratic(const LagrangeSpace& space) {
  return space.order > 1 || space.mesh->geometry_order > 1;
}

/// Number of pieces of every edge between the points of a cell: vertices and, above order 1, middles of
/// edges.
int pieces(const LagrangeSpace& space) {
  return is_quadratic(space) ? 2 : 1;
}

}  // namespace

AcousticFieldFile::AcousticFieldFile(const LagrangeSpace& space, const AcousticModel& model,
                                     const FieldCells& cells, const std::string& path,
                                     const io::Provenance& provenance)
    : space_(space), model_(model), coefficients_(acoustic_coefficients(model, *space.mesh)) {
  const mesh::Mesh& mesh = *space_.mesh;
  evaluators_.resize(std::size_t(LagrangeGrid::highest_order) + 1);
  if (cells.are_lagrange(space_.order)) {
    lagrange_ = std::make_unique<LagrangeGrid>(mesh, *space_.topology, space_.order, media());
  } else {
    slots_ = {std::vector<int>(std::size_t(mesh.num_cells()), pieces(space_)), media()};
    slots_.count();
    points_ = share_points(mesh, *space_.topology, slots_);
  }
  for (const int order : std::set<int>(slots().order.begin(), slots().order.end()))
    evaluators_[std::size_t(order)] =
        std::make_unique<ScalarEvaluator>(space_, CellSubdivision(order).positions());
  writer_ = std::make_unique<io::VtkHdfWriter>(path, lagrange_ ? lagrange_->grid() : linear_grid(),
                                               provenance, io::VtkNumbers::single_precision);
  writer_->static_cell_array("density", by_cell([](const AcousticMedium& m) { return m.density.real(); }), 1,
                             {"kg/m^3", "real part of the density"});
  writer_->static_cell_array("speed_of_sound",
                             by_cell([](const AcousticMedium& m) { return m.speed_of_sound.real(); }), 1,
                             {"m/s", "real part of the speed of sound"});
}

std::vector<int> AcousticFieldFile::media() const {
  std::vector<int> media(std::size_t(space_.mesh->num_cells()));
  for (std::size_t c = 0; c < media.size(); ++c) media[c] = int(coefficients_.material_of(Index(c)));
  return media;
}

std::vector<double> AcousticFieldFile::by_cell(double (*value)(const AcousticMedium&)) const {
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c)
    values.insert(values.end(), std::size_t(!lagrange_ && pieces(space_) == 2 ? 8 : 1),
                  value(model_.media[coefficients_.material_of(c)]));
  return values;
}

io::VtkGrid AcousticFieldFile::linear_grid() const {
  const mesh::Mesh& mesh = *space_.mesh;
  const CellSubdivision cut(pieces(space_));
  const auto positions = cut.positions();
  io::VtkGrid grid;
  grid.points.resize(points_.size());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const Offset* points = &points_.point[std::size_t(slots_.first[std::size_t(c)])];
    for (std::size_t i = 0; i < positions.size(); ++i)
      grid.points[std::size_t(points[i])] = map_point(geometry, positions[i]);
    // VTK needs right-handed cells; our vertices are sorted by number.
    const bool is_left = determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0;
    for (const auto& small : cut.cells()) {
      std::array<std::int64_t, 4> nodes{};
      for (std::size_t i = 0; i < 4; ++i) nodes[i] = points[small[i]];
      if (is_left) std::swap(nodes[0], nodes[1]);
      grid.add_cell(io::VtkCell::tetrahedron, nodes.data(), 4);
    }
  }
  return grid;
}

Complex AcousticFieldFile::evaluate(std::size_t point, const std::vector<Complex>& x,
                                    Vec3<Complex>* flow) const {
  const auto around = points().nodes_of(point);
  const auto at = [&](const CellNode& n, Complex* value, Vec3<Complex>* gradient) {
    evaluators_[std::size_t(slots().order[std::size_t(n.cell)])]->evaluate_at(n.cell, n.node, x.data(), value,
                                                                              gradient);
  };
  Complex p;
  at(around.front(), &p, nullptr);
  if (flow == nullptr) return p;
  Vec3<Complex> sum{};
  for (const CellNode& n : around) {
    Vec3<Complex> gradient;
    at(n, nullptr, &gradient);
    sum += gradient;
  }
  const Complex diffusion = coefficients_.diffusion[coefficients_.material_of(around.front().cell)];
  *flow = -diffusion / double(around.size()) * sum;
  return p;
}

void AcousticFieldFile::add_pressure(const std::string& name, const std::string& meaning,
                                     const std::vector<Complex>& x) {
  std::vector<Complex> pressure(points().size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < pressure.size(); ++i) pressure[i] = evaluate(i, x, nullptr);
  writer_->point_array(name, pressure, 1, {"Pa", meaning});
}

void AcousticFieldFile::add(double value, Complex omega, const std::vector<Complex>& x) {
  const std::size_t n = points().size();
  std::vector<Complex> pressure(n), velocity(3 * n);
  std::vector<double> level(n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    Vec3<Complex> flow;
    pressure[i] = evaluate(i, x, &flow);
    level[i] = sound_pressure_level(std::norm(pressure[i]));
    for (int d = 0; d < 3; ++d) velocity[3 * i + std::size_t(d)] = flow[d] / (Complex(0, 1) * omega);
  }
  writer_->begin_step(value);
  writer_->point_array("p", pressure, 1, {"Pa", "pressure, peak phasor"});
  writer_->point_array("v", velocity, 3, {"m/s", "particle velocity, peak phasor"});
  writer_->point_array("level", level, 1, {"dB", "sound pressure level re 20 uPa (rms)"});
}

void AcousticFieldFile::close() {
  writer_->close();
}

}  // namespace curlew::fem
