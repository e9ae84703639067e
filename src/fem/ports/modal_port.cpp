// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/modal_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/periodic/floquet_port.hpp"
#include "fem/ports/face_modes.hpp"
#include "fem/ports/mode_history.hpp"
#include "fem/ports/voltage_line.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

/// ∫ W·e_m dS for all modes. Modes are no polynomials: the rule is four degrees above the basis.
std::vector<double> project_modes(const ModalPort& port, const std::vector<WaveguideMode>& modes,
                                  const NedelecSpace& space) {
  std::vector<double> loads(modes.size() * port.dofs.size(), 0.0);
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  TriangleTrace trace;
  for (const Index t : port.triangles) {
    evaluator.evaluate(t, trace);
    for (std::size_t m = 0; m < modes.size(); ++m) {
      double* load = &loads[m * port.dofs.size()];
      for (int q = 0; q < evaluator.num_points(); ++q) {
        const Vec3<double> e =
            trace.weights[std::size_t(q)] * modes[m].electric(trace.points[std::size_t(q)]);
        for (int i = 0; i < trace.num_functions; ++i) {
          if (trace.dofs[std::size_t(i)] < 0) continue;
          const auto place = std::lower_bound(port.dofs.begin(), port.dofs.end(), trace.dofs[std::size_t(i)]);
          load[place - port.dofs.begin()] +=
              dot(e, trace.values[std::size_t(q) * std::size_t(trace.num_functions) + std::size_t(i)]);
        }
      }
    }
  }
  return loads;
}

/// Scales f_m to f_mᵀ B⁻¹ f_m = 1: the mode as the mesh can hold it then carries all of its power, and a
/// lossless device keeps |S| = 1 far below the error of the mode's shape.
void normalize_loads(const NedelecSpace& space, ModalPort& port) {
  const auto n = port.dofs.size();
  const linalg::Csr<double> mass = port_mass(port, space);
  const auto solver = linalg::make_direct_solver<double>({});
  solver->analyse(mass);
  solver->factor(mass);
  std::vector<double> projection = port.loads;  // coefficients of the best approximations of e_m
  solver->solve(projection.data(), Index(port.modes.size()));
  for (std::size_t m = 0; m < port.modes.size(); ++m) {
    const double norm2 =
        std::inner_product(&port.loads[m * n], &port.loads[m * n] + n, &projection[m * n], 0.0);
    const bool resolved = norm2 > 0.25;
    if (!resolved && m < std::size_t(port.num_reported)) {
      throw InputError(
          fmt::format("port \"{}\": the mesh is too coarse for mode {}", port.region, port.modes[m].name));
    }
    // A mode that is only absorbed and that the mesh cannot hold is left out: its load is zero.
    const double scale = resolved ? 1 / std::sqrt(norm2) : 0;
    for (std::size_t i = 0; i < n; ++i) port.loads[m * n + i] *= scale;
  }
}

/// V = g·x with x = B⁻¹ ∫ W·e dS, so the functional that is kept is B⁻¹g.
void set_voltage_line(const std::array<Vec3<double>, 2>& line, const NedelecSpace& space, ModalPort& port) {
  port.voltage = line_functional(space, port.triangles, port.dofs, line, port.region);
  const linalg::Csr<double> mass = port_mass(port, space);
  const auto solver = linalg::make_direct_solver<double>({});
  solver->analyse(mass);
  solver->factor(mass);
  solver->solve(port.voltage.data(), 1);
}

/// Edges of the face and how often its triangles use them: once on the outline.
std::map<Index, int> edge_uses(const ModalPort& port, const NedelecSpace& space) {
  std::map<Index, int> uses;
  for (const Index t : port.triangles) {
    const Index face = space.topology->triangle_face[std::size_t(t)];
    for (const Index e : space.topology->face_edges[std::size_t(face)]) ++uses[e];
  }
  return uses;
}

/// Edges that the face shares with impedance and absorbing boundaries, by the parts of these.
std::vector<PortWall> find_walls(const ModalPort& port, const Model& model, const NedelecSpace& space) {
  const auto uses = edge_uses(port, space);
  const auto& topology = *space.topology;
  const auto edges_of = [&](Index t) {
    return topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])];
  };
  const auto in_port = [&](Index e) { return uses.count(e) > 0 && space.edge_number[std::size_t(e)] >= 0; };
  const auto make_unique = [](auto& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  std::vector<PortWall> walls;
  for (FacePart& part : face_parts(model, space)) {
    PortWall wall;
    for (const Index t : part.triangles)
      for (const Index e : edges_of(t))
        if (in_port(e)) wall.edges.push_back(e);
    for (const auto& [first, second] : part.pairs)
      for (std::size_t i = 0; i < 3; ++i)
        if (in_port(edges_of(first)[i])) wall.pairs.push_back({edges_of(first)[i], edges_of(second)[i]});
    make_unique(wall.edges);
    make_unique(wall.pairs);
    if (part.along && !wall.edges.empty())
      throw InputError(fmt::format(
          "port \"{}\" touches the lumped element \"{}\": a guide ends where it has one cross-section; keep "
          "them apart",
          port.region, model.boundaries[part.boundary].regions.front()));
    wall.part = std::move(part);
    if (!wall.edges.empty()) walls.push_back(std::move(wall));
  }
  return walls;
}

