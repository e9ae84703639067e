// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_output.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
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
  opening_.add([this, cells, path, provenance] { open(cells, path, provenance); });
}

void AcousticFieldFile::open(const FieldCells& cells, const std::string& path,
                             const io::Provenance& provenance) {
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

io::VtkHdfWriter& AcousticFieldFile::opened() {
  opening_.finish();
  return *writer_;
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

void AcousticFieldFile::at_slots(const std::vector<Complex>& x, Complex omega, Complex* p,
                                 Vec3<Complex>* velocities) const {
  const Index cells = space_.mesh->num_cells();
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < cells; ++c) {
    const Offset first = slots().first[std::size_t(c)], end = slots().first[std::size_t(c) + 1];
    const auto& evaluator = *evaluators_[std::size_t(slots().order[std::size_t(c)])];
    evaluator.evaluate(c, x.data(), p + first, velocities == nullptr ? nullptr : velocities + first);
    if (velocities == nullptr) continue;
    const Complex scale = Complex(0, 1) / omega * coefficients_.diffusion[coefficients_.material_of(c)];
    for (Offset s = first; s < end; ++s) velocities[s] = scale * velocities[s];
  }
}

std::vector<Complex> AcousticFieldFile::at_points(const std::vector<Complex>& p) const {
  const SharedPoints& shared = points();
  std::vector<Complex> pressure(shared.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < pressure.size(); ++i)
    pressure[i] = p[std::size_t(shared.slots[std::size_t(shared.first[i])])];
  return pressure;
}

void AcousticFieldFile::add_pressure(const std::string& name, const std::string& meaning,
                                     const std::vector<Complex>& x) {
  auto p = huge_vector<Complex>(points().point.size());
  at_slots(x, 1, p.data(), nullptr);
  opened().point_array(name, at_points(p), 1, {"Pa", meaning});
}

void AcousticFieldFile::add(double value, Complex omega, const std::vector<Complex>& x) {
  io::VtkHdfWriter& writer = opened();
  const SharedPoints& shared = points();
  auto p = huge_vector<Complex>(shared.point.size());
  auto v = huge_vector<Vec3<Complex>>(shared.point.size());
  at_slots(x, omega, p.data(), v.data());
  const auto pressure = at_points(p);
  std::vector<Complex> velocity(3 * shared.size());
  std::vector<double> level(shared.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < shared.size(); ++i) {
    level[i] = sound_pressure_level(std::norm(pressure[i]));
    const auto around =
        std::span(shared.slots)
            .subspan(std::size_t(shared.first[i]), std::size_t(shared.first[i + 1] - shared.first[i]));
    Vec3<Complex> sum{};
    for (const Offset slot : around) sum += v[std::size_t(slot)];
    for (int d = 0; d < 3; ++d) velocity[3 * i + std::size_t(d)] = sum[d] / double(around.size());
  }
  writer.begin_step(value);
  writer.point_array("p", pressure, 1, {"Pa", "pressure, peak phasor"});
  writer.point_array("v", velocity, 3, {"m/s", "particle velocity, peak phasor"});
  writer.point_array("level", level, 1, {"dB", "sound pressure level re 20 uPa (rms)"});
}

void AcousticFieldFile::close() {
  opened().close();
}

}  // namespace curlew::fem
