// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/radiation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fields/far_power.hpp"
#include "fields/pattern.hpp"
#include "io/config.hpp"
#include "io/ranges.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// True if a direction points beyond a ground plane: the model lies on the side of `inside`.
bool is_beyond(const fields::Direction& d, const fields::SymmetryPlane& ground, Vec3<double> inside) {
  const double side = inside[ground.axis] < ground.position ? -1 : 1;
  return side * d.radial()[ground.axis] < -1e-9;
}

Vec3<double> center_of(const fields::SurfacePoints& points) {
  Vec3<double> sum;
  for (const auto& p : points.position) sum += (1.0 / double(points.size())) * p;
  return sum;
}

/// J += n x H, M -= n x E of a field in vacuum.
void add_known(const IncidentField& known, double frequency, const fields::SurfacePoints& points,
               fields::SurfaceCurrents& currents) {
  const Complex to_h(0, 1 / (2 * pi * frequency * vacuum_permeability));
  for (std::size_t i = 0; i < currents.electric.size(); ++i) {
    const auto at = i % std::size_t(points.size());
    const KnownField field = known(points.position[at]);
    currents.electric[i] += to_h * cross(points.normal[at], field.curl);
    currents.magnetic[i] += Complex(-1) * cross(points.normal[at], field.e);
  }
}

constexpr double most_pairs = 1e8;  // of the check by the far field's power

bool is_vacuum(const Material& m) {
  const auto one = [](const Coefficient& c) { return c.is_scalar && c.scalar == 1.0; };
  return one(m.epsilon_r) && one(m.mu_r) && !m.stretching;
}

}  // namespace

std::optional<FarFieldRequest> read_far_field(const io::Config& config, const mesh::Mesh& mesh) {
  const io::Config output = config.table("output");
  if (output.kind("far_field") == io::Config::Kind::missing) return std::nullopt;
  const io::Config table = output.table("far_field");
  FarFieldRequest request;
  request.theta_deg = io::linear_range(table, "theta");
  request.phi_deg = io::linear_range(table, "phi");
  io::require_directions(table, request.theta_deg.size(), request.phi_deg.size());
  request.formats = io::read_pattern_formats(config);
  if (table.has("surface")) {
    request.surface = table.get<std::vector<std::string>>("surface");
    for (const auto& name : request.surface)
      if (mesh::find_region(mesh.surfaces, name) == nullptr)
        table.error("surface", mesh::no_region(mesh, "surface", name));
  }
  return request;
}

void choose_surface(FarFieldRequest& request, const Model& model, mesh::Mesh& mesh,
                    mesh::Topology& topology) {
  if (!request.surface.empty()) return;
  if (!model.pml.empty()) {
    request.surface = {add_layer_surface(model.pml, pec_triangles(model, mesh), mesh, topology)};
    return;
  }
  for (const auto& b : model.boundaries)
    if (b->is_absorbing()) request.surface.insert(request.surface.end(), b.regions.begin(), b.regions.end());
  if (request.surface.empty())
    throw InputError(
        "waves from far away need a perfectly matched layer ([[pml]]) or an absorbing boundary around the "
        "model");
}

RadiationCalculator::RadiationCalculator(const NedelecSpace& space, const Model& model,
                                         FarFieldRequest request, Device device)
    : space_(space),
      model_(model),
      request_(std::move(request)),
      surface_(make_radiating_surface(space, model, request_.surface)),
      currents_(space, surface_.triangles, surface_.sides, 2 * space.order + 4, surface_.cells,
                surface_.outside ? CellSide::outside : CellSide::inside, request_.symmetry.planes),
      device_(device) {
  require_images(*space.mesh, *space.topology, surface_.triangles, request_.symmetry.planes);
}

fields::SurfaceCurrents RadiationCalculator::currents(const Complex* x, Index count, double frequency) const {
  const auto materials = materials_at(model_, *space_.mesh, frequency);
  for (const Index cell : surface_.cells)
    if (!is_vacuum(materials.of(cell)))
      throw InputError(
          fmt::format("a radiating surface of {} touches region \"{}\", which is not vacuum: take one in air "
                      "around the body",
                      space_.mesh->name, mesh::volume_of(*space_.mesh, cell)));
  return currents_.currents(x, count, fields::Exterior::vacuum(frequency));
}

std::vector<Radiation> RadiationCalculator::compute(const Complex* x, Index count, double frequency,
                                                    const IncidentField& known) const {
  auto here = currents(x, count, frequency);
  if (known) add_known(known, frequency, currents_.points(), here);
  const auto power = fields::radiated_power(currents_.points(), here);
  const auto points = fields::with_images(currents_.points(), request_.symmetry.planes);
  const auto all = fields::with_images(here, request_.symmetry.planes);
  const auto directions = fields::directions_at(request_.theta_deg, request_.phi_deg);
  const auto far = fields::far_field(points, all, directions, fields::Exterior::vacuum(frequency), device_);
  const Vec3<double> inside = center_of(currents_.points());
  const auto far_power =
      fields::far_power(points, all, fields::Exterior::vacuum(frequency), most_pairs, device_);
  std::vector<Radiation> out(std::size_t(count), {directions, {}, {}, 0});
  for (std::size_t r = 0; r < std::size_t(count); ++r) {
    const auto first = std::ptrdiff_t(r * directions.size()),
               last = first + std::ptrdiff_t(directions.size());
    out[r].e_theta.assign(far.e_theta.begin() + first, far.e_theta.begin() + last);
    out[r].e_phi.assign(far.e_phi.begin() + first, far.e_phi.begin() + last);
    out[r].radiated = request_.symmetry.copies() * power[r];
    // Over a ground the images fill the other half of the sphere.
    if (far_power) out[r].far_power = (*far_power)[r] / (request_.symmetry.ground ? 2 : 1);
    for (std::size_t i = 0; request_.symmetry.ground && i < directions.size(); ++i)
      if (is_beyond(directions[i], *request_.symmetry.ground, inside))
        out[r].e_theta[i] = out[r].e_phi[i] = 0;
  }
  return out;
}

fields::NearFields RadiationCalculator::near_fields(const Complex* x, std::span<const Vec3<double>> points,
                                                    double frequency) const {
  auto near = fields::radiate(fields::with_images(currents_.points(), request_.symmetry.planes),
                              fields::with_images(currents(x, 1, frequency), request_.symmetry.planes),
                              points, fields::Exterior::vacuum(frequency));
  const Vec3<double> inside = center_of(currents_.points());
  for (std::size_t i = 0; request_.symmetry.ground && i < points.size(); ++i) {
    const auto& plane = *request_.symmetry.ground;
    if ((points[i][plane.axis] - plane.position) * (inside[plane.axis] - plane.position) < 0)
      near.e[i] = near.curl[i] = {};
  }
  return near;
}

std::vector<bool> RadiationCalculator::encloses(std::span<const Vec3<double>> points) const {
  const auto surface = fields::with_images(
      fields::sample_triangles(*space_.mesh, surface_.triangles, surface_.sides, space_.order),
      request_.symmetry.planes);
  std::vector<bool> inside(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    inside[i] = fields::solid_angle(surface, points[i]) > 2 * pi;
  return inside;
}

}  // namespace curlew::fem