/// True if the face's metal is its outline, all of it: perfect conductors and good ones.
bool has_metal_outline(const ModalPort& port, const Model& model, const NedelecSpace& space) {
  std::set<Index> conducting;
  for (const PortWall& wall : port.walls) {
    if (model.boundaries[wall.part.boundary]->is_metal())
      conducting.insert(wall.edges.begin(), wall.edges.end());
  }
  for (const auto& [edge, uses] : edge_uses(port, space)) {
    const bool metal = space.edge_number[std::size_t(edge)] < 0 || conducting.count(edge) > 0;
    if ((uses == 1) != metal) return false;
  }
  return true;
}

/// Connected sets of edges of metal, perfect or with an impedance.
int count_conductors(const ModalPort& port, const Model& model, const NedelecSpace& space) {
  std::set<Index> metal;
  for (const auto& [edge, uses] : edge_uses(port, space))
    if (space.edge_number[std::size_t(edge)] < 0) metal.insert(edge);
  for (const PortWall& wall : port.walls)
    if (model.boundaries[wall.part.boundary]->conducts()) metal.insert(wall.edges.begin(), wall.edges.end());
  std::map<Index, Index> parent;
  const auto root = [&](Index node) {
    parent.emplace(node, node);
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const Index edge : metal) {
    const auto& [a, b] = space.topology->edges[std::size_t(edge)];
    parent[root(a)] = root(b);
  }
  return int(std::count_if(parent.begin(), parent.end(), [](const auto& p) { return p.first == p.second; }));
}

void set_lumped(const PortModel& model, const Model& whole, const NedelecSpace& space, ModalPort& port) {
  port.lumped = make_lumped_port(model, whole, space, port.triangles);
  port.modes = {{ModeFamily::lumped, "lumped", 0, 0, 0}};
  port.loads = lumped_load(*port.lumped, space, port.triangles, port.dofs);
}

/// The line between port and reference plane lies within the model, which the unit is easily wrong by 1000
/// for.
void check_deembed(const ModalPort& port, const mesh::Mesh& mesh) {
  if (port.deembed <= 0) return;
  const Index* nodes = mesh.triangle(port.triangles[0]);
  const Vec3<double> a = mesh.nodes[std::size_t(nodes[0])];
  const Vec3<double> normal =
      normalized(cross(mesh.nodes[std::size_t(nodes[1])] - a, mesh.nodes[std::size_t(nodes[2])] - a));
  double depth = 0;
  for (const auto& p : mesh.nodes) depth = std::max(depth, std::abs(dot(p - a, normal)));
  if (port.deembed > depth * (1 + 1e-6))
    throw InputError(
        fmt::format("port \"{}\": deembed = {:g} m leads out of the model, which is {:.4g} m deep behind the "
                    "port: give the "
                    "length of guide from the port to the reference plane, in metres",
                    port.region, port.deembed, depth));
}

/// The axis u along a direction in the plane.
void turn(Vec3<double> direction, const std::string& what, PortShape& shape) {
  const Vec3<double> normal = cross(shape.u, shape.v);
  shape.u = in_plane(direction, normal, what);
  shape.v = cross(normal, shape.u);
}

/// V along a line that ends on an electric plane of symmetry is half of the whole structure's.
double whole_voltage(const std::array<Vec3<double>, 2>& line, const WholeStructure& whole) {
  double factor = 1;
  for (const auto& plane : whole.planes)
    for (const auto& end : line)
      if (plane.is_electric && plane.holds(end, 1e-6 * norm(line[1] - line[0]))) factor *= 2;
  return factor;
}

void set_closed_form(const PortShape& shape, int count, const NedelecSpace& space, ModalPort& port) {
  const auto modes = waveguide_modes(shape, count);
  port.modes.assign(modes.begin(), modes.end());
  port.loads = project_modes(port, modes, space);
  normalize_loads(space, port);
}

/// True if magnetic walls inside of the mesh cut the face into parts, each of which would have a potential.
bool is_divided(const ModalPort& port, const NedelecSpace& space) {
  const auto& topology = *space.topology;
  std::map<Index, std::vector<Index>> neighbours;
  for (const Index t : port.triangles)
    for (const Index e : topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])]) {
      const auto& [a, b] = topology.edges[std::size_t(e)];
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
  std::set<Index> reached{neighbours.begin()->first};
  std::vector<Index> front(reached.begin(), reached.end());
  while (!front.empty()) {
    const Index node = front.back();
    front.pop_back();
    for (const Index next : neighbours[node])
      if (reached.insert(next).second) front.push_back(next);
  }
  return reached.size() < neighbours.size();
}

