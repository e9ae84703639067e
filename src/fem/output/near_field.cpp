// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/near_field.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/fields.hpp"

namespace curlew::fem {
namespace {

/// Cells around a point that are not in a layer, and of one material: fields jump between materials.
std::vector<PointPlace> cells_around(const PointLocator& locator, const std::vector<bool>& layer,
                                     const std::vector<Index>& material, Vec3<double> point) {
  auto places = locator.locate(point);
  std::erase_if(places, [&](const auto& p) { return layer[std::size_t(p.cell)]; });
  std::erase_if(places, [&, first = places.empty() ? Index(0) : places.front().cell](const auto& p) {
    return material[std::size_t(p.cell)] != material[std::size_t(first)];
  });
  return places;
}

Vec3<double> middle_of(const mesh::Mesh& mesh) {
  Vec3<double> sum;
  for (const auto& x : mesh.nodes) sum += (1.0 / double(mesh.nodes.size())) * x;
  return sum;
}

/// True below a ground plane, without field.
bool is_below_ground(Vec3<double> point, const mesh::Mesh& mesh, const Symmetry& symmetry) {
  if (!symmetry.ground) return false;
  const auto& plane = *symmetry.ground;
  return side_of(mesh, plane) * (point[plane.axis] - plane.position) < 0;
}

/// The point on the modelled side of all planes of symmetry. E' = -R E, H' = R H beyond a PEC plane, with the
/// signs exchanged beyond a PMC plane (R the reflection), so H has the opposite signs of E.
Vec3<double> reflected(Vec3<double> point, const FarFieldRequest& request, Vec3<double> middle,
                       MirrorSigns& signs) {
  for (const auto& plane : request.symmetry.planes) {
    double& x = point[plane.axis];
    if (request.symmetry.is_ground(plane) ||
        (x - plane.position) * (middle[plane.axis] - plane.position) >= 0)
      continue;
    x = 2 * plane.position - x;
    for (int i = 0; i < 3; ++i)
      ((i == plane.axis) != plane.electric ? signs.e : signs.h)[std::size_t(i)] *= -1;
  }
  return point;
}

}  // namespace

bool needs_currents(const mesh::Mesh& mesh, const Model& model, std::span<const Vec3<double>> points) {
  if (points.empty()) return false;  // no locator of all cells
  const PointLocator locator(mesh);
  const auto layer = pml_cells(mesh, model.pml);
  return std::any_of(points.begin(), points.end(), [&](Vec3<double> point) {
    const auto places = locator.locate(point);
    return std::all_of(places.begin(), places.end(),
                       [&](const auto& p) { return layer[std::size_t(p.cell)]; });
  });
}

NearFieldEvaluator::NearFieldEvaluator(const NedelecSpace& space, const Model& model,
                                       std::vector<Vec3<double>> points, const RadiationCalculator* beyond)
    : space_(space), model_(model), beyond_(beyond), points_(std::move(points)) {
  const PointLocator locator(*space.mesh);
  const auto layer = pml_cells(*space.mesh, model.pml);
  const auto material = material_of_cells(model, *space.mesh);
  const Vec3<double> middle = middle_of(*space.mesh);
  const auto enclosed = beyond_ ? beyond_->encloses(points_) : std::vector<bool>(points_.size(), true);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    images_.emplace_back();
    const auto here =
        beyond_ ? reflected(points_[i], beyond_->request(), middle, images_.back()) : points_[i];
    places_.push_back(cells_around(locator, layer, material, here));
    origins_.push_back(!places_.back().empty() ? io::NearFieldOrigin::elements
                       : enclosed[i]           ? io::NearFieldOrigin::none
                                               : io::NearFieldOrigin::currents);
  }
  const bool none = std::all_of(origins_.begin(), origins_.end(),
                                [](auto origin) { return origin == io::NearFieldOrigin::none; });
  if (none && !points_.empty())
    throw InputError(fmt::format(
        "near_field: none of its {} points lies in {}, e.g. ({:.6g}, {:.6g}, {:.6g}) m: check [mesh] unit",
        points_.size(), space.mesh->name, points_[0].x, points_[0].y, points_[0].z));
}

io::NearFieldValues NearFieldEvaluator::evaluate(const Complex* x, Complex frequency,
                                                 const IncidentField& known,
                                                 const IncidentField& beyond) const {
  const CellMaterials materials = materials_at(model_, *space_.mesh, frequency);
  const Complex omega = 2 * pi * frequency, to_h = Complex(0, 1) / (omega * vacuum_permeability);
  io::NearFieldValues values{std::vector<Vec3<Complex>>(points_.size()),
                             std::vector<Vec3<Complex>>(points_.size())};
  std::vector<std::size_t> far;
  std::vector<Vec3<double>> far_points;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (origins_[i] == io::NearFieldOrigin::currents) far.push_back(i), far_points.push_back(points_[i]);
    for (const auto& place : places_[i]) {
      Vec3<Complex> e, curl;
      Vec3<double> where;
      FieldEvaluator(space_, {place.xi}).evaluate(place.cell, x, &e, &curl, &where);
      if (known) e += known(where).e, curl += known(where).curl;
      const Vec3<Complex> h = to_h * (materials.of(place.cell).mu_r.inverse() * curl);
      for (int c = 0; c < 3; ++c) {
        values.e[i][c] += images_[i].e[std::size_t(c)] / double(places_[i].size()) * e[c];
        values.h[i][c] += images_[i].h[std::size_t(c)] / double(places_[i].size()) * h[c];
      }
    }
  }
  if (far.empty()) return values;
  const auto near = beyond_->near_fields(x, far_points, frequency.real());
  for (std::size_t i = 0; i < far.size(); ++i) {
    values.e[far[i]] = near.e[i];
    values.h[far[i]] = to_h * near.curl[i];
    if (is_below_ground(far_points[i], *space_.mesh, beyond_->request().symmetry)) continue;
    for (const auto& more : {known, beyond}) {
      if (!more) continue;
      values.e[far[i]] += more(far_points[i]).e;
      values.h[far[i]] += to_h * more(far_points[i]).curl;
    }
  }
  return values;
}

}  // namespace curlew::fem
