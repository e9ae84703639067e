// SPDX-License-Identifier: BSD-3-Clause
// FarFieldOutput of open_problem.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "programs/fem/open_problem.hpp"

namespace curlew::programs {
namespace {

constexpr double most_reflected = 0.03;  // of the power

}  // namespace

FarFieldOutput::FarFieldOutput(const fem::NedelecSpace& space, const fem::Model& model,
                               const fem::FarFieldRequest& request, bool has_waves, bool has_feeds,
                               run::Run& run)
    : run_(run), calculator_(space, model, request, run.device()), report_(run) {
  if (has_feeds) pattern_ = std::make_unique<results::RadiationReport>(request.formats, run);
  if (has_waves) rcs_ = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), run.provenance());
}

void FarFieldOutput::add_feed(const std::string& port, results::PowerBudget feed, const Complex* x,
                              double frequency, const fem::IncidentField& known) {
  const auto radiation = calculator_.compute(x, 1, frequency, known).front();
  feed.radiated = radiation.radiated;
  check_truncation(port, frequency, radiation);
  pattern_->add({port, frequency, radiation.directions, radiation.e_theta, radiation.e_phi}, feed);
}

void FarFieldOutput::check_truncation(const std::string& label, double frequency,
                                      const fem::Radiation& radiation) {
  if (!radiation.far_power) return;
  const double flux = radiation.radiated, far = *radiation.far_power;
  if (std::abs(flux - far) <= most_reflected * far) return;
  run_.warn(
      fmt::format("{}, {:.6g} GHz: {:.4g} W leave through the radiating surface but {:.4g} W are in the "
                  "far field: the truncation reflects, and powers and fields are wrong by as much; make "
                  "the layer thicker (a quarter of a wavelength, three cells) or move the absorbing "
                  "boundary away",
                  label, 1e-9 * frequency, flux, far));
}

void FarFieldOutput::add_wave(const fem::Excitation& wave, const Complex* x, double frequency,
                              const fem::IncidentField& known) {
  add_wave(wave, calculator_.compute(x, 1, frequency, known).front(), frequency);
}

void FarFieldOutput::add_wave(const fem::Excitation& wave, const fem::Radiation& radiation,
                              double frequency) {
  const auto rows = fem::rcs_rows(radiation, wave, frequency);
  check_truncation(wave.label, frequency, radiation);
  for (const auto& row : rows) rcs_->row(row);
  report_.add(results::wave_of_rows(rows));
}

void FarFieldOutput::close() {
  if (pattern_) pattern_->close();
  if (!rcs_) return;
  rcs_->close();
  report_.close();
}

}  // namespace curlew::programs
