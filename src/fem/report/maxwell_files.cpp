// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/maxwell_files.hpp"

#include <fmt/format.h>

#include <cmath>

namespace curlew::fem {

MaxwellFiles::MaxwellFiles(const NedelecSpace& space, const Model& model, double first_frequency,
                           const MaxwellSetup& setup, bool has_waves, bool has_feeds, run::Run& run)
    : run_(run), file_(run.output("solution.h5"), space, setup.mesh, run.provenance()) {
  if (setup.write_fields)
    fields_.emplace(space, model, first_frequency, setup.field_cells, run.output("fields.vtkhdf"),
                    run.output("surfaces.vtkhdf"), run.provenance());
  if (setup.far_field && (has_waves || has_feeds)) far_.emplace(space, model, *setup.far_field, run.device());
  if (far_ && has_feeds) patterns_.emplace(setup.far_field->formats, run);
  if (far_ && has_waves) waves_.emplace(run);
  if (setup.near_fields.empty()) return;
  if (setup.exterior) beyond_.emplace(space, setup.model, *setup.exterior);
  near_.emplace(space, setup.model, io::near_field_points(setup.near_fields), beyond_ ? &*beyond_ : nullptr);
  near_files_.emplace(
      setup.near_fields, near_->origins(), [&](const auto& name) { return run.output(name); },
      run.provenance());
}

void MaxwellFiles::begin_step(double frequency, double step) {
  if (fields_) fields_->begin_step(step);
  if (near_files_) near_files_->begin_step(frequency, step);
}

void MaxwellFiles::add(const Shown& shown, Complex frequency) {
  if (fields_ && shown.in_fields) {
    if (shown.incident)
      fields_->add(shown.x, frequency, "_scattered" + shown.suffix, "scattered ", shown.what);
    fields_->add(shown.x, frequency, shown.suffix, "", shown.what, shown.incident);
  }
  if (far_ && (shown.feed || shown.wave)) add_far(shown, frequency.real());
  if (near_) add_near(shown, frequency);
  file_.add(frequency.real(), shown.label, shown.x);
}

void MaxwellFiles::add_near(const Shown& shown, Complex frequency) {
  const auto add = [&](const char* part, const IncidentField& known, const IncidentField& beyond) {
    near_files_->add(shown.label, part, shown.suffix, near_->evaluate(shown.x, frequency, known, beyond));
  };
  if (shown.incident) add("scattered", nullptr, nullptr);
  add("total", shown.incident, shown.beyond);
}

void MaxwellFiles::add_far(const Shown& shown, double frequency) {
  const auto radiation =
      shown.far ? *shown.far : far_->compute(shown.x, 1, frequency, shown.far_known).front();
  check_truncation(shown.label, frequency, radiation);
  if (shown.feed) {
    auto feed = *shown.feed;
    feed.radiated = radiation.radiated;
    patterns_->add({shown.label, frequency, radiation.directions, radiation.e_theta, radiation.e_phi}, feed);
    return;
  }
  const green::ArrivingWave& wave = *shown.wave->wave;
  waves_->add(waves_->write(
      frequency, {wave.theta * 180 / pi, wave.phi * 180 / pi, shown.wave->polarization, wave.polarization},
      radiation.directions, radiation.e_theta.data(), radiation.e_phi.data(), wave.amplitude));
}

void MaxwellFiles::check_truncation(const std::string& label, double frequency, const Radiation& radiation) {
  constexpr double most_reflected = 0.03;  // of the power
  if (!radiation.far_power) return;
  const double flux = radiation.radiated, far = *radiation.far_power;
  if (std::abs(flux - far) <= most_reflected * far) return;
  run_.warn(fmt::format(
      "{}, {:.6g} GHz: {:.4g} W leave through the radiating surface but {:.4g} W are in the "
      "far field: the outer boundary reflects, and powers and fields have an error of that size; make "
      "the layer thicker (a quarter of a wavelength, three cells) or move the absorbing "
      "boundary away",
      label, 1e-9 * frequency, flux, far));
}

void MaxwellFiles::close() {
  if (fields_) fields_->close();
  if (patterns_) patterns_->close();
  if (waves_) waves_->close();
  if (near_files_) near_files_->close();
  file_.close();
}

}  // namespace curlew::fem
