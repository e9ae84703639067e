// SPDX-License-Identifier: BSD-3-Clause
#include "results/port_table.hpp"

#include "base/group_delay.hpp"
#include "io/csv.hpp"

namespace curlew::results {
namespace {

io::Cell cell(const std::optional<double>& value) {
  return value ? io::Cell(*value) : io::Cell("");
}
io::Cell real_cell(const std::optional<Complex>& value) {
  return value ? io::Cell(value->real()) : io::Cell("");
}
io::Cell imaginary_cell(const std::optional<Complex>& value) {
  return value ? io::Cell(value->imag()) : io::Cell("");
}

/// Group delays of waves from the first mode to each [modes][points].
std::vector<std::vector<std::optional<double>>> delays_of(const std::vector<SPoint>& points) {
  std::vector<double> frequencies;
  for (const SPoint& point : points) frequencies.push_back(point.frequency);
  std::vector<std::vector<std::optional<double>>> delays;
  const std::size_t n = points.empty() ? 0 : points.front().input_impedance.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Complex> s;
    for (const SPoint& point : points) s.push_back(point.s[i * n]);
    delays.push_back(group_delays(frequencies, s));
  }
  return delays;
}

}  // namespace

void write_port_table(const std::vector<PortRow>& rows, const std::vector<SPoint>& points, run::Run& run) {
  auto comments = io::provenance_lines(run.provenance());
  comments.push_back(
      "gamma = alpha + j beta; z0: by its definition (power_current 2P/I^2, power_voltage V^2/2P, wave "
      "E_t/H_t, lumped resistance) of the whole structure where planes of symmetry cut the port, 0 where "
      "there is none; wave_impedance: E_t/H_t. Cut-offs of modes in mixed media are not known: left empty. "
      "reference: reference impedance of S for the mode");
  comments.push_back(
      "group_delay: -d phase/d omega of S from the first mode of the table to this one; empty where the "
      "phase changes by more than 135 degrees to the next frequency");
  io::CsvWriter csv(run.output("ports.csv"), comments,
                    {"frequency_hz", "port", "mode", "cutoff_hz", "alpha_per_m", "beta_per_m", "re_z0_ohm",
                     "im_z0_ohm", "z0_definition", "re_wave_impedance_ohm", "im_wave_impedance_ohm",
                     "re_reference_ohm", "im_reference_ohm", "group_delay_s"});
  const auto delays = delays_of(points);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PortRow& row = rows[i];
    const std::size_t n = delays.size();
    csv.row({row.frequency, row.port, row.mode, cell(row.cutoff), real_cell(row.gamma),
             imaginary_cell(row.gamma), real_cell(row.z0), imaginary_cell(row.z0), row.z0_definition,
             real_cell(row.wave_impedance), imaginary_cell(row.wave_impedance), row.reference.real(),
             row.reference.imag(), n == 0 ? io::Cell("") : cell(delays[i % n][i / n])});
  }
  csv.close();
}

}  // namespace curlew::results
