// SPDX-License-Identifier: BSD-3-Clause
#include "ie/model/surface_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ie/model/surface_config.hpp"
#include "io/frequency.hpp"
#include "material/permittivity.hpp"
#include "material/surface_law.hpp"
#include "mesh/disjoint_surfaces.hpp"
#include "mesh/regions.hpp"
#include "mesh/surface_names.hpp"

namespace curlew::ie {
namespace {

/// [ohm] of a wall, or of a slab of a thickness with a permittivity and a magnetic wall behind it: the
/// impedance of one side of a film with equal fields on both sides.
std::function<Complex(double)> read_impedance(const io::Config& config, const io::Config& t) {
  if (t.has("surface_impedance") || t.has("conductivity"))
    return [wall = material::read_wall(t)](double f) { return wall->impedance(f); };
  if (!t.has("thickness"))
    t.error(
        "type",
        "an impedance needs surface_impedance, conductivity, or thickness and a [[material]] of its region");
  return [permittivity = material::read_layer(config, t), thickness = t.positive("thickness")](double f) {
    return material::slab_impedance(permittivity(f), 1.0, thickness, f).open;
  };
}

SurfaceWall read_wall(const io::Config& config, const io::Config& t) {
  SurfaceWall wall;
  if (t.choice("type", {"pec", "impedance"}) == "impedance") wall.impedance = read_impedance(config, t);
  wall.regions = t.get<std::vector<std::string>>("region");
  wall.place = io::Place(t, "region");
  return wall;
}

SurfaceFormulation read_formulation(const io::Config& config) {
  SurfaceFormulation out;
  const auto f = config.table("formulation");
  const auto equation = read_equation(config);
  out.alpha = f.get_or<double>("alpha", 0.5);
  out.automatic = equation == "auto";
  if (out.automatic) {
    const auto method =
        config.table("solver").choice_or("method", {"auto", "direct", "gmres", "bicgstab", "tfqmr"}, "auto");
    const auto type = config.table("acceleration").choice_or("type", {"none", "ngim", "auto"}, "auto");
    out.stores_matrix = method == "direct" || type == "none" || (method == "auto" && type == "auto");
    out.highest_frequency = io::frequencies(config).back();
    out.has_ports = !config.tables("port").empty();
    return out;
  }
  out.equation = equation == "efie"             ? Equation::efie
                 : equation.starts_with("mfie") ? Equation::mfie
                                                : Equation::cfie;
  if (equation.ends_with("_dual")) out.testing = MagneticTesting::dual;
  return out;
}

/// Surfaces of the mesh by the names in a table.
std::vector<std::string> surfaces_in(const std::vector<std::string>& regions, const io::Place& place,
                                     const mesh::Mesh& mesh) {
  std::vector<std::string> out;
  for (const auto& stated : regions) {
    const auto names = mesh::named_surfaces(mesh, stated);
    if (names.empty()) place.error(mesh::no_region(mesh, "surface", stated));
    for (const auto& name : names)
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  if (const auto lost = mesh::faces_without_surface(mesh, regions); lost > 0)
    place.error(fmt::format(
        "{} triangles around the volume \"{}\" are in no Physical Surface, and the body would be open there: "
        "add one for them",
        lost, fmt::join(regions, "\", \"")));
  return out;
}

}  // namespace

SurfaceCase read_surface_case(const io::Config& config) {
  SurfaceCase c;
  c.boundaries = io::Place(config, "boundary");
  for (const auto& t : config.tables("boundary")) c.walls.push_back(read_wall(config, t));
  for (const auto& t : material::media_of_volumes(config))
    c.media.push_back({t.get<std::vector<std::string>>("region"),
                       material::read_medium(t, material::MediumKind::stated), io::Place(t, "region")});
  for (const auto& t : config.tables("port"))
    if (is_lumped(t)) c.port_regions.push_back(t.get<std::string>("region"));
  c.formulation = read_formulation(config);
  return c;
}

SurfaceProblems::SurfaceProblems(std::shared_ptr<const SurfaceCase> stated, const mesh::Mesh& given)
    : case_(std::move(stated)) {
  // A face of two bodies may have both names, and a strip the metal of its port.
  const auto apart = mesh::with_disjoint_surfaces(given, case_->port_regions);
  const mesh::Mesh& mesh = apart ? *apart : given;
  add_walls(mesh);
  add_media(mesh);
  if (!names_.empty()) add_ports(mesh);  // a single strip is no structure
  require_all(mesh);
  mesh_ = extract_surfaces(mesh, names_);
  const auto& f = case_->formulation;
  if (f.automatic) chosen_ = choose_equation(at(f.highest_frequency), f.has_ports, f.stores_matrix);
}

std::size_t SurfaceProblems::find(const std::string& name) const {
  return std::size_t(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

void SurfaceProblems::add(const std::string& name, Wall wall) {
  names_.push_back(name), walls_.push_back(wall), num_bodies_.push_back(0);
}

void SurfaceProblems::add_walls(const mesh::Mesh& mesh) {
  for (const auto& stated : case_->walls) {
    const Wall wall{stated.impedance ? Boundary::impedance : Boundary::conductor, &stated};
    for (const auto& name : surfaces_in(stated.regions, stated.place, mesh)) {
      if (find(name) < names_.size())
        stated.place.error(fmt::format("surface \"{}\" is described twice", name));
      add(name, wall);
    }
  }
}

/// Conductors stay conductors: a face of the body is metal.
void SurfaceProblems::add_media(const mesh::Mesh& mesh) {
  for (const auto& stated : case_->media) {
    auto& surfaces = surfaces_of_media_.emplace_back();
    for (const auto& name : surfaces_in(stated.regions, stated.place, mesh)) {
      const std::size_t at = find(name);
      if (at == names_.size()) add(name, {Boundary::dielectric, nullptr});
      if (walls_[at].boundary == Boundary::impedance)
        stated.place.error(
            fmt::format("surface \"{}\" is an impedance and a surface of a material: leave a gap", name));
      if (++num_bodies_[at] > 2)
        stated.place.error(fmt::format(
            "surface \"{}\" belongs to three materials: a face can only lie between two bodies", name));
      surfaces.push_back(int(at));
    }
  }
}

/// The strip of a lumped port is metal with a source in it, whether or not a [[boundary]] says so.
void SurfaceProblems::add_ports(const mesh::Mesh& mesh) {
  for (const auto& name : case_->port_regions)
    if (find(name) == names_.size() && mesh::find_region(mesh.surfaces, name) != nullptr)
      add(name, {Boundary::conductor, nullptr});
}

void SurfaceProblems::require_all(const mesh::Mesh& mesh) const {
  std::vector<std::string> missing;
  for (const auto& region : mesh.surfaces)
    if (find(region.name) == names_.size()) missing.push_back(region.name);
  if (names_.empty() || (mesh.cells.empty() && !missing.empty()))
    case_->boundaries.error(
        fmt::format("no [[boundary]] or [[material]] says what surface \"{}\" is: "
                    "type = \"pec\" or \"impedance\", or the epsilon_r inside it",
                    fmt::join(missing, "\", \"")));
}

std::shared_ptr<const System> SurfaceProblems::system_at(double frequency, const Accuracy& accuracy) const {
  const std::scoped_lock lock(mutex_);
  const bool is_known = first_ && first_->integrals(0).accuracy() == accuracy;
  if (is_known && first_->problem().frequency == frequency) return first_;
  if (is_known && first_->differs_by_wavelength()) return std::make_shared<System>(*first_, frequency);
  auto made = std::make_shared<const System>(at(frequency), accuracy);
  if (made->differs_by_wavelength()) first_ = made;
  return made;
}

Problem SurfaceProblems::at(double frequency) const {
  Problem p;
  p.mesh = mesh_;
  for (const auto& wall : walls_) {
    Surface s{.boundary = wall.boundary};
    if (wall.boundary == Boundary::impedance) s.surface_impedance = wall.stated->impedance(frequency);
    p.surfaces.push_back(s);
  }
  for (std::size_t m = 0; m < case_->media.size(); ++m) {
    const auto& medium = case_->media[m].medium;
    p.bodies.push_back({medium.permittivity(frequency), medium.mu_r[0], surfaces_of_media_[m]});
  }
  p.frequency = frequency;
  p.alpha = case_->formulation.alpha;
  p.equation = chosen_ ? chosen_->equation : case_->formulation.equation;
  p.testing = chosen_ ? chosen_->testing : case_->formulation.testing;
  return p;
}

}  // namespace curlew::ie
