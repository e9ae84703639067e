// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/hertz.hpp"
#include "base/wavenumber.hpp"
#include "ie/solved/mixed_potential.hpp"
#include "ie/volume/volume_error.hpp"
#include "ie/volume/volume_system.hpp"
#include "io/array_names.hpp"
#include "material/permittivity.hpp"
#include "mesh/refine.hpp"
#include "mesh/regions.hpp"
#include "mesh/straighten.hpp"
#include "results/mesh_resolution.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

io::VtkGrid body_grid(const mesh::Mesh& mesh) {
  io::VtkGrid grid;
  grid.points = mesh.nodes;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    std::array<std::int64_t, 4> points{};
    for (int i = 0; i < 4; ++i) points[std::size_t(i)] = mesh.cell(c)[i];
    const auto v = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
    // VTK's orientation: the first three counter-clockwise seen from outside, the fourth above them.
    if (dot(v(3) - v(0), cross(v(1) - v(0), v(2) - v(0))) < 0) std::swap(points[0], points[1]);
    grid.add_cell(io::VtkCell::tetrahedron, points.data(), 4);
  }
  return grid;
}

struct VolumeMaterial {
  std::vector<std::string> regions;
  material::Permittivity epsilon_r;
};

/// The relative permittivity of every cell at a frequency; 1 where no material is named.
/// @throws InputError for an unknown region or a cell in two
std::vector<Complex> cell_permittivities(const std::vector<VolumeMaterial>& materials, const mesh::Mesh& mesh,
                                         double frequency) {
  std::vector<Complex> epsilon(std::size_t(mesh.num_cells()), 1.0);
  std::vector<const std::string*> owner(epsilon.size());
  for (const auto& m : materials) {
    for (const auto& name : m.regions) {
      for (const Index cell : mesh::volume_named(mesh, name).entities) {
        if (owner[std::size_t(cell)] != nullptr)
          throw InputError(fmt::format("material: cell {} is in \"{}\" and in \"{}\"", cell,
                                       *owner[std::size_t(cell)], name));
        owner[std::size_t(cell)] = &name;
        epsilon[std::size_t(cell)] = m.epsilon_r(frequency);
      }
    }
  }
  return epsilon;
}

void check_resolution(const ie::MixedPotentialSolution& s, bool is_refined, run::Run& run) {
  results::LongestEdge longest{.frequency = s.frequency};
  for (std::size_t i = 0; i < s.basis.cells.size(); ++i) {
    const auto& v = s.basis.corners[i];
    double edge = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) edge = std::max(edge, norm(v[a] - v[b]));
    }
    const double wavelengths = edge * s.k * std::abs(std::sqrt(s.epsilon_r[i])) / (2 * pi);
    if (wavelengths > longest.wavelengths) longest.length = edge, longest.wavelengths = wavelengths;
  }
  results::state_resolution(longest, run);
  if (longest.wavelengths > 0.2 && !is_refined) {
    run.warn(
        fmt::format("{}: the longest edge is {:.3g} wavelengths of its material; 0.1 gives errors of "
                    "a few tenths of a dB: take smaller cells ({})",
                    hertz(s.frequency), longest.wavelengths, run::source_of_sizes(run)));
  }
}

class VolumeEquation final : public ie::MixedPotentialProblem {
 public:
  /// @param given the mesh as read
  VolumeEquation(std::vector<VolumeMaterial> materials, const mesh::Mesh& given)
      : materials_(std::move(materials)),
        mesh_(mesh::straighten(given)),
        topology_(mesh::build_topology(mesh_)),
        gaps_(mesh::flat_gaps(given)) {}

  ie::MixedPotentialSolution make(double frequency) const override;
  void check(const ie::MixedPotentialSolution& s, bool is_refined, run::Run& run) const override {
    check_resolution(s, is_refined, run);
  }
  ie::FarFieldError error(const ie::MixedPotentialSolution& s, std::size_t wave) const override;
  double absorption(const ie::MixedPotentialSolution& s, std::size_t wave) const override {
    return ie::absorption(s.basis, s.epsilon_r, s.k, s.of(wave));
  }
  io::VtkGrid grid() const override { return body_grid(mesh_); }
  const char* fields_name() const override { return "fields.vtkhdf"; }
  void write_fields(const ie::MixedPotentialSolution& s, std::size_t num_waves,
                    io::VtkHdfWriter& writer) const override;
  io::About unknowns() const override { return {"V/m", "D/eps0 across every face of the body [wave, face]"}; }
  const char* format() const override { return "curlew-ie-volume-solution"; }
  void write_more(const ie::MixedPotentialSolution& s, io::H5File& file) const override {
    file.write("epsilon_r", s.epsilon_r, {"1", "relative permittivity of the cells of the body"});
    file.write("cells", s.basis.cells, {"1", "numbers of the mesh cells in the body"});
  }

