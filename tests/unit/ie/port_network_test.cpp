// SPDX-License-Identifier: BSD-3-Clause
// Two half-wave strip dipoles side by side: their mutual impedance against the induced-EMF method, and a
// driven port with the other matched.
#include "ie/sources/port_network.hpp"

#include <gtest/gtest.h>

#include "ie/results/far_fields.hpp"
#include "ie/surface/dense_fill.hpp"
#include "linalg/dense/lu.hpp"

namespace curlew::ie {
namespace {

constexpr double length = 0.5, width = 0.002;  // of a wavelength of 1 m

/// Strips along z at y = 0, d, ..., two triangles per cell, its halves "low" and "high" named apart.
System strips(const std::vector<double>& places, int cells) {
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  std::vector<std::string> names;
  for (std::size_t s = 0; s < places.size(); ++s) {
    const auto first = Index(nodes.size());
    for (int i = 0; i <= cells; ++i)
      for (const double x : {-width / 2, width / 2})
        nodes.push_back({x, places[s], length * (double(i) / cells - 0.5)});
    for (int i = 0; i < cells; ++i) {
      const Index a = first + 2 * i;
      triangles.push_back({a, a + 1, a + 3}), triangles.push_back({a, a + 3, a + 2});
      for (int k = 0; k < 2; ++k) tag.push_back(int(2 * s) + (i < cells / 2 ? 0 : 1));
    }
    names.push_back("low" + std::to_string(s)), names.push_back("high" + std::to_string(s));
  }
  Problem p;
  p.surfaces.resize(names.size());
  p.mesh = make_surface_mesh("strips", nodes, triangles, tag, names);
  p.frequency = speed_of_light;
  p.equation = Equation::efie;
  return System(std::move(p));
}

/// Two strips at y = 0 and 0.2 whose middle cells are the ports.
System strips_with_ports() {
  Problem p = strips({0, 0.2}, 21).problem();
  std::vector<std::string> names = p.mesh.tag_names;
  std::vector<int> tag = p.mesh.tag;
  for (int s = 0; s < 2; ++s) {
    names.push_back("port" + std::to_string(s));
    for (int k = 0; k < 2; ++k) tag[std::size_t(42 * s + 20 + k)] = 4 + s;
  }
  p.mesh = make_surface_mesh("strips", p.mesh.nodes, p.mesh.triangles, tag, names);
  p.surfaces.resize(names.size());
  return System(std::move(p));
}

struct Array {
  System system;
  std::vector<PortWeights> ports;
  std::vector<Complex> x;
  PortNetwork network;
};
Array solve_array(const std::vector<double>& places, double reference) {
  Array out{strips(places, 40), {}, {}, {}};
  const Index n = out.system.num_unknowns();
  for (std::size_t s = 0; s < places.size(); ++s) {
    const auto number = std::to_string(s);
    out.ports.push_back(find_port(out.system, {.name = "p", .from = "low" + number, .to = "high" + number}));
    const auto b = right_hand_side(out.system, out.ports.back());
    out.x.insert(out.x.end(), b.begin(), b.end());
  }
  auto matrix = fill_dense(out.system);
  linalg::solve_dense(matrix, out.x.data(), Index(places.size()), linalg::LuPrecision::full, false);
  out.network = port_network(out.ports, out.x.data(), n, reference);
  return out;
}

/// int_0^x (1 - cos t)/t dt and int_0^x sin t/t dt, by Simpson's rule.
std::pair<double, double> cosine_and_sine_integral(double x) {
  constexpr int n = 2000;
  double c = 0, s = 0;
  for (int i = 0; i <= n; ++i) {
    const double t = x * i / n, weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * x / n / 3;
    c += weight * (t > 0 ? (1 - std::cos(t)) / t : 0), s += weight * (t > 0 ? std::sin(t) / t : 1);
  }
  return {c, s};
}

/// Balanis (2016), Antenna Theory, equations 8-68 to 8-70: half-wave dipoles side by side.
Complex induced_emf(double distance) {
  const double k = 2 * pi, root = std::hypot(distance, length);
  const double u[] = {k * distance, k * (root + length), k * (root - length)};
  double ci[3], si[3];
  for (int i = 0; i < 3; ++i) {
    const auto [c, s] = cosine_and_sine_integral(u[i]);
    ci[i] = 0.57721566490153286 + std::log(u[i]) - c, si[i] = s;
  }
  return vacuum_impedance / (4 * pi) * Complex(2 * ci[0] - ci[1] - ci[2], -(2 * si[0] - si[1] - si[2]));
}

/// int J dS over the current at the port, by the far field across; lambda/pi for a sinusoid.
Complex effective_length(const Array& array) {
  const fields::Direction across{pi / 2, pi / 2};
  const auto far = FarFields(array.system).pattern(array.x.data(), 1, std::span(&across, 1));
  const Complex front(0, vacuum_impedance * 2 * pi / (4 * pi));  // theta^ is -z there
  return far.e_theta[0] / front / port_current(array.ports[0], array.x.data());
}

/// The theory's currents are sinusoids. Those of a strip nearly are; their effective length enters twice.
TEST(PortNetwork, DipolesSideBySideHaveTheirMutualImpedance) {
  const Complex longer = effective_length(solve_array({0}, 73)) * pi;
  EXPECT_LT(std::abs(longer - 1.0), 0.1);
  for (const double distance : {0.15, 0.25, 0.5, 1.0}) {
    const Array array = solve_array({0, distance}, 73);
    const Complex z = array.network.impedance()(1, 0), expect = longer * longer * induced_emf(distance);

    EXPECT_LT(std::abs(z - expect), 0.03 * std::abs(expect)) << distance << ": " << z << expect;
    EXPECT_LT(array.network.asymmetry(), 1e-10);
  }
}

/// Sheets belong to the sources: two ports, whose sheets differ, against voltages without any. Across so
/// narrow a strip the current is nearly uniform anyway.
TEST(PortNetwork, SheetsOfTheSourcesAreNotInTheNetwork) {
  const System system = strips_with_ports();
  const auto network = [&](double first, double second) {
    const std::vector<Port> ports{{.name = "a", .region = "port0", .sheet_resistance = first},
                                  {.name = "b", .region = "port1", .sheet_resistance = second}};
    std::vector<PortWeights> weights;
    std::vector<Complex> x;
    for (const auto& port : ports) {
      weights.push_back(find_port(system, port));
      const auto b = right_hand_side(system, weights.back());
      x.insert(x.end(), b.begin(), b.end());
    }
    auto matrix = fill_dense(system);
    for (const Entry& e : port_loads(system, ports)) matrix(e.row, e.column) += e.value;
    linalg::solve_dense(matrix, x.data(), 2, linalg::LuPrecision::full, false);
    auto out = port_network(weights, x.data(), system.num_unknowns(), 50);
    drive_ports(out, system.num_unknowns(), x.data());
    const Complex current = port_current(weights[0], x.data());  // of the driven port
    EXPECT_LT(std::abs(current - std::sqrt(2 / 50.0) * (1.0 - out.scattering(0, 0))), 1e-10);
    return out.impedance();
  };
  const Eigen::MatrixXcd plain = network(0, 0), sheets = network(50, 200);

  EXPECT_LT((sheets - plain).norm(), 0.01 * plain.norm()) << sheets << "\n" << plain;
}

/// A small loop of a strip with a port whose sides are slanted, or not: its resistance is that of radiation,
/// 320 pi^4 (area / wavelength^2)^2, and all that the port accepts is in the far field, though its sheet has
/// 10^8 times the resistance.
TEST(PortNetwork, SheetsOfSlantedPortsTakeNoPower) {
  constexpr int corners = 16, across = 2;
  constexpr double wavelength = 10;
  for (const double slant : {0.0, 0.004}) {
    std::vector<Vec3<double>> nodes;
    for (int i = 0; i <= corners; ++i) {  // open at angle 0, between y = -0.004 and 0.004
      const double angle = 0.1 + (2 * pi - 0.2) * i / corners, sine = std::sin(angle);
      for (int j = 0; j <= across; ++j) {
        const double radius = 0.036 + 0.008 * j / across, end = i == 0 ? 0.004 : i == corners ? -0.004 : 0;
        nodes.push_back(end != 0 ? Vec3<double>{radius + (i == 0 ? slant : 0), end, 0}
                                 : Vec3<double>{radius * std::cos(angle), radius * sine, 0});
      }
    }
    std::vector<Triangle> triangles;
    std::vector<int> tag;
    for (int i = 0; i <= corners; ++i)
      for (int j = 0; j < across; ++j) {
        const Index a = Index((across + 1) * i + j), b = i == corners ? Index(j) : a + across + 1;
        triangles.push_back({a, a + 1, b + 1}), triangles.push_back({a, b + 1, b});
        tag.insert(tag.end(), 2, i == corners ? 1 : 0);
      }
    Problem p;
    p.surfaces.resize(2);
    p.mesh = make_surface_mesh("loop", nodes, triangles, tag, {"wire", "port"});
    p.frequency = speed_of_light / wavelength;
    p.equation = Equation::efie;
    const System system(std::move(p));
    const Port port{.name = "p", .region = "port", .direction = {0, 1, 0}, .sheet_resistance = 5000};
    const std::vector<PortWeights> ports{find_port(system, port)};
    auto x = right_hand_side(system, ports[0]);
    auto matrix = fill_dense(system);
    for (const Entry& e : port_loads(system, {port})) matrix(e.row, e.column) += e.value;
    linalg::solve_dense(matrix, x.data(), 1, linalg::LuPrecision::full, false);
    const auto network = port_network(ports, x.data(), system.num_unknowns(), 50);
    drive_ports(network, system.num_unknowns(), x.data());

    const double accepted = 1 - std::norm(network.scattering(0, 0));
    EXPECT_NEAR(accepted, FarFields(system).powers(x.data(), 1)[0], 2e-3 * accepted) << slant;
    const double area = corners / 2.0 * std::sin(2 * pi / corners) * std::pow(0.04, 2),
                 expect = 320 * std::pow(pi, 4) * std::pow(area, 2) / std::pow(wavelength, 4);
    EXPECT_NEAR(network.impedance()(0, 0).real(), expect, 0.1 * expect) << slant;  // the strip is wide
  }
}

/// Only the load is lossy: incident minus reflected power is radiated or absorbed in the matched port.
TEST(PortNetwork, DrivenPortsHaveOneWattAndMatchedNeighbours) {
  Array array = solve_array({0, 0.15, 0.4}, 73);
  const Index n = array.system.num_unknowns();
  const auto& network = array.network;
  drive_ports(network, n, array.x.data());
  const auto powers = FarFields(array.system).powers(array.x.data(), 3);
  const Eigen::MatrixXcd voltages = network.driven_voltages();
  for (Eigen::Index driven = 0; driven < 3; ++driven) {
    const Complex* x = array.x.data() + driven * n;
    double accepted = 0, into_loads = 0;
    for (Eigen::Index port = 0; port < 3; ++port) {
      const Complex v = voltages(port, driven), i = port_current(array.ports[std::size_t(port)], x);
      if (port == driven) {
        accepted = 0.5 * (v * std::conj(i)).real();
        EXPECT_LT(std::abs(v / i - network.input_impedance(port)), 1e-9 * std::abs(v / i));
      } else {
        EXPECT_LT(std::abs(v + network.reference * i), 1e-9 * std::abs(v)) << "a matched load";
        into_loads -= 0.5 * (v * std::conj(i)).real();
      }
    }
    EXPECT_NEAR(accepted, 1 - std::norm(network.scattering(driven, driven)), 1e-9);
    EXPECT_NEAR(accepted, powers[std::size_t(driven)] + into_loads, 2e-3 * accepted);
    EXPECT_GT(into_loads, 0.05);
  }
}

}  // namespace
}  // namespace curlew::ie
