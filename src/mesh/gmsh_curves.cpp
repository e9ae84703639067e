// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_curves.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "mesh/gmsh_extract.hpp"

namespace curlew::mesh {
namespace {

/// A curve by its parameter in [0, 1].
class Entity {
 public:
  Entity(int tag, double metres) : tag_(tag), metres_(metres) {
    std::vector<double> low, high;
    gmsh::model::getParametrizationBounds(1, tag, low, high);
    low_ = low.at(0), high_ = high.at(0);
    gmsh::model::getType(1, tag, type_);
  }
  Vec3<double> operator()(double t) const {
    std::vector<double> x;
    gmsh::model::getValue(1, tag_, {low_ + t * (high_ - low_)}, x);
    return {metres_ * x.at(0), metres_ * x.at(1), metres_ * x.at(2)};
  }
  /// False for splines, which have jumps at their knots, and for unknown types.
  bool is_analytic() const { return is_conic() || type_ == "Line" || type_ == "Bezier"; }
  bool is_conic() const { return type_ == "Circle" || type_ == "Ellipse"; }

 private:
  int tag_;
  double metres_, low_ = 0, high_ = 0;
  std::string type_;
};

double size_of(const std::vector<Entity>& entities) {
  const Vec3<double> origin = entities[0](0);
  double size = 0;
  for (const auto& entity : entities)
    for (int i = 0; i <= 16; ++i) size = std::max(size, norm(entity(i / 16.0) - origin));
  return size;
}

PhysicalCurve extract_curve(const std::string& file, const PhysicalGroup& group, double metres) {
  std::vector<Entity> entities;
  for (const int tag : group.entities) entities.emplace_back(std::abs(tag), metres);
  const double size = size_of(entities);
  std::vector<CurveSection> sections;
  for (const auto& entity : entities) {
    sections.push_back(follow(entity, size));
    CurveSection& section = sections.back();
    section.analytic = entity.is_analytic();
    section.periodic = entity.is_conic() && norm(entity(0) - entity(1)) < 1e-8 * size;
    for (const auto& p : section.points)
      if (!(std::abs(p.z) < 1e-9 * size))
        throw InputError(fmt::format("{}: physical curve \"{}\" leaves the plane z = 0", file, group.name));
  }
  return join_sections(group.name, std::move(sections), size);
}

}  // namespace

std::vector<PhysicalCurve> extract_curves(const std::string& file, double metres) {
  const auto groups = physical_groups(1);
  if (groups.empty())
    throw InputError(
        fmt::format("{}: no physical curve: add Physical Curve(\"profile\") = {{1}}; or the like", file));
  std::vector<PhysicalCurve> curves;
  for (const auto& group : groups) curves.push_back(extract_curve(file, group, metres));
  return curves;
}

}  // namespace curlew::mesh
