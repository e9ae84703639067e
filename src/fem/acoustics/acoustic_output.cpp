// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/geometry.hpp"
#include "fem/output/cell_subdivision.hpp"
#include "mesh/mesh_file.hpp"

namespace curlew::fem {
namespace {

bool is_quadratic(const LagrangeSpace& space) {
  return space.order > 1 || space.mesh->geometry_order > 1;
}

/// Pieces of every edge that the points of a cell make: vertices and, above order 1, middles of edges.
int pieces(const LagrangeSpace& space) {
  return is_quadratic(space) ? 2 : 1;
}

}  // namespace

AcousticFieldFile::AcousticFieldFile(const LagrangeSpace& space, const AcousticModel& model,
                                     const std::string& path, const io::Provenance& provenance)
    : space_(space),
      model_(model),
      coefficients_(acoustic_coefficients(model, *space.mesh)),
      evaluator_(space, reference_positions(pieces(space))) {
  number_points();
  writer_ =
      std::make_unique<io::VtkHdfWriter>(path, make_grid(), provenance, io::VtkNumbers::single_precision);
  writer_->static_cell_array("density", by_cell([](const AcousticMedium& m) { return m.density.real(); }), 1,
                             {"kg/m^3", "real part of the density"});
  writer_->static_cell_array("speed_of_sound",
                             by_cell([](const AcousticMedium& m) { return m.speed_of_sound.real(); }), 1,
                             {"m/s", "real part of the speed of sound"});
}

std::vector<double> AcousticFieldFile::by_cell(double (*value)(const AcousticMedium&)) const {
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c)
    values.insert(values.end(), std::size_t(pieces(space_) == 2 ? 8 : 1),
                  value(model_.media[coefficients_.material_of(c)]));
  return values;
}

/// One point per vertex or edge and medium.
void AcousticFieldFile::number_points() {
  const mesh::Mesh& mesh = *space_.mesh;
  const std::size_t places = mesh.nodes.size() + space_.topology->edges.size();
  std::vector<Index> number(places * model_.media.size(), -1);
  const int n = evaluator_.num_points();
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

io::VtkGrid AcousticFieldFile::make_grid() const {
  const mesh::Mesh& mesh = *space_.mesh;
  const int n = evaluator_.num_points();
  const CellSubdivision cut(pieces(space_));
  io::VtkGrid grid;
  grid.points.resize(share_.size());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const Index* points = &point_[std::size_t(c) * std::size_t(n)];
    for (int i = 0; i < n; ++i)
      grid.points[std::size_t(points[i])] = map_point(geometry, evaluator_.points()[std::size_t(i)]);
    // VTK wants right-handed cells; our vertices are sorted by number.
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

void AcousticFieldFile::add(double value, Complex omega, const std::vector<Complex>& x) {
  const auto n = std::size_t(evaluator_.num_points());
  const Index cells = space_.mesh->num_cells();
  std::vector<Complex> p(std::size_t(cells) * n);
  std::vector<Vec3<Complex>> gradient(p.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < cells; ++c)
    evaluator_.evaluate(c, x.data(), &p[std::size_t(c) * n], &gradient[std::size_t(c) * n]);

  std::vector<Complex> pressure(share_.size()), velocity(3 * share_.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto point = std::size_t(point_[i]);
    const Complex scale =
        Complex(0, 1) / omega * coefficients_.diffusion[coefficients_.material_of(Index(i / n))];
    pressure[point] = p[i];  // continuous
    for (int d = 0; d < 3; ++d)
      velocity[3 * point + std::size_t(d)] += share_[point] * scale * gradient[i][d];
  }
  std::vector<double> level;
  for (const Complex z : pressure) level.push_back(sound_pressure_level(std::norm(z)));
  writer_->begin_step(value);
  writer_->point_array("p", pressure, 1, {"Pa", "pressure, peak phasor"});
  writer_->point_array("v", velocity, 3, {"m/s", "particle velocity, peak phasor"});
  writer_->point_array("level", level, 1, {"dB", "sound pressure level re 20 uPa (rms)"});
}

void AcousticFieldFile::close() {
  writer_->close();
}

AcousticSolutionFile::AcousticSolutionFile(const std::string& path, const LagrangeSpace& space,
                                           const io::Provenance& provenance)
    : file_(io::H5File::create(path)), num_nodes_(std::size_t(space.num_nodes)) {
  file_.write_provenance(provenance, "curlew-solution", 1);
  file_.set_attribute(
      "space", "Lagrange, equally spaced nodes; vertices, then edges, then faces; prescribed ones last");
  file_.set_attribute("order", std::int64_t(space.order));
  file_.set_attribute("unknowns", std::int64_t(space.num_free));
  std::vector<double> points;
  for (const auto& p : node_positions(space)) points.insert(points.end(), {p.x, p.y, p.z});
  file_.write("points", points, {"m", "where each node is (node, axis)"}, {num_nodes_, 3});
  auto group = file_.create_group("mesh");
  mesh::write_mesh(*space.mesh, group);
}

void AcousticSolutionFile::add(double frequency, const std::string& excitation,
                               const std::vector<Complex>& x) {
  frequencies_.push_back(frequency);
  excitations_ += excitation + "\n";
  x_.insert(x_.end(), x.begin(), x.end());
}

void AcousticSolutionFile::close() {
  const std::size_t columns = frequencies_.size();
  std::vector<Complex> rows(x_.size());
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < num_nodes_; ++i) rows[i * columns + j] = x_[j * num_nodes_ + i];
  file_.write("x", rows, {"Pa", "pressure (node, column), peak phasor"}, {num_nodes_, columns});
  file_.write("frequency", frequencies_, {"Hz", "of each column of x; the real part for a decaying mode"});
  file_.write_string("excitation", excitations_, "what drove each column of x, one line a column");
  file_.close();
}

}  // namespace curlew::fem
