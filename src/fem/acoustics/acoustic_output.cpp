// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/geometry.hpp"
#include "mesh/mesh_file.hpp"

namespace curlew::fem {
namespace {

bool is_quadratic(const LagrangeSpace& space) {
  return space.order > 1 || space.mesh->geometry_order > 1;
}

/// Local point in the middle of two vertices: 4 + edge.
int middle_point(int a, int b) {
  for (int e = 0; e < 6; ++e) {
    const auto& [i, j] = mesh::cell_edge_vertices[std::size_t(e)];
    if ((i == a && j == b) || (i == b && j == a)) return 4 + e;
  }
  return -1;
}

}  // namespace

AcousticFieldFile::AcousticFieldFile(const LagrangeSpace& space, const AcousticModel& model,
                                     const std::string& path, const io::Provenance& provenance)
    : space_(space),
      model_(model),
      coefficients_(acoustic_coefficients(model, *space.mesh)),
      evaluator_(space, reference_positions(is_quadratic(space) ? 2 : 1)) {
  number_points();
  writer_ = std::make_unique<io::VtkHdfWriter>(path, make_grid(), provenance);
  writer_->static_cell_array("density", by_cell([](const AcousticMedium& m) { return m.density.real(); }), 1,
                             {"kg/m^3", "real part of the density"});
  writer_->static_cell_array("speed_of_sound",
                             by_cell([](const AcousticMedium& m) { return m.speed_of_sound.real(); }), 1,
                             {"m/s", "real part of the speed of sound"});
}

std::vector<double> AcousticFieldFile::by_cell(double (*value)(const AcousticMedium&)) const {
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c)
    values.push_back(value(model_.media[coefficients_.material_of(c)]));
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
  io::VtkGrid grid;
  grid.points.resize(share_.size());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const Index* points = &point_[std::size_t(c) * std::size_t(n)];
    for (int i = 0; i < n; ++i)
      grid.points[std::size_t(points[i])] = map_point(geometry, evaluator_.points()[std::size_t(i)]);
    // VTK wants a right-handed cell; our vertices are sorted by number.
    std::array<int, 4> v{0, 1, 2, 3};
    if (determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0) std::swap(v[0], v[1]);
    constexpr std::array<std::array<int, 2>, 6> vtk_edges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
    std::array<std::int64_t, 10> nodes{};
    for (std::size_t i = 0; i < 4; ++i) nodes[i] = points[v[i]];
    for (std::size_t e = 0; n == 10 && e < 6; ++e)
      nodes[4 + e] = points[middle_point(v[std::size_t(vtk_edges[e][0])], v[std::size_t(vtk_edges[e][1])])];
    grid.add_cell(n == 4 ? io::VtkCell::tetrahedron : io::VtkCell::quadratic_tetrahedron, nodes.data(), n);
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
