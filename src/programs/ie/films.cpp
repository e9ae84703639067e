// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/equations.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "ie/sheet/sheet_system.hpp"
#include "ie/solved/mixed_potential.hpp"
#include "ie/volume/volume_system.hpp"
#include "io/array_names.hpp"
#include "material/permittivity.hpp"
#include "mesh/refine.hpp"
#include "mesh/regions.hpp"
#include "mesh/straighten.hpp"
#include "programs/ie/surface_output.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

/// One [[boundary]]: a film or a perfect conductor.
struct Film {
  std::vector<std::string> regions;
  double thickness = 0;  ///< [m]; 0: a perfect conductor
  material::Permittivity epsilon_r;
};

std::vector<Film> read_films(const io::Config& config) {
  std::vector<Film> films;
  for (const auto& t : config.tables("boundary")) {
    Film film{t.get<std::vector<std::string>>("region"), 0, {}};
    if (t.choice("type", {"pec", "film"}) == "film") {
      film.thickness = t.positive("thickness");
      film.epsilon_r = material::read_layer(config, t);
    }
    films.push_back(film);
  }
  if (films.empty())
    throw InputError("the film equation needs a [[boundary]] with region and type = \"film\" or \"pec\"");
  return films;
}

ie::SurfaceMesh film_surfaces(const std::vector<Film>& films, const mesh::Mesh& mesh) {
  std::vector<std::string> names;
  for (const auto& f : films) names.insert(names.end(), f.regions.begin(), f.regions.end());
  return ie::extract_surfaces(mesh, names);
}

/// Zs of every triangle at a frequency [Hz].
std::vector<Complex> impedances(const std::vector<Film>& films, const ie::SurfaceMesh& surface,
                                double frequency) {
  const double k = wavenumber(frequency);
  std::vector<Complex> by_tag(surface.tag_names.size());
  for (const auto& f : films) {
    if (f.thickness == 0) continue;
    const Complex z = ie::film_impedance(f.thickness, f.epsilon_r(frequency), k);
    for (std::size_t i = 0; i < by_tag.size(); ++i) {
      if (std::find(f.regions.begin(), f.regions.end(), surface.tag_names[i]) != f.regions.end())
        by_tag[i] = z;
    }
  }
  std::vector<Complex> z;
  for (const int tag : surface.tag) z.push_back(by_tag[std::size_t(tag)]);
  return z;
}

class FilmEquation final : public ie::MixedPotentialProblem {
 public:
  /// @param given the mesh as read
  FilmEquation(std::vector<Film> films, const mesh::Mesh& given) : films_(std::move(films)) {
    mesh::Mesh flat = mesh::straighten(given);
    surface_ = film_surfaces(films_, flat);
    space_.emplace(surface_);
    triangles_ = mesh::triangles_of(flat, surface_.tag_names);
    std::ranges::sort(triangles_);  // as extract_surfaces has them
    num_triangles_ = std::size_t(flat.num_triangles());
    const auto gaps = mesh::flat_gaps(given);
    for (std::size_t n = 0; n < flat.nodes.size(); ++n) flat.nodes[n] += gaps[n];
    gaps_ = film_surfaces(films_, flat).nodes;
    for (std::size_t n = 0; n < gaps_.size(); ++n) gaps_[n] -= surface_.nodes[n];
  }

  ie::MixedPotentialSolution make(double frequency) const override {
    const double k = wavenumber(frequency);
    return {frequency, k,
            ie::make_sheet_system(surface_, *space_, impedances(films_, surface_, frequency), k)};
  }
  ie::FarFieldError error(const ie::MixedPotentialSolution& s, std::size_t wave) const override {
    auto found = ie::far_field_error(surface_, *space_, impedances(films_, surface_, s.frequency), s.k, gaps_,
                                     s.of(wave));
    std::vector<double> shares(num_triangles_);
    for (std::size_t i = 0; i < triangles_.size(); ++i) shares[std::size_t(triangles_[i])] = found.shares[i];
    found.shares = std::move(shares);
    return found;
  }
  double absorption(const ie::MixedPotentialSolution& s, std::size_t wave) const override {
    // Divided by the power density of the wave, 1/(2 eta) for 1 V/m.
    return 2 * vacuum_impedance * ie::absorbed_power(s.system, s.of(wave));
  }
  io::VtkGrid grid() const override { return surface_grid(surface_); }
  const char* fields_name() const override { return "currents.vtkhdf"; }
  void write_fields(const ie::MixedPotentialSolution& s, std::size_t num_waves,
                    io::VtkHdfWriter& writer) const override {
    for (std::size_t w = 0; w < num_waves; ++w) {
      std::vector<Complex> j;
      for (const auto& v : ie::centre_currents(s.system, s.of(w))) j.insert(j.end(), {v.x, v.y, v.z});
      writer.cell_array("J" + io::excitation_suffix(w, num_waves), j, 3,
                        {"A/m", "surface current density, the sum of both sides, for a wave of 1 V/m"});
    }
  }
  io::About unknowns() const override { return {"A/m", "current density across the edges [wave, edge]"}; }
  const char* format() const override { return "curlew-ie-film-solution"; }

 private:
  std::vector<Film> films_;
  ie::SurfaceMesh surface_;
  std::optional<ie::RwgSpace> space_;
  std::vector<Index> triangles_;  // of the mesh
  std::size_t num_triangles_ = 0;
  std::vector<Vec3<double>> gaps_;  // [nodes] from the triangles to the surface [m]
};

}  // namespace

void solve_film_equation(const io::Config& config, run::Run& run) {
  config.table("formulation").choice("equation", {"film"});
  const ie::MixedPotentialConfig c = ie::read_mixed_potential_config(config, job::RefinedProblem::films, run);
  const auto films = read_films(config);
  auto mesh = run::load_mesh(config, run, mesh::MeshUse::surfaces);
  config.check_unknown_keys();
  ie::check_joined(film_surfaces(films, mesh::straighten(mesh)));
  solve_frequencies(
      config, c, [&](const mesh::Mesh& on) { return std::make_unique<FilmEquation>(films, on); },
      std::move(mesh), run);
}

}  // namespace curlew::programs
