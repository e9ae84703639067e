// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/solution_file.hpp"

#include "mesh/mesh_file.hpp"

namespace curlew::fem {
namespace {

const io::About edge_unknowns{"V", "unknowns (unknown, column); E = sum x_a W_a"};

void write_x(io::H5File& file, const std::vector<Complex>& x, std::size_t columns, const io::About& about) {
  const std::size_t n = columns == 0 ? 0 : x.size() / columns;
  std::vector<Complex> rows(x.size());
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < n; ++i) rows[i * columns + j] = x[j * n + i];
  }
  file.write("x", rows, about, {n, columns});
}

}  // namespace

SolutionFile::SolutionFile(const std::string& path, const NedelecSpace& space, const mesh::Mesh& mesh,
                           const io::Provenance& provenance)
    : file_(io::H5File::create(path)), num_unknowns_(std::size_t(space.num_dofs())), about_x_(edge_unknowns) {
  file_.write_provenance(provenance, "curlew-solution", 1);
  file_.set_attribute("space",
                      "first-kind Nedelec, hierarchical; unknowns by level, then edges, faces, cells");
  file_.set_attribute("order", std::int64_t(space.order));
  // Constrained entities have no unknown: readers find them by these numbers.
  file_.write("edge_number", space.edge_number, {"1", "index of each edge among the free ones, -1 on metal"});
  file_.write("face_number", space.face_number, {"1", "index of each face among the free ones, -1 on metal"});
  if (!space.is_uniform()) {
    file_.write("cell_number", space.cell_number, {"1", "index of each cell, those of a higher order first"});
    const auto write = [&](const char* name, const std::array<Index, 3>& reached, const char* what) {
      file_.write(name, std::vector<Index>(reached.begin(), reached.end()), {"1", what});
    };
    write("level_edges", space.level_edges,
          "number of free edges with an unknown of each level, which are the first by index");
    write("level_faces", space.level_faces,
          "number of free faces whose order reaches each level, which are the first by index");
    write("level_cells", space.level_cells,
          "number of cells whose order reaches each level, which are the first by index");
  }
  auto group = file_.create_group("mesh");
  mesh::write_mesh(mesh, group);
}

SolutionFile::SolutionFile(const std::string& path, const LagrangeSpace& space,
                           const io::Provenance& provenance)
    : file_(io::H5File::create(path)),
      num_unknowns_(std::size_t(space.num_nodes)),
      about_x_{"Pa", "pressure (node, column), peak phasor"} {
  file_.write_provenance(provenance, "curlew-solution", 1);
  file_.set_attribute(
      "space", "Lagrange, equally spaced nodes; vertices, then edges, then faces; prescribed ones last");
  file_.set_attribute("order", std::int64_t(space.order));
  file_.set_attribute("unknowns", std::int64_t(space.num_free));
  std::vector<double> points;
  for (const auto& p : node_positions(space)) points.insert(points.end(), {p.x, p.y, p.z});
  file_.write("points", points, {"m", "position of each node (node, axis)"}, {num_unknowns_, 3});
  auto group = file_.create_group("mesh");
  mesh::write_mesh(*space.mesh, group);
}

void SolutionFile::add(double frequency, const std::string& excitation, const Complex* x) {
  frequencies_.push_back(frequency);
  excitations_ += excitation + "\n";
  x_.insert(x_.end(), x, x + num_unknowns_);
}

void SolutionFile::close() {
  write_x(file_, x_, frequencies_.size(), about_x_);
  file_.write("frequency", frequencies_,
              {"Hz", "frequency of each column of x; its real part for a damped mode"});
  file_.write_string("excitation", excitations_, "source of each column of x, one per line");
  file_.close();
}

void write_solution_columns(const std::string& path, const std::vector<Complex>& x, Index columns,
                            const io::Provenance& provenance) {
  auto file = io::H5File::create(path);
  file.write_provenance(provenance, "curlew-solution", 1);
  write_x(file, x, std::size_t(columns), edge_unknowns);
  file.close();
}

}  // namespace curlew::fem
