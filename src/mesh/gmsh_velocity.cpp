// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_velocity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/gmsh_open.hpp"
#include "mesh/length_unit.hpp"

namespace curlew::mesh {
namespace {

/// Position of a node, relative to the bounds of its entity's parameters.
struct Place {
  std::size_t node;
  int dimension, tag;
  std::array<double, 2> share{};
};

struct Bounds {
  std::vector<double> low, high;
  Bounds(int dimension, int tag) {
    if (dimension > 0) gmsh::model::getParametrizationBounds(dimension, tag, low, high);
  }
};

/// Numbers of points, curves and surfaces.
std::array<std::size_t, 3> count_entities() {
  std::array<std::size_t, 3> counts{};
  for (int d = 0; d < 3; ++d) {
    gmsh::vectorpair entities;
    gmsh::model::getEntities(entities, d);
    counts[std::size_t(d)] = entities.size();
  }
  return counts;
}

/// Locates the nodes that are on an entity and removes them from the list.
/// @param is_trimmed surfaces end at their curves
void place_on(int dimension, int tag, bool is_trimmed, const Mesh& mesh, double metres, double tolerance,
              std::vector<std::size_t>& nodes, std::vector<Place>& places) {
  std::array<double, 3> lo{}, hi{};
  gmsh::model::getBoundingBox(dimension, tag, lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
  std::vector<std::size_t> near;
  std::vector<double> coordinates;
  for (const std::size_t n : nodes) {
    const Vec3<double> x = (1 / metres) * mesh.nodes[n];
    bool inside = true;
    for (int i = 0; i < 3; ++i)
      inside = inside && x[i] > lo[std::size_t(i)] - tolerance && x[i] < hi[std::size_t(i)] + tolerance;
    if (!inside) continue;
    near.push_back(n);
    coordinates.insert(coordinates.end(), {x.x, x.y, x.z});
  }
  if (near.empty()) return;
  std::vector<double> closest, parameters;
  if (dimension > 0) {
    gmsh::model::getClosestPoint(dimension, tag, coordinates, closest, parameters);
    gmsh::model::getParametrization(dimension, tag, closest, parameters);  // those above are 0 in Gmsh 4.8
  } else {
    for (std::size_t i = 0; i < near.size(); ++i) {
      std::vector<double> point;
      gmsh::model::getValue(0, tag, {}, point);
      closest.insert(closest.end(), point.begin(), point.end());
    }
  }
  const Bounds bounds(dimension, tag);
  const auto d = std::size_t(dimension);
  for (std::size_t i = 0; i < near.size(); ++i) {
    double square = 0;
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) square += std::pow(closest[k] - coordinates[k], 2);
    if (square > tolerance * tolerance) continue;
    const std::vector<double> at(parameters.begin() + std::ptrdiff_t(d * i),
                                 parameters.begin() + std::ptrdiff_t(d * (i + 1)));
    if (is_trimmed && gmsh::model::isInside(2, tag, at) == 0) continue;
    Place place{near[i], dimension, tag};
    for (std::size_t k = 0; k < d; ++k)
      place.share[k] = (at[k] - bounds.low[k]) / (bounds.high[k] - bounds.low[k]);
    places.push_back(place);
    nodes.erase(std::find(nodes.begin(), nodes.end(), near[i]));
  }
}

/// Positions of all nodes. Those of an entity are contiguous, so that Gmsh is called once per entity.
std::vector<Vec3<double>> positions_of(const std::vector<Place>& places) {
  std::vector<Vec3<double>> positions;
  for (auto first = places.begin(), last = first; first != places.end(); first = last) {
    last = std::find_if(first, places.end(), [&](const Place& p) {
      return p.dimension != first->dimension || p.tag != first->tag;
    });
    const Bounds bounds(first->dimension, first->tag);
    std::vector<double> at, points;
    for (auto place = first; place != last; ++place)
      for (std::size_t k = 0; k < std::size_t(place->dimension); ++k)
        at.push_back(bounds.low[k] + place->share[k] * (bounds.high[k] - bounds.low[k]));
    gmsh::model::getValue(first->dimension, first->tag, at, points);
    for (std::size_t i = 0; i < std::size_t(last - first); ++i) {
      const std::size_t k = first->dimension > 0 ? 3 * i : 0;
      positions.push_back({points[k], points[k + 1], points[k + 2]});
    }
  }
  return positions;
}

/// Runs a step on the geometry with its parameters.
template <class Step>
auto on_geometry(const std::string& path, const ImportOptions& options, Step step) {
  GmshSession session(number_arguments(options.parameters));
  open_geometry(session, path, options);
  decltype(step()) result;
  session.run(path, "following the surfaces", [&] { result = step(); });
  return result;
}

/// A node in the middle of an edge with its ends.
struct Middle {
  std::size_t node, a, b;
};

/// Removes nodes in the middle of edges from the list: those of straightened cells are not on their surface.
std::vector<Middle> take_middles(const Mesh& mesh, std::vector<std::size_t>& nodes) {
  std::vector<Middle> middles;
  const auto take = [&](const Index* element, std::size_t corners, const auto& edges) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto found = std::find(nodes.begin(), nodes.end(), std::size_t(element[corners + e]));
      if (found == nodes.end()) continue;
      middles.push_back({*found, std::size_t(element[edges[e][0]]), std::size_t(element[edges[e][1]])});
      nodes.erase(found);
    }
  };
  if (nodes.empty() || mesh.geometry_order == 1) return middles;
  for (Index c = 0; c < mesh.num_cells(); ++c) take(mesh.cell(c), 4, cell_edge_vertices);
  for (Index t = 0; t < mesh.num_triangles(); ++t) take(mesh.triangle(t), 3, triangle_edge_vertices);
  return middles;
}

