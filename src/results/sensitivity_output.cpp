// SPDX-License-Identifier: BSD-3-Clause
#include "results/sensitivity_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "results/cells.hpp"
#include "results/s_parameters.hpp"

namespace curlew::results {

void SensitivityOutput::write(double frequency, const std::string& parameter, double value,
                              const std::string& quantity, Complex derivative) {
  rows_.push_back({frequency, parameter, value, quantity, derivative});
}

void SensitivityOutput::write_scattering(double frequency, const std::string& parameter, double value,
                                         const Eigen::MatrixXcd& derivatives) {
  for (Eigen::Index i = 0; i < derivatives.rows(); ++i)
    for (Eigen::Index j = 0; j < derivatives.cols(); ++j)
      write(frequency, parameter, value,
            s_name(std::size_t(i), std::size_t(j), std::size_t(derivatives.rows())), derivatives(i, j));
}

void SensitivityOutput::write_cross_section(double frequency, const std::string& parameter, double value,
                                            const fields::Observation& at, const fields::Amplitudes& f,
                                            const fields::Amplitudes& derivatives) {
  const double section = 4 * pi * (std::norm(f[0]) + std::norm(f[1])),
               change = 8 * pi * (std::conj(f[0]) * derivatives[0] + std::conj(f[1]) * derivatives[1]).real();
  const double degree = 180 / pi;
  const std::string place =
      fmt::format("({:.6g},{:.6g})", degree * at.direction.theta, degree * at.direction.phi);
  write(frequency, parameter, value, fmt::format("rcs{}{}", at.wave + 1, place), change);
  if (section > std::numeric_limits<double>::min())
    write(frequency, parameter, value, fmt::format("rcs{}_db{}", at.wave + 1, place),
          10 / std::log(10.0) * change / section);
}

void SensitivityOutput::close() {
  if (rows_.empty()) return;
  io::CsvWriter csv(
      run_.output("sensitivity.csv"), io::provenance_lines(run_.provenance()),
      {"frequency_hz", "parameter", "parameter_value", "quantity", "re_derivative", "im_derivative"});
  constexpr std::size_t most_shown = 24;
  run_.table("derivatives per unit of the parameter",
             {frequency_title, "parameter", "value", "quantity", "real part", "imaginary part"});
  std::size_t shown = 0;
  for (const auto& [frequency, parameter, value, quantity, derivative] : rows_) {
    csv.row({frequency, parameter, value, quantity, derivative.real(), derivative.imag()});
    run_.results()["sensitivities"].push_back({{"frequency_hz", frequency},
                                               {"parameter", parameter},
                                               {"quantity", quantity},
                                               {"derivative", derivative}});
    if (shown++ < most_shown)
      run_.row({in_ghz(frequency), parameter, fmt::format("{:.6g}", value), quantity,
                fmt::format("{:.6g}", derivative.real()), fmt::format("{:.6g}", derivative.imag())});
  }
  csv.close();
  if (shown > most_shown) run_.line(fmt::format("all {} derivatives: sensitivity.csv", shown));
}

}  // namespace curlew::results
