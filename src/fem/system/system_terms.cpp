// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/system_terms.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/model/face_parts.hpp"

namespace curlew::fem {
namespace {

/// The model with only constant permittivities, or with only its conductivities.
Model constant_part(Model model) {
  for (auto& m : model.materials) m.conductivity = 0, m.dispersion = {};
  return model;
}
/// ε_r := σ in every region.
Model conduction_only(Model model) {
  for (auto& m : model.materials) {
    m.epsilon_r = m.conductivity;
    m.loss_tangent = m.conductivity = 0;
    m.dispersion = {};
  }
  return model;
}
/// ε_r := 1 in one material, 0 in all others.
Model indicator(Model model, std::size_t material) {
  model = constant_part(std::move(model));
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    model.materials[i].epsilon_r = i == material ? 1.0 : 0.0;
    model.materials[i].loss_tangent = 0;
  }
  return model;
}

/// Those rows of a matrix, with zeros.
linalg::Csr<Complex> only_rows(const linalg::Csr<Complex>& a, const std::vector<Index>& rows) {
  linalg::Csr<Complex> part;
  part.num_rows = a.num_rows, part.num_cols = a.num_cols;
  part.row_offsets.assign(a.row_offsets.size(), 0);
  for (const Index row : rows) {
    const auto i = std::size_t(row);
    part.row_offsets[i + 1] = a.row_offsets[i + 1] - a.row_offsets[i];
    part.columns.insert(part.columns.end(), a.columns.begin() + a.row_offsets[i],
                        a.columns.begin() + a.row_offsets[i + 1]);
  }
  std::partial_sum(part.row_offsets.begin(), part.row_offsets.end(), part.row_offsets.begin());
  part.values.resize(part.columns.size());
  return part;
}

}  // namespace

bool is_sum_of_terms(const Model& model) {
  return model.periodicity.empty() &&
         std::all_of(model.pml.begin(), model.pml.end(),
                     [](const auto& layer) { return layer.reference_frequency > 0; }) &&
         std::none_of(model.boundaries.begin(), model.boundaries.end(),
                      [](const auto& b) { return b->is_second_order(); });
}

std::vector<SystemTerm> system_terms(const Model& model, const Assembler& assembler,
                                     const std::vector<PortPtr>& ports) {
  assert(is_sum_of_terms(model));
  const NedelecSpace& space = assembler.space();
  const auto volume = [&assembler, &space](const Model& part, Complex alpha, Complex beta) {
    return [&assembler, &space, part, alpha, beta](linalg::Csr<Complex>& a) {
      assembler.assemble<Complex>(materials_at(part, *space.mesh, 1.0), alpha, beta, a.values.data());
    };
  };
  const auto on_faces = [](std::function<void(linalg::Csr<Complex>&)> add) {
    return [add = std::move(add)](linalg::Csr<Complex>& a) {
      std::fill(a.values.begin(), a.values.end(), Complex(0));
      add(a);
    };
  };
  std::vector<SystemTerm> terms;
  terms.push_back({[](Complex) { return Complex(1); }, volume(constant_part(model), 1.0, 0.0)});
  terms.push_back(
      {[](Complex f) { return -wavenumber(f) * wavenumber(f); }, volume(constant_part(model), 0.0, 1.0)});
  const bool conducts = std::any_of(model.materials.begin(), model.materials.end(),
                                    [](const auto& m) { return m.conductivity > 0; });
  if (conducts) {  // -k0² (-jσ/ωε0) = jωμ0 σ
    terms.push_back({[](Complex f) { return Complex(0, 2 * pi * vacuum_permeability) * f; },
                     volume(conduction_only(model), 0.0, 1.0)});
  }
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    const material::Dispersion& dispersion = model.materials[i].dispersion;
    if (dispersion.is_empty()) continue;
    terms.push_back(
        {[&dispersion](Complex f) { return -wavenumber(f) * wavenumber(f) * dispersion.permittivity(f); },
         volume(indicator(model, i), 0.0, 1.0)});
  }
  for (const FacePart& part : face_parts(model, space)) {
    terms.push_back({[part](Complex f) { return part.admittance(f).self; },
                     on_faces([&space, part](linalg::Csr<Complex>& a) {
                       add_tangential_mass(space, part.triangles, 1.0, a, part.along);
                     }),
                     surface_dofs(space, part.triangles)});
    if (part.pairs.empty()) continue;
    terms.push_back(
        {[part](Complex f) { return part.admittance(f).transfer; },
         on_faces([&space, part](linalg::Csr<Complex>& a) { add_transfer_mass(space, part.pairs, 1.0, a); }),
         surface_dofs(space, part.triangles)});
  }
  for (const PortPtr& port : ports) {
    terms.push_back(
        {[&port, &model, &space](Complex f) {
           return port->solve({model, space}, f.real()).modes[0].reference;
         },
         on_faces([&port, &space](linalg::Csr<Complex>& a) { port->add_reference(space, 1.0, a); }),
         port->dofs});
  }
  return terms;
}

linalg::Csr<Complex> assemble_term(const SystemTerm& term, const linalg::Csr<Complex>& pattern) {
  linalg::Csr<Complex> t = term.rows.empty() ? pattern : only_rows(pattern, term.rows);
  term.assemble(t);
  return t;
}

}  // namespace curlew::fem
