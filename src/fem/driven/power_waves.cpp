// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/power_waves.hpp"

#include <Eigen/Core>
#include <cmath>

#include "base/error.hpp"
#include "fem/ports/port_solution.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::fem {
namespace {

/// p = direct q + other r of one port, q and r its two waves of another kind.
struct Mix {
  Complex direct = 1, other = 0;
};

/// New incident and outgoing waves out of the old ones, a port at a time.
struct Conversion {
  Mix incident, outgoing;  ///< direct: of the old incident wave for `incident`, the old outgoing one else
};

Eigen::MatrixXcd convert(const Eigen::MatrixXcd& s, const std::vector<Conversion>& ports) {
  const Eigen::Index n = s.rows();
  Eigen::MatrixXcd in = Eigen::MatrixXcd::Zero(n, n), out = in;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Conversion& port = ports[std::size_t(i)];
    in.row(i) = port.incident.other * s.row(i);
    in(i, i) += port.incident.direct;
    out.row(i) = port.outgoing.direct * s.row(i);
    out(i, i) += port.outgoing.other;
  }
  return linalg::solve(Eigen::MatrixXcd(in.transpose()), out.transpose()).transpose();
}

/// V and I of unit waves of an impedance.
struct Line {
  Complex v_in, v_out, i_in, i_out;
};

Line line_of(Complex z) {
  if (carries_power(z)) {
    const double root = std::sqrt(z.real());
    return {std::conj(z) / root, z / root, 1 / root, -1 / root};
  }
  const Complex root = std::sqrt(z);
  return {root, root, 1.0 / root, -1.0 / root};
}

/// Power waves of a reference.
Conversion to_reference(const Line& line, Complex z) {
  const double scale = 1 / (2 * std::sqrt(z.real()));
  return {{scale * (line.v_in + z * line.i_in), scale * (line.v_out + z * line.i_out)},
          {scale * (line.v_out - std::conj(z) * line.i_out), scale * (line.v_in - std::conj(z) * line.i_in)}};
}

}  // namespace

Eigen::MatrixXcd power_wave_scattering(const Eigen::MatrixXcd& s, const std::vector<Complex>& phases) {
  std::vector<Conversion> ports;
  for (const Complex z : phases) {
    const Complex root = std::sqrt(z);
    ports.push_back(z == 0.0 ? Conversion{} : to_reference({root, root, 1.0 / root, -1.0 / root}, z));
  }
  return convert(s, ports);
}

Eigen::MatrixXcd renormalized(const Eigen::MatrixXcd& s, const std::vector<Complex>& impedances,
                              const std::vector<Complex>& references) {
  std::vector<Conversion> ports;
  for (std::size_t i = 0; i < impedances.size(); ++i) {
    if (references[i] == 0.0) {
      ports.push_back({});
      continue;
    }
    if (impedances[i] == 0.0)
      throw InputError("reference_impedance: a port mode has no impedance by this definition");
    ports.push_back(to_reference(line_of(impedances[i]), references[i]));
  }
  return convert(s, ports);
}

}  // namespace curlew::fem