 private:
  std::vector<VolumeMaterial> materials_;
  mesh::Mesh mesh_;  // straight
  mesh::Topology topology_;
  std::vector<Vec3<double>> gaps_;  // [nodes] from its facets to the surface [m]
};

ie::MixedPotentialSolution VolumeEquation::make(double frequency) const {
  const double k = wavenumber(frequency);
  const auto epsilon = cell_permittivities(materials_, mesh_, frequency);
  std::vector<bool> in_body;
  in_body.reserve(epsilon.size());
  for (const Complex e : epsilon) in_body.push_back(e != 1.0);
  auto basis = ie::make_swg(mesh_, topology_, in_body);
  std::vector<Complex> of_body;
  for (const Index cell : basis.cells) of_body.push_back(epsilon[std::size_t(cell)]);
  auto system = ie::make_volume_system(basis, of_body, k);
  return {frequency, k, std::move(system), std::move(basis), std::move(of_body)};
}

ie::FarFieldError VolumeEquation::error(const ie::MixedPotentialSolution& s, std::size_t wave) const {
  auto found = ie::far_field_error(mesh_, s.basis, s.epsilon_r, s.k, gaps_, s.of(wave));
  std::vector<double> shares(std::size_t(mesh_.num_cells()));
  for (std::size_t i = 0; i < s.basis.cells.size(); ++i)
    shares[std::size_t(s.basis.cells[i])] = found.shares[i];
  found.shares = std::move(shares);
  return found;
}

/// E, D and the error of E of all cells of the mesh; zero without material.
void VolumeEquation::write_fields(const ie::MixedPotentialSolution& s, std::size_t num_waves,
                                  io::VtkHdfWriter& writer) const {
  std::vector<Complex> epsilon(std::size_t(mesh_.num_cells()), 1.0);
  for (std::size_t i = 0; i < s.basis.cells.size(); ++i)
    epsilon[std::size_t(s.basis.cells[i])] = s.epsilon_r[i];
  writer.cell_array("epsilon_r", epsilon, 1, {"1", "relative permittivity"});
  for (std::size_t w = 0; w < num_waves; ++w) {
    const auto e = ie::cell_fields(s.system, s.epsilon_r, s.of(w));
    const auto sizes = ie::sizes_of(ie::field_errors(mesh_, s.basis, s.epsilon_r, s.of(w)));
    std::vector<Complex> field(3 * epsilon.size()), flux(field.size());
    std::vector<double> error(epsilon.size());
    for (std::size_t i = 0; i < e.size(); ++i) {
      const auto at = 3 * std::size_t(s.basis.cells[i]);
      error[at / 3] = sizes[i];
      for (int d = 0; d < 3; ++d) {
        field[at + std::size_t(d)] = e[i][d];
        flux[at + std::size_t(d)] = vacuum_permittivity * s.epsilon_r[i] * e[i][d];
      }
    }
    const std::string suffix = io::excitation_suffix(w, num_waves);
    writer.cell_array("E" + suffix, field, 3, {"V/m", "electric field in the body for a wave of 1 V/m"});
    writer.cell_array("D" + suffix, flux, 3,
                      {"C/m^2", "electric flux density in the body for a wave of 1 V/m"});
    writer.cell_array("E_error" + suffix, error, 1,
                      {"V/m", "estimated error of E, root mean square in the cell"});
  }
}

}  // namespace

void solve_volume_equation(const io::Config& config, run::Run& run) {
  config.table("formulation").choice("equation", {"volume"});
  const ie::MixedPotentialConfig c =
      ie::read_mixed_potential_config(config, job::RefinedProblem::volumes, run);
  std::vector<VolumeMaterial> materials;
  for (const auto& t : config.tables("material"))
    materials.push_back({t.get<std::vector<std::string>>("region"), material::read_dielectric(t)});
  if (materials.empty())
    throw InputError("the volume equation needs a [[material]] with region and epsilon_r");
  auto mesh = run::load_mesh(config, run);
  config.check_unknown_keys();
  solve_frequencies(
      config, c, [&](const mesh::Mesh& on) { return std::make_unique<VolumeEquation>(materials, on); },
      std::move(mesh), run);
}

}  // namespace curlew::programs
