// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sources/excitation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "base/error.hpp"
#include "ie/sources/port_strip.hpp"
#include "ie/surface/dual_testing.hpp"
#include "ie/surface/gram.hpp"

namespace curlew::ie {
namespace {

/// Adds the tests of a field of a region to right-hand sides; see Testing.
class FieldTest {
 public:
  FieldTest(const System& system, int region, Testing testing)
      : system_(system), region_(system.scene().regions[std::size_t(region)]), testing_(testing) {}

  /// Integrates over a triangle, recursively divided into four parts until they are small compared to the
  /// distance from `source`, the pole of the field.
  template <class Field>
  void add(Index t, const Field& field, const Vec3<double>* source, std::vector<Complex>& b) const {
    const auto& mesh = system_.mesh();
    add_part(t, {mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, 1, field, source, b);
  }

 private:
  template <class Field>
  void add_part(Index t, const std::array<Vec3<double>, 3>& p, double share, const Field& field,
                const Vec3<double>* source, std::vector<Complex>& b) const {
    if (source != nullptr && share > 1e-4) {
      const Vec3<double> centre = (1.0 / 3) * (p[0] + p[1] + p[2]);
      double size = 0;
      for (const auto& corner : p) size = std::max(size, norm(corner - centre));
      if (norm(*source - centre) < 3 * size) {
        const std::array<Vec3<double>, 3> m{0.5 * (p[1] + p[2]), 0.5 * (p[2] + p[0]), 0.5 * (p[0] + p[1])};
        for (int i = 0; i < 3; ++i)
          add_part(t, {p[i], m[(i + 2) % 3], m[(i + 1) % 3]}, 0.25 * share, field, source, b);
        return add_part(t, m, 0.25 * share, field, source, b);
      }
    }
    for (std::size_t q = 0; q < rule_.weights.size(); ++q) {
      Vec3<double> r{};
      for (int i = 0; i < 3; ++i) r += rule_.points[q][i] * p[i];
      add_point(t, r, 0.5 * share * rule_.weights[q], field(r), b);
    }
  }
  void add_point(Index t, Vec3<double> r, double weight, const FieldPair& f, std::vector<Complex>& b) const {
    const auto& mesh = system_.mesh();
    const double sign = region_.sign[t];
    for (Index a = system_.space().begin(t); a < system_.space().begin(t + 1); ++a) {
      const auto& local = system_.space().locals()[a];
      const Vec3<double> g = (weight * local.scale) * (r - mesh.corner(t, local.vertex));
      if (testing_ == Testing::magnetic) {
        b[local.function] += dot(g, f.h);
        continue;
      }
      const double share = testing_ == Testing::reaction ? 1 : system_.electric_share(local.function);
      b[local.function] += (share * sign / vacuum_impedance) * dot(g, f.e);
      if (share < 1 && system_.dual() == nullptr)
        b[local.function] += (1 - share) * dot(g, cross(normalized(mesh.area_vector(t)), f.h));
      const Index magnetic = system_.magnetic_unknown(local.function);
      if (magnetic >= 0) b[magnetic] -= sign * dot(g, f.h);
    }
  }

  const System& system_;
  const Region& region_;
  Testing testing_;
  BarycentricRule rule_ = barycentric_rule(5);
};

/// @param source pole of the field, or null
template <class Field>
void add_tests(const System& system, int region, Testing testing, const Field& field,
               const Vec3<double>* source, std::vector<Complex>& b) {
  const FieldTest test(system, region, testing);
  for (const Index t : system.scene().regions[std::size_t(region)].triangles) test.add(t, field, source, b);
}

template <class Field>
std::vector<Complex> tests_of(const System& system, int region, Testing testing, const Field& field,
                              const Vec3<double>* source) {
  std::vector<Complex> b(std::size_t(system.num_unknowns()));
  add_tests(system, region, testing, field, source, b);
  if (testing != Testing::equations || system.dual() == nullptr) return b;
  const System& fine = system.dual()->refined();
  std::vector<Complex> magnetic(std::size_t(fine.num_unknowns()));
  add_tests(fine, region, Testing::magnetic, field, source, magnetic);
  system.dual()->add_tested(system, magnetic, b);
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

void require_voltage(const System& system, const Port& port, Index function) {
  if (system.electric_share(function) < 1 || system.magnetic_unknown(function) >= 0)
    throw InputError(fmt::format(
        "port \"{}\": a voltage needs equation = \"efie\" and conductors on both sides", port.name));
}

/// Refuses a port across several gaps.
void require_one_gap(const System& system, const Port& port, const std::vector<Index>& functions) {
  std::map<Index, Index> parent;  // of the nodes of the edges
  const auto root = [&](Index n) {
    while (parent.try_emplace(n, n).first->second != n) n = parent[n];
    return n;
  };
  const auto& edges = system.space().functions();
  for (const Index f : functions) parent[root(edges[std::size_t(f)].a)] = root(edges[std::size_t(f)].b);
  std::map<Index, Vec3<double>> places;
  for (const auto& [node, above] : parent)
    places.try_emplace(root(node), system.mesh().nodes[std::size_t(node)]);
  if (places.size() < 2) return;
  const auto first = places.begin()->second, second = std::next(places.begin())->second;
  throw InputError(fmt::format(
      "port \"{}\": the surfaces \"{}\" and \"{}\" meet in {} places, near ({:.4g}, {:.4g}, {:.4g}) and "
      "({:.4g}, {:.4g}, {:.4g}) m, but a port has one gap: divide a surface, so that the two meet at the gap "
      "only",
      port.name, port.from, port.to, places.size(), first.x, first.y, first.z, second.x, second.y, second.z));
}

PortWeights find_gap(const System& system, const Port& port) {
  const auto& mesh = system.mesh();
  const int from = tag_of(mesh, port, port.from), to = tag_of(mesh, port, port.to);
  PortWeights out;
  for (Index f = 0; f < system.space().size(); ++f) {
    double out_of_from = 0;  // the current that leaves it
    bool has_to = false;
    system.space().for_each_part(f, [&](const FunctionPart& part) {
      if (mesh.tag[part.triangle] == from) out_of_from = part.scale;
      if (mesh.tag[part.triangle] == to) has_to = true;
    });
    if (from == to || out_of_from == 0 || !has_to) continue;
    require_voltage(system, port, f);
    out.functions.push_back(f);
    out.weights.push_back(out_of_from);
  }
  if (out.functions.empty() || from == to)
    throw InputError(fmt::format("port \"{}\": the surfaces \"{}\" and \"{}\" share no edge", port.name,
                                 port.from, port.to));
  require_one_gap(system, port, out.functions);
  return out;
}

/// int f_a . f_b times the resistance of a square, R width / length.
std::vector<Entry> sheet_of(const System& system, const Port& port, int tag, double length) {
  const auto& mesh = system.mesh();
  double area = 0;
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    if (mesh.tag[t] == tag) area += 0.5 * norm(mesh.area_vector(t));
  const double square = port.sheet_resistance * area / (length * length) / vacuum_impedance;
  std::vector<Entry> out;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (mesh.tag[t] != tag) continue;
    for (Index a = system.space().begin(t); a < system.space().begin(t + 1); ++a) {
      for (Index b = system.space().begin(t); b < system.space().begin(t + 1); ++b) {
        const auto &row = system.space().locals()[a], &column = system.space().locals()[b];
        out.push_back({row.function, column.function,
                       square * row.scale * column.scale * gram(mesh, t, row.vertex, column.vertex)});
      }
    }
  }
  return out;
}

/// E = V/length along the direction: the weights are the mean currents, int f . direction dS / length.
PortWeights find_spread(const System& system, const Port& port) {
  const auto& mesh = system.mesh();
  const int tag = tag_of(mesh, port, port.region);
  const double length = strip_length(mesh, tag, port.direction, fmt::format("port \"{}\"", port.name));
  std::map<Index, double> weights;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (mesh.tag[t] != tag) continue;
    for (Index a = system.space().begin(t); a < system.space().begin(t + 1); ++a) {
      const auto& f = system.space().locals()[a];
      require_voltage(system, port, f.function);
      weights[f.function] += 0.5 * f.scale * dot(mesh.centroid(t) - mesh.corner(t, f.vertex), port.direction);
    }
  }
  PortWeights out;
  for (const auto& [function, weight] : weights)
    out.functions.push_back(function), out.weights.push_back(weight / length);
  out.sheet_resistance = port.sheet_resistance;
  if (port.sheet_resistance > 0) out.sheet = sheet_of(system, port, tag, length);
  return out;
}

}  // namespace

PortWeights find_port(const System& system, const Port& port) {
  return port.region.empty() ? find_gap(system, port) : find_spread(system, port);
}

std::vector<Entry> port_loads(const System& system, const std::vector<Port>& ports) {
  std::vector<Entry> out;
  for (const auto& port : ports) {
    if (port.sheet_resistance == 0 && port.series_impedance == 0.0) continue;
    const auto at = find_port(system, port);
    out.insert(out.end(), at.sheet.begin(), at.sheet.end());
    if (port.series_impedance == 0.0) continue;
    for (std::size_t a = 0; a < at.functions.size(); ++a)
      for (std::size_t b = 0; b < at.functions.size(); ++b)
        out.push_back({at.functions[a], at.functions[b],
                       at.weights[a] * at.weights[b] * port.series_impedance / vacuum_impedance});
  }
  return out;
}

std::vector<Complex> right_hand_side(const System& system, const PlaneWave& wave) {
  const double k = system.scene().regions[0].k.real();
  return tests_of(
      system, 0, Testing::equations, [&](Vec3<double> r) { return wave.at(r, k); }, nullptr);
}
std::vector<Complex> test_dipole(const System& system, const Dipole& dipole, int number, Testing testing) {
  const Region& region = system.scene().regions[std::size_t(number)];
  return tests_of(
      system, number, testing, [&](Vec3<double> r) { return dipole.at(r, region.k, region.eta); },
      &dipole.position);
}
std::vector<Complex> right_hand_side(const System& system, const PortWeights& port) {
  std::vector<Complex> b(std::size_t(system.num_unknowns()));
  for (std::size_t i = 0; i < port.functions.size(); ++i)
    b[port.functions[i]] = port.weights[i] / vacuum_impedance;
  return b;
}

Complex port_current(const PortWeights& port, const Complex* x) {
  Complex sum{};
  for (std::size_t i = 0; i < port.functions.size(); ++i) sum += port.weights[i] * x[port.functions[i]];
  return sum;
}

}  // namespace curlew::ie
