// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"

namespace curlew::fem {
namespace {

/// The line between port and reference plane lies within the model, a check for wrong units.
void check_deembed(const PortFace& face, double deembed, const mesh::Mesh& mesh) {
  if (deembed <= 0) return;
  const Index* nodes = mesh.triangle(face.triangles[0]);
  const Vec3<double> a = mesh.nodes[std::size_t(nodes[0])];
  const Vec3<double> normal =
      normalized(cross(mesh.nodes[std::size_t(nodes[1])] - a, mesh.nodes[std::size_t(nodes[2])] - a));
  double depth = 0;
  for (const auto& p : mesh.nodes) depth = std::max(depth, std::abs(dot(p - a, normal)));
  if (deembed > depth * (1 + 1e-6))
    throw InputError(
        fmt::format("port \"{}\": deembed = {:g} m is outside of the model, which is {:.4g} m deep behind "
                    "the port: give the length of guide from the port to the reference plane, in metres",
                    face.region, deembed, depth));
}

PortFace make_face(const PortModel& port, const Model& model, const NedelecSpace& space,
                   const std::string& name) {
  PortFace face;
  face.region = port.region;
  face.title = port.title();
  face.name = name;
  face.triangles = surface_triangles(*space.mesh, port.region);
  face.dofs = surface_dofs(space, face.triangles);
  face.whole = whole_structure(*space.mesh, face.triangles, model.mirrors);
  check_deembed(face, port.deembed, *space.mesh);
  if (face.dofs.empty())
    throw InputError(fmt::format("{}: no unknowns on \"{}\": take smaller cells there", name, port.region));
  const Index first = space.topology->triangle_face[std::size_t(face.triangles[0])];
  face.cell = space.topology->face_cells[std::size_t(first)][0];
  return face;
}

Index place_of(const PortFace& face, Index dof) {
  return Index(std::lower_bound(face.dofs.begin(), face.dofs.end(), dof) - face.dofs.begin());
}

template <class T>
std::vector<T> project(const PortFace& face, const NedelecSpace& space, int rule_degree, std::size_t count,
                       const ModeField<T>& field) {
  const std::size_t dofs = face.dofs.size();
  std::vector<T> loads(count * dofs, T(0));
  const TraceEvaluator evaluator(space, rule_degree);
  TriangleTrace trace;
  for (const Index t : face.triangles) {
    evaluator.evaluate(t, trace);
    const auto n = std::size_t(trace.num_functions);
    for (std::size_t m = 0; m < count; ++m)
      for (std::size_t q = 0; q < trace.weights.size(); ++q) {
        const Vec3<T> e = T(trace.weights[q]) * field(m, trace.points[q]);
        for (std::size_t i = 0; i < n; ++i) {
          if (trace.dofs[i] < 0) continue;
          const Vec3<double>& w = trace.values[q * n + i];
          loads[m * dofs + std::size_t(place_of(face, trace.dofs[i]))] += e.x * w.x + e.y * w.y + e.z * w.z;
        }
      }
  }
  return loads;
}

}  // namespace

Port::Port(const PortModel& model, const PortFace& face)
    : PortFace(face),
      excite(model.excite),
      drive(model.drive),
      deembed(model.deembed),
      reference_impedance(model.reference_impedance) {}

PortSolution Port::solve(const PortContext& context, double frequency) const {
  PortSolution solution = solve_modes(context, frequency);
  for (ModeState& state : solution.modes) state.shift = state.gamma * deembed;
  return solution;
}

void Port::add_reference(const NedelecSpace& space, Complex c, linalg::Csr<Complex>& a) const {
  add_tangential_mass(space, triangles, c, a);
}

bool Port::has_symmetric_scattering(const std::vector<double>&) const {
  return true;
}

std::optional<double> Port::cutoff_frequency(std::size_t, const Material&) const {
  return std::nullopt;
}

std::string Port::excitation_name(std::size_t) const {
  return title;
}

void Port::require_impedance(std::size_t mode, const ModeState& state) const {
  if (state.impedance == 0.0)
    throw InputError(
        fmt::format("port \"{}\": reference_impedance: {} {} has no impedance by this definition: give "
                    "impedance = \"wave\", or a voltage_line",
                    region, region, modes[mode].name));
}

std::string mode_label(const std::vector<PortPtr>& ports, const ModePlace& place) {
  const Port& port = *ports[std::size_t(place.port)];
  return fmt::format("{} {}", port.title, port.modes[std::size_t(place.mode)].name);
}

std::vector<PortPtr> make_ports(const Model& model, const NedelecSpace& space) {
  std::vector<PortPtr> ports;
  for (const PortModel& port : model.ports) {
    const PortFace face = make_face(port, model, space, fmt::format("port {}", ports.size() + 1));
    ports.push_back(port.kind->make(port, face, model, space));
  }
  return ports;
}

bool is_homogeneous(const PortFace& face, const Model& model, const NedelecSpace& space) {
  const auto material = material_of_cells(model, *space.mesh);
  const auto behind = [&](Index t) -> const RegionMaterial& {
    const Index triangle = space.topology->triangle_face[std::size_t(t)];
    const Index cell = space.topology->face_cells[std::size_t(triangle)][0];
    return model.materials[std::size_t(material[std::size_t(cell)])];
  };
  const RegionMaterial& first = behind(face.triangles[0]);
  return first.is_isotropic() && std::all_of(face.triangles.begin(), face.triangles.end(),
                                             [&](Index t) { return same_medium(behind(t), first); });
}

linalg::Csr<double> port_mass(const PortFace& face, const NedelecSpace& space) {
  linalg::Coo<double> mass;
  mass.num_rows = mass.num_cols = Index(face.dofs.size());
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  TriangleTrace trace;
  for (const Index t : face.triangles) {
    evaluator.evaluate(t, trace);
    each_trace_pair(
        trace, [&](std::size_t i, std::size_t j) { return dot(trace.values[i], trace.values[j]); },
        [&](Index i, Index j, double sum) { mass.add(place_of(face, i), place_of(face, j), sum); });
  }
  return linalg::to_csr(mass);
}

std::vector<double> project_modes(const PortFace& face, const NedelecSpace& space, int rule_degree,
                                  std::size_t count, const ModeField<double>& field) {
  return project(face, space, rule_degree, count, field);
}
std::vector<Complex> project_modes(const PortFace& face, const NedelecSpace& space, int rule_degree,
                                   std::size_t count, const ModeField<Complex>& field) {
  return project(face, space, rule_degree, count, field);
}

}  // namespace curlew::fem
