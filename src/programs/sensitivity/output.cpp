// SPDX-License-Identifier: BSD-3-Clause
#include "programs/sensitivity/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "results/cells.hpp"

namespace curlew::programs {

void SensitivityOutput::write(double frequency, const std::string& parameter, double value,
                              const std::string& quantity, Complex derivative) {
  if (!csv_)
    csv_.emplace(run_.output("sensitivity.csv"), io::provenance_lines(run_.provenance()),
                 std::vector<std::string>{"frequency_hz", "parameter", "parameter_value", "quantity",
                                          "re_derivative", "im_derivative"});
  csv_->row({frequency, parameter, value, quantity, derivative.real(), derivative.imag()});
  run_.results()["sensitivities"].push_back({{"frequency_hz", frequency},
                                             {"parameter", parameter},
                                             {"quantity", quantity},
                                             {"derivative", derivative}});
  shown_.push_back({results::in_ghz(frequency), parameter, fmt::format("{:.6g}", value), quantity,
                    fmt::format("{:.6g}", derivative.real()), fmt::format("{:.6g}", derivative.imag())});
}

void SensitivityOutput::write_cross_section(double frequency, const std::string& parameter, double value,
                                            const Observation& at, const Amplitudes& f,
                                            const Amplitudes& derivatives) {
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
  if (!csv_) return;
  csv_->close();
  constexpr std::size_t most_shown = 24;
  run_.table("derivatives by a unit of the parameter",
             {results::frequency_title, "parameter", "value", "quantity", "real part", "imaginary part"});
  for (std::size_t i = 0; i < std::min(shown_.size(), most_shown); ++i) run_.row(shown_[i]);
  if (shown_.size() > most_shown)
    run_.line(fmt::format("all {} derivatives: sensitivity.csv", shown_.size()));
}

}  // namespace curlew::programs
