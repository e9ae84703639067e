// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/open_problem.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "fem/fields.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/open/known_field.hpp"
#include "fem/system/dirichlet.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

bool any_scattered(const std::vector<Excitation>& excitations) {
  return std::any_of(excitations.begin(), excitations.end(), [](const auto& e) { return e.is_scattered(); });
}

/// Metal with a known incident field: all except the backs of PML.
std::vector<Index> metal_of_bodies(const Model& model, const mesh::Mesh& mesh,
                                   const mesh::Topology& topology) {
  const auto layer = pml_cells(mesh, model.pml);
  std::vector<Index> triangles = pec_triangles(model, mesh);
  std::erase_if(triangles, [&](Index t) {
    const auto& cells = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])];
    return layer[std::size_t(cells[0])] && (cells[1] < 0 || layer[std::size_t(cells[1])]);
  });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

/// Metal on which n x E = 0 for every excitation.
std::vector<Index> constrained_metal(const Model& model, const mesh::Mesh& mesh,
                                     const std::vector<Index>& scattering) {
  std::vector<Index> triangles = pec_triangles(model, mesh);
  std::erase_if(triangles,
                [&](Index t) { return std::binary_search(scattering.begin(), scattering.end(), t); });
  return triangles;
}

const Model& checked(const Model& model, const std::vector<Excitation>& excitations) {
  if (excitations.empty()) throw InputError("an open problem needs an [excitation]");
  if (!model.ports.empty())
    throw InputError("[excitation] and [[port]] together are only possible in fem-solve");
  if (!model.periodicity.empty())
    throw InputError(
        "[[periodic]] and [excitation] cannot be combined: excite waves by [[port]] type = \"floquet\"");
  return model;
}

}  // namespace

OpenProblem::OpenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                         std::vector<Excitation> excitations, DrivenOptions options)
    : OpenProblem(
          mesh, topology, model, excitations, std::move(options),
          any_scattered(excitations) ? metal_of_bodies(model, mesh, topology) : std::vector<Index>{}) {}

OpenProblem::OpenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                         std::vector<Excitation> excitations, DrivenOptions options,
                         std::vector<Index> scattering_metal)
    : MaxwellSystem(mesh, topology, checked(model, excitations), std::move(options),
                    constrained_metal(model, mesh, scattering_metal)),
      excitations_(std::move(excitations)),
      scattering_metal_(std::move(scattering_metal)),
      known_(surface_dofs(space(), scattering_metal_)) {}

std::vector<Complex> source_loads(const NedelecSpace& space, const Model& model,
                                  const std::vector<Excitation>& excitations, double frequency) {
  const auto n = std::size_t(space.num_dofs());
  const double k0 = wavenumber(frequency), omega = 2 * pi * frequency;
  const CellMaterials materials = materials_at(model, *space.mesh, frequency);
  const auto layer = pml_cells(*space.mesh, model.pml);
  std::vector<Complex> b(n * excitations.size());
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    Complex* column = &b[i * n];
    if (!excitations[i].is_scattered()) {
      add_current_load(space, excitations[i], column);
      for (std::size_t d = 0; d < n; ++d) column[d] *= Complex(0, -omega * vacuum_permeability);
      continue;
    }
    add_polarization_load(space, materials, excitations[i], k0, column);
    const auto add_faces = [&](std::span<const Index> triangles, Complex gamma, const FaceDirection& along) {
      add_boundary_load(space, triangles, layer, excitations[i], k0, gamma, along, column);
    };
    for (const FacePart& part : face_parts(model, space))
      if (!model.boundaries[part.boundary]->is_absorbing())
        add_faces(part.triangles, part.admittance(frequency).even(), part.along);
    for (const auto& boundary : model.boundaries)
      if (boundary->is_pmc()) add_faces(mesh::triangles_of(*space.mesh, boundary.regions), Complex(0), {});
  }
  return b;
}

std::vector<Complex> OpenProblem::known_values(const std::vector<Excitation>& excitations, double k0) const {
  std::vector<Complex> values(known_.size() * excitations.size());
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    if (!excitations[i].is_scattered() || known_.empty()) continue;
    const auto x = interpolate_trace(
        space(), scattering_metal_,
        [incident = incident_field(excitations[i], k0)](Vec3<double> point) { return -incident(point).e; });
    for (std::size_t d = 0; d < known_.size(); ++d) values[i * known_.size() + d] = x[std::size_t(known_[d])];
  }
  return values;
}

void OpenProblem::assemble(double frequency, linalg::Csr<Complex>& a, std::vector<Complex>& b) const {
  MaxwellSystem::assemble(frequency, a);
  b = source_loads(space(), model(), excitations_, frequency);
  fem::impose_values(known_, known_values(excitations_, wavenumber(frequency)).data(),
                     Index(excitations_.size()), a, b.data());
}

std::vector<Complex> OpenProblem::fill(const std::vector<Excitation>& excitations, double frequency) {
  fill_matrix(frequency);
  auto b = source_loads(space(), model(), excitations, frequency);
  impose_values(known_, known_values(excitations, wavenumber(frequency)).data(), Index(excitations.size()),
                b.data());
  return b;
}

OpenSolution OpenProblem::solve(double frequency) {
  OpenSolution solution;
  solution.frequency = frequency;
  const auto b = fill(excitations_, frequency);
  prepare(), prepared_for_ = frequency;
  solution.x.resize(b.size());
  solution.solver = solve_columns(b.data(), solution.x.data(), Index(excitations_.size()));
  for (std::size_t i = 0; i < excitations_.size(); ++i)
    solution.source_power.push_back(
        source_power(excitations_[i], &solution.x[i * std::size_t(space().num_dofs())], frequency));
  return solution;
}

std::vector<Complex> OpenProblem::solve_for(const std::vector<Excitation>& others, double frequency) {
  const auto b = fill(others, frequency);  // prescribed values need the matrix before they are imposed
  if (frequency != prepared_for_) prepare(), prepared_for_ = frequency;
  std::vector<Complex> x(b.size());
  solve_columns(b.data(), x.data(), Index(others.size()));
  return x;
}

double OpenProblem::source_power(const Excitation& excitation, const Complex* x, double frequency) const {
  if (excitation.wave) return 0;
  if (has_dipole_in_loss(*space().mesh, materials_at(model(), *space().mesh, frequency), excitation))
    return std::numeric_limits<double>::infinity();
  std::vector<Complex> load(std::size_t(space().num_dofs()));
  add_current_load(space(), excitation, load.data());
  Complex work = 0;
  for (std::size_t d = 0; d < load.size(); ++d) work += x[d] * std::conj(load[d]);
  const double alone = excitation.background ? power_in_background(excitation, wavenumber(frequency)) : 0;
  return alone - 0.5 * work.real();
}

}  // namespace curlew::fem
