// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_curvature.hpp"

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace curlew::mesh {
namespace {

double extent(int dimension, int tag) {
  double x0, y0, z0, x1, y1, z1;
  gmsh::model::getBoundingBox(dimension, tag, x0, y0, z0, x1, y1, z1);
  return std::hypot(x1 - x0, y1 - y0, z1 - z0);
}

/// Parameters of points inside a curve (3 numbers) or a surface (9 pairs), off its middle and its ends.
std::vector<double> inner_parameters(int dimension, int tag) {
  std::vector<double> least, greatest, parameters;
  gmsh::model::getParametrizationBounds(dimension, tag, least, greatest);
  const auto at = [&](int axis, double share) {
    return least[axis] + share * (greatest[axis] - least[axis]);
  };
  for (const double u : {0.21, 0.47, 0.83}) {
    if (dimension == 1) parameters.push_back(at(0, u));
    for (const double v : {0.19, 0.54, 0.77})
      if (dimension == 2) parameters.insert(parameters.end(), {at(0, u), at(1, v)});
  }
  return parameters;
}

}  // namespace

bool is_curved(int dimension, int tag) {
  std::string type;
  gmsh::model::getType(dimension, tag, type);
  if (type == "Line" || type == "Plane") return false;
  std::vector<double> curvatures;
  try {
    gmsh::model::getCurvature(dimension, tag, inner_parameters(dimension, tag), curvatures);
  } catch (...) {  // Gmsh has no curvature where there is no parametrisation: a mesh, the pole of a sphere
    return false;
  }
  const double straight =
      8e-3 / extent(dimension, tag);  // an arc of length l is l² κ / 8 away from its chord
  return std::any_of(curvatures.begin(), curvatures.end(), [&](double c) { return std::abs(c) > straight; });
}

bool has_curved_entities(int dimension) {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  return std::any_of(entities.begin(), entities.end(),
                     [](const auto& e) { return is_curved(e.first, e.second); });
}

}  // namespace curlew::mesh
