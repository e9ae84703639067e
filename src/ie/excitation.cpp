// SPDX-License-Identifier: BSD-3-Clause
#include "ie/excitation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::ie {
namespace {

template <class Source>
std::vector<Complex> test_field(const System& system, const Source& source) {
  const auto& mesh = system.mesh();
  const auto& region = system.scene().regions[0];
  const auto rule = barycentric_rule(5);
  std::vector<Complex> b(std::size_t(system.num_unknowns()));
  for (const Index t : region.triangles) {
    const Vec3<double> normal = normalized(mesh.area_vector(t));
    for (std::size_t q = 0; q < rule.weights.size(); ++q) {
      Vec3<double> r{};
      for (int i = 0; i < 3; ++i) r += rule.points[q][i] * mesh.corner(t, i);
      const FieldPair f = source.at(r, region.k.real());
      const Vec3<Complex> rotated = cross(normal, f.h);
      for (Index a = system.space().begin(t); a < system.space().begin(t + 1); ++a) {
        const auto& local = system.space().locals()[a];
        const Vec3<double> g = (0.5 * rule.weights[q] * local.scale) * (r - mesh.corner(t, local.vertex));
        const double share = system.electric_share(local.function);
        b[local.function] += (share * region.sign[t] / vacuum_impedance) * dot(g, f.e);
        if (share < 1) b[local.function] += (1 - share) * dot(g, rotated);
        const Index magnetic = system.magnetic_unknown(local.function);
        if (magnetic >= 0) b[magnetic] -= double(region.sign[t]) * dot(g, f.h);
      }
    }
  }
  return b;
}

int tag_of(const SurfaceMesh& mesh, const Port& port, const std::string& name) {
  const auto& names = mesh.tag_names;
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    throw InputError(fmt::format("port \"{}\": surface \"{}\" is not there (surfaces: {})", port.name, name,
                                 fmt::join(names, ", ")));
  return int(at - names.begin());
}

}  // namespace

PortEdges find_port(const System& system, const Port& port) {
  const auto& mesh = system.mesh();
  const int from = tag_of(mesh, port, port.from), to = tag_of(mesh, port, port.to);
  PortEdges out;
  for (Index f = 0; f < system.space().size(); ++f) {
    const auto& w = system.space().functions()[f];
    const int plus = mesh.tag[w.plus], minus = mesh.tag[w.minus];
    if (!((plus == from && minus == to) || (plus == to && minus == from))) continue;
    if (system.electric_share(f) < 1 || system.magnetic_unknown(f) >= 0)
      throw InputError(fmt::format(
          "port \"{}\": a voltage needs equation = \"efie\" and conductors on both sides", port.name));
    out.functions.push_back(f);
    out.signs_times_length.push_back(plus == from ? w.length : -w.length);
  }
  if (out.functions.empty() || from == to)
    throw InputError(fmt::format("port \"{}\": the surfaces \"{}\" and \"{}\" share no edge", port.name,
                                 port.from, port.to));
  return out;
}

void add_loads(const System& system, const std::vector<Port>& ports, std::vector<Entry>& out) {
  for (const auto& port : ports) {
    if (port.series_impedance == 0.0) continue;
    const auto edges = find_port(system, port);
    for (std::size_t a = 0; a < edges.functions.size(); ++a)
      for (std::size_t b = 0; b < edges.functions.size(); ++b)
        out.push_back({edges.functions[a], edges.functions[b],
                       edges.signs_times_length[a] * edges.signs_times_length[b] * port.series_impedance /
                           vacuum_impedance});
  }
}

std::vector<Complex> right_hand_side(const System& system, const PlaneWave& wave) {
  return test_field(system, wave);
}
std::vector<Complex> right_hand_side(const System& system, const Dipole& dipole) {
  return test_field(system, dipole);
}
std::vector<Complex> right_hand_side(const System& system, const PortEdges& port) {
  std::vector<Complex> b(std::size_t(system.num_unknowns()));
  for (std::size_t i = 0; i < port.functions.size(); ++i)
    b[port.functions[i]] = port.signs_times_length[i] / vacuum_impedance;
  return b;
}

Complex port_current(const PortEdges& port, const Complex* x) {
  Complex sum{};
  for (std::size_t i = 0; i < port.functions.size(); ++i)
    sum += port.signs_times_length[i] * x[port.functions[i]];
  return sum;
}

}  // namespace curlew::ie
