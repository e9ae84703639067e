// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/huge_pages.hpp"
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
  if (cells.are_lagrange(space.order))
    number_own_points();
  else
    number_shared_points();
  writer_ = std::make_unique<io::VtkHdfWriter>(path, lagrange_ ? lagrange_->grid() : linear_grid(),
                                               provenance, io::VtkNumbers::single_precision);
  writer_->static_cell_array("density", by_cell([](const AcousticMedium& m) { return m.density.real(); }), 1,
                             {"kg/m^3", "real part of the density"});
  writer_->static_cell_array("speed_of_sound",
                             by_cell([](const AcousticMedium& m) { return m.speed_of_sound.real(); }), 1,
                             {"m/s", "real part of the speed of sound"});
}

std::vector<double> AcousticFieldFile::by_cell(double (*value)(const AcousticMedium&)) const {
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c)
    values.insert(values.end(), std::size_t(!lagrange_ && pieces(space_) == 2 ? 8 : 1),
                  value(model_.media[coefficients_.material_of(c)]));
  return values;
}

void AcousticFieldFile::number_own_points() {
  lagrange_ = std::make_unique<LagrangeGrid>(*space_.mesh, space_.order);
  for (int order = 0; order <= LagrangeGrid::highest_order; ++order) {
    const auto& nodes = lagrange_->positions(order);
    evaluators_.push_back(nodes.empty() ? nullptr : std::make_unique<ScalarEvaluator>(space_, nodes));
  }
  resize_huge(point_, lagrange_->grid().points.size()), resize_huge(share_, point_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < point_.size(); ++i) point_[i] = Offset(i), share_[i] = 1;
}

const ScalarEvaluator& AcousticFieldFile::evaluator_of(Index cell) const {
  return *evaluators_[lagrange_ ? std::size_t(lagrange_->order(cell)) : 0];
}

std::size_t AcousticFieldFile::first_slot(Index cell) const {
  return lagrange_ ? std::size_t(lagrange_->first_point(cell))
                   : std::size_t(cell) * std::size_t(evaluators_[0]->num_points());
}

/// One point per vertex or edge and medium.
void AcousticFieldFile::number_shared_points() {
  evaluators_.push_back(std::make_unique<ScalarEvaluator>(space_, reference_positions(pieces(space_))));
  const mesh::Mesh& mesh = *space_.mesh;
  const std::size_t places = mesh.nodes.size() + space_.topology->edges.size();
  std::vector<Index> number(places * model_.media.size(), -1);
  const int n = evaluators_[0]->num_points();
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int i = 0; i < n; ++i) {
      const std::size_t place =
          i < 4 ? std::size_t(mesh.cell(c)[i])
                : mesh.nodes.size() +
                      std::size_t(space_.topology->cell_edges[std::size_t(c)][std::size_t(i - 4)]);
      Index& slot = number[coefficients_.material_of(c) * places + place];
      if (slot < 0) slot = Index(share_.size()), share_.push_back(0);
      point_.push_back(slot);
      share_[std::size_t(slot)] += 1;
    }
  for (double& s : share_) s = 1 / s;
}

io::VtkGrid AcousticFieldFile::linear_grid() const {
  const mesh::Mesh& mesh = *space_.mesh;
  const ScalarEvaluator& evaluator = *evaluators_[0];
  const int n = evaluator.num_points();
  const CellSubdivision cut(pieces(space_));
  io::VtkGrid grid;
  grid.points.resize(share_.size());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const Offset* points = &point_[first_slot(c)];
    for (int i = 0; i < n; ++i)
      grid.points[std::size_t(points[i])] = map_point(geometry, evaluator.points()[std::size_t(i)]);
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

std::vector<Complex> AcousticFieldFile::at_points(const std::vector<Complex>& x,
                                                  Vec3<Complex>* gradients) const {
  const Index cells = space_.mesh->num_cells();
  auto p = huge_vector<Complex>(point_.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < cells; ++c)
    evaluator_of(c).evaluate(c, x.data(), &p[first_slot(c)],
                             gradients == nullptr ? nullptr : gradients + first_slot(c));
  if (lagrange_) return p;  // points are not shared
  std::vector<Complex> pressure(share_.size());
  for (std::size_t i = 0; i < p.size(); ++i) pressure[std::size_t(point_[i])] = p[i];  // continuous
  return pressure;
}

void AcousticFieldFile::add_pressure(const std::string& name, const std::string& meaning,
                                     const std::vector<Complex>& x) {
  writer_->point_array(name, at_points(x, nullptr), 1, {"Pa", meaning});
}

void AcousticFieldFile::add(double value, Complex omega, const std::vector<Complex>& x) {
  const Index cells = space_.mesh->num_cells();
  auto gradient = huge_vector<Vec3<Complex>>(point_.size());
  const auto pressure = at_points(x, gradient.data());
  auto velocity = huge_vector<Complex>(3 * share_.size());
#pragma omp parallel for schedule(static) if (lagrange_ != nullptr)  // others share points
  for (Index c = 0; c < cells; ++c) {
    const Complex scale = Complex(0, 1) / omega * coefficients_.diffusion[coefficients_.material_of(c)];
    const std::size_t first = first_slot(c), end = first + std::size_t(evaluator_of(c).num_points());
    for (std::size_t i = first; i < end; ++i) {
      const auto point = std::size_t(point_[i]);
      for (int d = 0; d < 3; ++d)
        velocity[3 * point + std::size_t(d)] += share_[point] * scale * gradient[i][d];
    }
  }
  auto level = huge_vector<double>(pressure.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < level.size(); ++i) level[i] = sound_pressure_level(std::norm(pressure[i]));
  writer_->begin_step(value);
  writer_->point_array("p", pressure, 1, {"Pa", "pressure, peak phasor"});
  writer_->point_array("v", velocity, 3, {"m/s", "particle velocity, peak phasor"});
  writer_->point_array("level", level, 1, {"dB", "sound pressure level re 20 uPa (rms)"});
}

void AcousticFieldFile::close() {
  writer_->close();
}

}  // namespace curlew::fem