/// Nodes on surfaces and their positions there.
struct Surfaces {
  std::vector<Place> places;
  std::vector<Middle> middles;        ///< off the surfaces: they move with the ends of their edges
  std::array<std::size_t, 3> counts;  ///< of the geometry's entities
  double extent;                      ///< in its unit
};

Surfaces find_places(const std::string& path, const ImportOptions& options, double metres, const Mesh& mesh) {
  const auto on_surface =
      mesh.num_cells() > 0 ? nodes_on_surfaces(mesh, build_topology(mesh)) : nodes_of_triangles(mesh);
  std::vector<std::size_t> nodes;
  Surfaces found{{}, {}, {}, 0};
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (on_surface[n]) nodes.push_back(n);
    found.extent = std::max(found.extent, norm(mesh.nodes[n] - mesh.nodes[0]) / metres);
  }
  found.counts = on_geometry(path, options, [&] {
    // At last surfaces without their ends, for nodes that rounding leaves outside.
    for (const auto& [d, is_trimmed] : {std::pair{0, false}, {1, false}, {2, true}, {2, false}}) {
      gmsh::vectorpair entities;
      gmsh::model::getEntities(entities, d);
      for (const auto& entity : entities)
        place_on(d, entity.second, is_trimmed, mesh, metres, 1e-6 * found.extent, nodes, found.places);
    }
    return count_entities();
  });
  found.middles = take_middles(mesh, nodes);
  if (!nodes.empty())
    throw InputError(
        fmt::format("{}: {} nodes of the mesh lie on no point, curve or surface: layers that were added to "
                    "it, or a mesh with other parameters",
                    path, nodes.size()));
  return found;
}

/// In the geometry's unit, with another value of a number.
std::vector<Vec3<double>> moved_places(const std::string& path, ImportOptions options,
                                       const std::string& number, double value, const Surfaces& surfaces) {
  options.parameters[number] = value;
  return on_geometry(path, options, [&] {
    if (count_entities() != surfaces.counts)
      throw InputError(fmt::format(
          "{}: parameter \"{}\" changes the number of points, curves or surfaces: there is no derivative",
          path, number));
    return positions_of(surfaces.places);
  });
}

}  // namespace

std::vector<Velocity> surface_velocities(const std::string& path, const ImportOptions& options,
                                         const std::vector<std::string>& numbers, const Mesh& mesh) {
  const double metres = metres_per_unit(options.unit);
  for (const std::string& number : numbers)
    if (!options.parameters.contains(number))
      throw InputError(fmt::format("{}: parameter \"{}\" must be given a value", path, number));
  const Surfaces surfaces = find_places(path, options, metres, mesh);
  std::vector<Velocity> velocities;
  for (const std::string& number : numbers) {
    const double value = options.parameters.at(number),
                 step = 1e-4 * (value != 0 ? std::abs(value) : surfaces.extent);
    const auto low = moved_places(path, options, number, value - step, surfaces),
               high = moved_places(path, options, number, value + step, surfaces);
    Velocity& velocity = velocities.emplace_back(mesh.nodes.size());
    for (std::size_t i = 0; i < low.size(); ++i)
      velocity[surfaces.places[i].node] = (metres / (2 * step)) * (high[i] - low[i]);
    for (const auto& [node, a, b] : surfaces.middles) velocity[node] = 0.5 * (velocity[a] + velocity[b]);
  }
  return velocities;
}

}  // namespace curlew::mesh
