// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sources/dipole_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "ie/results/near_field.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;

Complex overlap(Vec3<Complex> p, Vec3<Complex> e) {
  return std::conj(p.x) * e.x + std::conj(p.y) * e.y + std::conj(p.z) * e.z;
}

double distance_to_segment(Point r, Point a, Point b) {
  const Point along = b - a;
  return norm(r - a - std::clamp(dot(r - a, along) / dot(along, along), 0.0, 1.0) * along);
}

double distance_to_triangle(const SurfaceMesh& mesh, Index t, Point r) {
  const std::array<Point, 3> p{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)};
  const Point normal = normalized(mesh.area_vector(t));
  bool over = true;  // the foot of the perpendicular lies in the triangle
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Point a = p[i], b = p[(i + 1) % 3];
    over = over && dot(cross(b - a, r - a), normal) >= 0;
    least = std::min(least, distance_to_segment(r, a, b));
  }
  return over ? std::abs(dot(r - p[0], normal)) : least;
}

/// E of the dipole `by` at another in the same medium; if they coincide, the limit of the part that exchanges
/// power.
Vec3<Complex> mutual_field(const Dipole& by, Point at, const Region& medium) {
  const double kr = std::abs(medium.k) * norm(at - by.position);
  if (kr > 1e-3) return by.at(at, medium.k, medium.eta).e;
  return (-medium.eta * medium.k * medium.k / (6 * pi)) * by.moment;
}

}  // namespace

Place locate(const System& system, Point point) {
  const auto& mesh = system.mesh();
  Place place;
  place.distance = std::numeric_limits<double>::infinity();
  Index nearest = 0;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const double distance = distance_to_triangle(mesh, t, point);
    if (distance < place.distance) place.distance = distance, nearest = t;
  }
  for (int i = 0; i < 3; ++i)
    place.edge = std::max(place.edge, norm(mesh.corner(nearest, i) - mesh.corner(nearest, (i + 1) % 3)));
  place.surface = mesh.tag_names[std::size_t(mesh.tag[nearest])];
  place.region = regions_of(system, std::span(&point, 1)).front();
  return place;
}

int region_of_dipole(const System& system, Point p) {
  const Place place = locate(system, p);
  const auto at = fmt::format("the dipole at ({:.6g}, {:.6g}, {:.6g}) m", p.x, p.y, p.z);
  const double least = nearest_dipole_in_edges * place.edge;
  if (place.distance < least)
    throw InputError(
        fmt::format("{} is {:.3g} m from surface \"{}\", whose edges there are {:.3g} m long: keep {:.3g} m "
                    "away, or make "
                    "the edges shorter (mesh.size)",
                    at, place.distance, place.surface, place.edge, least));
  if (place.region < 0)
    throw InputError(
        fmt::format("{} lies inside surface \"{}\", a conductor or an impedance, where there is no "
                    "field: move it out, or make that surface a [[material]]",
                    at, place.surface));
  return place.region;
}

DipoleSources::DipoleSources(const System& system, std::vector<Dipole> dipoles)
    : system_(system), dipoles_(std::move(dipoles)) {
  for (const auto& dipole : dipoles_) regions_.push_back(region_of_dipole(system, dipole.position));
}

std::vector<Complex> DipoleSources::right_hand_side() const {
  std::vector<Complex> sum(std::size_t(system_.num_unknowns()));
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    const auto one = test_dipole(system_, dipoles_[i], regions_[i], Testing::equations);
    for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += one[n];
  }
  return sum;
}

FieldPair DipoleSources::own_field(Point r, int region) const {
  FieldPair sum{};
  if (region < 0) return sum;
  const Region& medium = system_.scene().regions[std::size_t(region)];
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    if (regions_[i] != region) continue;
    const FieldPair one = dipoles_[i].at(r, medium.k, medium.eta);
    sum.e += one.e, sum.h += one.h;
  }
  return sum;
}

FieldPair DipoleSources::incident_field(Point r) const {
  FieldPair sum{};
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    const Region& medium = system_.scene().regions[std::size_t(regions_[i])];
    const FieldPair one = dipoles_[i].at(r, medium.k, medium.eta);
    sum.e += one.e, sum.h += one.h;
  }
  return sum;
}

void DipoleSources::add_far_field(std::span<const fields::Direction> directions,
                                  fields::FarField& far) const {
  const double k = system_.scene().regions[0].k.real();
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    if (regions_[i] != 0) continue;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const auto e = dipoles_[i].far_field(directions[d].radial(), k);
      far.e_theta[d] += dot(directions[d].theta_unit(), e);
      far.e_phi[d] += dot(directions[d].phi_unit(), e);
    }
  }
}

std::vector<Vec3<Complex>> DipoleSources::field_by_dipoles() const {
  std::vector<Vec3<Complex>> out(dipoles_.size());
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    for (std::size_t j = 0; j < dipoles_.size(); ++j) {
      const Region& medium = system_.scene().regions[std::size_t(regions_[i])];
      if (i != j && regions_[i] == regions_[j])
        out[i] += mutual_field(dipoles_[j], dipoles_[i].position, medium);
    }
  }
  return out;
}

/// With currents J, M and dipoles as sources in free space, -1/2 Re int (E.J* + M.H*) has, in addition to the
/// separate powers, the work of each in the other's field, which differ by phases.
double DipoleSources::exchange(const Complex* x, const std::vector<Vec3<Complex>>& by_currents) const {
  double power = 0;
  const auto functions = std::size_t(system_.num_electric());
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    if (regions_[i] != 0) continue;
    power -= 0.5 * overlap(dipoles_[i].moment, by_currents[i]).real();
    const auto tested = test_dipole(system_, dipoles_[i], 0, Testing::reaction);
    Complex sum = 0;  // (int J*.E + M*.H)/eta0; the rows of M hold -<f, H>
    for (std::size_t n = 0; n < tested.size(); ++n)
      sum += (n < functions ? 1.0 : -1.0) * std::conj(x[n]) * tested[n];
    power -= 0.5 * vacuum_impedance * sum.real();
  }
  return power;
}

DipoleSources::Powers DipoleSources::powers(const Complex* x, double of_currents) const {
  std::vector<Point> places;
  for (const auto& dipole : dipoles_) places.push_back(dipole.position);
  const auto by_currents = radiated_field(system_, x, places, regions_).e;
  const auto by_dipoles = field_by_dipoles();
  Powers out;
  out.radiated = of_currents + exchange(x, by_currents);
  for (std::size_t i = 0; i < dipoles_.size(); ++i) {
    const Region& medium = system_.scene().regions[std::size_t(regions_[i])];
    const auto& p = dipoles_[i].moment;
    const bool is_lossy = medium.k.imag() < 0;
    const double alone = is_lossy ? std::numeric_limits<double>::infinity()
                                  : dipoles_[i].power(medium.k.real(), medium.eta.real()) -
                                        0.5 * overlap(p, by_dipoles[i]).real();
    out.supplied += alone - 0.5 * overlap(p, by_currents[i]).real();
    if (regions_[i] == 0) out.radiated += alone;
  }
  return out;
}

}  // namespace curlew::ie