void set_numeric(const PortModel& model, int count, bool homogeneous, const NedelecSpace& space,
                 ModalPort& port) {
  auto face = std::make_shared<FaceSpace>(make_face_space(space, port.triangles));
  if (!homogeneous) {
    for (int m = 0; m < count; ++m)
      port.modes.push_back({ModeFamily::hybrid, fmt::format("mode-{}", m + 1), 0, 0, 0});
    port.face = std::move(face);
    port.history = std::make_shared<ModeHistory>(direction_functionals(*port.face, model.polarization),
                                                 port.dofs.size());
    return;
  }
  if (is_divided(port, space))
    throw InputError(
        fmt::format("port \"{}\": magnetic walls inside of the mesh divide its face: give every part a "
                    "[[port]] of its own",
                    port.region));
  auto found = homogeneous_modes(*face, count, model.polarization);
  if (int(found.modes.size()) < model.modes)
    throw InputError(
        fmt::format("port \"{}\": the mesh is too coarse for {} modes", port.region, model.modes));
  port.modes = std::move(found.modes);
  port.loads = std::move(found.loads);
}

}  // namespace

std::string mode_label(const std::vector<ModalPort>& ports, const ModePlace& place) {
  const ModalPort& port = ports[std::size_t(place.port)];
  return fmt::format("{} {}", port.region, port.modes[std::size_t(place.mode)].name);
}

bool is_homogeneous(const ModalPort& port, const Model& model, const NedelecSpace& space) {
  const auto material = material_of_cells(model, *space.mesh);
  const auto behind = [&](Index t) -> const RegionMaterial& {
    const Index face = space.topology->triangle_face[std::size_t(t)];
    const Index cell = space.topology->face_cells[std::size_t(face)][0];
    return model.materials[std::size_t(material[std::size_t(cell)])];
  };
  const RegionMaterial& first = behind(port.triangles[0]);
  return first.is_isotropic() && std::all_of(port.triangles.begin(), port.triangles.end(),
                                             [&](Index t) { return same_medium(behind(t), first); });
}

linalg::Csr<double> port_mass(const ModalPort& port, const NedelecSpace& space) {
  linalg::Coo<double> mass;
  mass.num_rows = mass.num_cols = Index(port.dofs.size());
  const auto place = [&](Index dof) {
    return Index(std::lower_bound(port.dofs.begin(), port.dofs.end(), dof) - port.dofs.begin());
  };
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  TriangleTrace trace;
  for (const Index t : port.triangles) {
    evaluator.evaluate(t, trace);
    each_trace_pair(
        trace, [&](std::size_t i, std::size_t j) { return dot(trace.values[i], trace.values[j]); },
        [&](Index i, Index j, double sum) { mass.add(place(i), place(j), sum); });
  }
  return linalg::to_csr(mass);
}

ModalPort make_modal_port(const PortModel& model, const Model& whole, const NedelecSpace& space,
                          const std::string& name) {
  const mesh::Mesh& mesh = *space.mesh;
  ModalPort port;
  port.region = model.region;
  port.excite = model.excite;
  port.drive = model.drive;
  port.impedance = model.impedance;
  port.deembed = model.deembed;
  port.reference_impedance = model.reference_impedance;
  port.num_reported = model.modes;
  port.triangles = surface_triangles(mesh, model.region);
  port.dofs = surface_dofs(space, port.triangles);
  port.whole = whole_structure(mesh, port.triangles, whole.mirrors);
  check_deembed(port, mesh);
  if (port.dofs.empty())
    throw InputError(fmt::format("{}: no unknowns on \"{}\": the mesh is too coarse", name, model.region));
  const Index face = space.topology->triangle_face[std::size_t(port.triangles[0])];
  port.cell = space.topology->face_cells[std::size_t(face)][0];
  if (model.type == PortType::lumped) {
    set_lumped(model, whole, space, port);
    return port;
  }
  if (model.type == PortType::floquet) {
    set_floquet(model, whole, space, port);
    return port;
  }
  auto shape = detect_port_shape(mesh, {model.region, port.triangles}, name);
  if (shape && shape->kind == PortShape::Kind::circle && model.polarization)
    turn(*model.polarization, fmt::format("port \"{}\": polarization", model.region), *shape);
  port.walls = find_walls(port, whole, space);
  port.num_conductors = count_conductors(port, whole, space);
  const bool one_medium = is_homogeneous(port, whole, space);
  const int count = model.modes + model.absorbed_modes;
  if (shape && one_medium && !model.numeric && has_metal_outline(port, whole, space)) {
    set_closed_form(*shape, count, space, port);
  } else {
    set_numeric(model, count, one_medium && port.walls.empty(), space, port);
  }
  if (!model.voltage_line) return port;
  set_voltage_line(*model.voltage_line, space, port);
  port.voltage_factor = whole_voltage(*model.voltage_line, port.whole);
  return port;
}

}  // namespace curlew::fem
