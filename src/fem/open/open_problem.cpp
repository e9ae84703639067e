// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/open_problem.hpp"

#include <algorithm>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/boundary_conditions.hpp"
#include "fem/fields.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/open/absorbing.hpp"
#include "fem/open/dirichlet.hpp"
#include "fem/open/known_field.hpp"

namespace curlew::fem {
namespace {

double wavenumber(double frequency) {
  return 2 * pi * frequency / speed_of_light;
}

bool any_scattered(const std::vector<Excitation>& excitations) {
  return std::any_of(excitations.begin(), excitations.end(), [](const auto& e) { return e.is_scattered(); });
}

/// Metal that a known field meets: all of it but the backs of layers.
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

}  // namespace

OpenProblem::OpenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                         std::vector<Excitation> excitations, DrivenOptions options)
    : model_(std::move(model)),
      excitations_(std::move(excitations)),
      options_(std::move(options)),
      scattering_metal_(any_scattered(excitations_) ? metal_of_bodies(model_, mesh, topology)
                                                    : std::vector<Index>{}),
      space_(make_space(mesh, topology, model_.order, constrained_metal(model_, mesh, scattering_metal_))),
      assembler_(space_),
      known_(surface_dofs(space_, scattering_metal_)),
      divergence_(space_, model_) {
  if (excitations_.empty()) throw InputError("an open problem needs an [excitation]");
  if (!model_.ports.empty())
    throw InputError("a system with [excitation] has no [[port]]: fem-solve alone takes both");
  if (!model_.periodicity.empty())
    throw InputError(
        "[[periodic]] and [excitation] do not go together: waves come through [[port]] type = \"floquet\"");
  system_ = assembler_.create_matrix<Complex>();
  divergence_.add(wavenumber(1e9), system_);
  const bool reciprocal = std::all_of(
      model_.materials.begin(), model_.materials.end(),
      [](const RegionMaterial& m) { return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric(); });
  options_.direct.symmetry = reciprocal ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  solver_ = std::make_unique<linalg::SystemSolver>(
      options_, std::vector<Index>(space_.block_offsets.begin(), space_.block_offsets.end()));
}

std::vector<Complex> OpenProblem::loads(double frequency) const {
  const auto n = std::size_t(space_.num_dofs());
  const double k0 = wavenumber(frequency), omega = 2 * pi * frequency;
  const CellMaterials materials = materials_at(model_, *space_.mesh, frequency);
  const auto layer = pml_cells(*space_.mesh, model_.pml);
  std::vector<Complex> b(n * excitations_.size());
  for (std::size_t i = 0; i < excitations_.size(); ++i) {
    Complex* column = &b[i * n];
    if (!excitations_[i].is_scattered()) {
      add_current_load(space_, excitations_[i], column);
      for (std::size_t d = 0; d < n; ++d) column[d] *= Complex(0, -omega * vacuum_permeability);
      continue;
    }
    add_polarization_load(space_, materials, excitations_[i], k0, column);
    const auto add_faces = [&](std::span<const Index> triangles, Complex gamma, const FaceDirection& along) {
      add_boundary_load(space_, triangles, layer, excitations_[i], k0, gamma, along, column);
    };
    for (const FacePart& part : face_parts(model_, space_))
      if (!model_.boundaries[part.boundary]->is_absorbing())
        add_faces(part.triangles, part.admittance(frequency).even(), part.along);
    for (const auto& boundary : model_.boundaries)
      if (boundary->is_pmc()) add_faces(triangles_of(boundary.regions, *space_.mesh), Complex(0), {});
  }
  return b;
}

std::vector<Complex> OpenProblem::known_values(double k0) const {
  std::vector<Complex> values(known_.size() * excitations_.size());
  for (std::size_t i = 0; i < excitations_.size(); ++i) {
    if (!excitations_[i].is_scattered() || known_.empty()) continue;
    const auto x = interpolate_trace(
        space_, scattering_metal_,
        [incident = incident_field(excitations_[i], k0)](Vec3<double> point) { return -incident(point).e; });
    for (std::size_t d = 0; d < known_.size(); ++d) values[i * known_.size() + d] = x[std::size_t(known_[d])];
  }
  return values;
}

void OpenProblem::assemble(double frequency, linalg::Csr<Complex>& a, std::vector<Complex>& b) const {
  const double k0 = wavenumber(frequency);
  if (!divergence_.is_empty() || a.nnz() != assembler_.nnz()) a = assembler_.create_matrix<Complex>();
  assembler_.assemble<Complex>(materials_at(model_, *space_.mesh, frequency), 1.0, -k0 * k0, a.values.data());
  add_boundary_conditions(model_, space_, frequency, a);
  divergence_.add(k0, a);
  b = loads(frequency);
  impose_values(known_, known_values(k0).data(), Index(excitations_.size()), a, b.data());
}

void OpenProblem::analyse() {
  solver_->analyse(system_);
}

OpenSolution OpenProblem::solve(double frequency) {
  OpenSolution solution;
  solution.frequency = frequency;
  std::vector<Complex> b;
  assemble(frequency, system_, b);
  solver_->prepare(system_);
  solution.x.resize(b.size());
  solution.solver = solver_->solve(b.data(), solution.x.data(), Index(excitations_.size()));
  for (std::size_t i = 0; i < excitations_.size(); ++i)
    solution.source_power.push_back(
        source_power(excitations_[i], &solution.x[i * std::size_t(space_.num_dofs())], frequency));
  return solution;
}

double OpenProblem::source_power(const Excitation& excitation, const Complex* x, double frequency) const {
  if (excitation.wave) return 0;
  std::vector<Complex> load(std::size_t(space_.num_dofs()));
  add_current_load(space_, excitation, load.data());
  Complex work = 0;
  for (std::size_t d = 0; d < load.size(); ++d) work += x[d] * std::conj(load[d]);
  const double alone = excitation.background ? power_in_background(excitation, wavenumber(frequency)) : 0;
  return alone - 0.5 * work.real();
}

}  // namespace curlew::fem
