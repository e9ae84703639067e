// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/maxwell_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace curlew::programs {
namespace {

constexpr double most_reflected = 0.03;  // of the power

std::optional<fem::RadiationCalculator> beyond_of(const fem::NedelecSpace& space, const MaxwellSetup& setup) {
  if (!setup.exterior) return std::nullopt;
  return fem::RadiationCalculator(space, setup.model, *setup.exterior);
}

}  // namespace

// ---- patterns ----

FarFieldOutput::FarFieldOutput(const fem::NedelecSpace& space, const fem::Model& model,
                               const fem::FarFieldRequest& request, bool has_waves, bool has_feeds,
                               run::Run& run)
    : run_(run), calculator_(space, model, request, run.device()), report_(run) {
  if (has_feeds) pattern_ = std::make_unique<results::RadiationReport>(request.formats, run);
  if (has_waves) rcs_ = std::make_unique<io::RcsWriter>(run.output("rcs.csv"), run.provenance());
}

void FarFieldOutput::add(const Shown& shown, double frequency) {
  if (!shown.feed && !shown.wave) return;
  const auto radiation =
      shown.far ? *shown.far : calculator_.compute(shown.x, 1, frequency, shown.far_known).front();
  check_truncation(shown.label, frequency, radiation);
  if (shown.feed) {
    auto feed = *shown.feed;
    feed.radiated = radiation.radiated;
    pattern_->add({shown.label, frequency, radiation.directions, radiation.e_theta, radiation.e_phi}, feed);
    return;
  }
  const auto rows = fem::rcs_rows(radiation, *shown.wave, frequency);
  for (const auto& row : rows) rcs_->row(row);
  report_.add(results::wave_of_rows(rows));
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

void FarFieldOutput::close() {
  if (pattern_) pattern_->close();
  if (!rcs_) return;
  rcs_->close();
  report_.close();
}

// ---- near fields ----

NearFieldOutput::NearFieldOutput(const fem::NedelecSpace& space, const MaxwellSetup& setup, run::Run& run)
    : beyond_(beyond_of(space, setup)),
      evaluator_(space, setup.model, io::near_field_points(setup.near_fields), beyond_ ? &*beyond_ : nullptr),
      files_(
          setup.near_fields, evaluator_.origins(), [&](const auto& name) { return run.output(name); },
          run.provenance()) {}

void NearFieldOutput::add(const Shown& shown, Complex frequency) {
  const auto add = [&](const char* part, const fem::IncidentField& known, const fem::IncidentField& beyond) {
    files_.add(shown.label, part, shown.suffix, evaluator_.evaluate(shown.x, frequency, known, beyond));
  };
  if (shown.incident) add("scattered", nullptr, nullptr);
  add("total", shown.incident, shown.beyond);
}

// ---- all ----

MaxwellFiles::MaxwellFiles(const fem::NedelecSpace& space, const fem::Model& model, double first_frequency,
                           const MaxwellSetup& setup, bool has_waves, bool has_feeds, run::Run& run)
    : file_(run.output("solution.h5"), space, setup.mesh, run.provenance()) {
  if (setup.write_fields)
    fields_.emplace(space, model, first_frequency, setup.field_cells, run.output("fields.vtkhdf"),
                    run.provenance());
  if (setup.far_field && (has_waves || has_feeds))
    far_.emplace(space, model, *setup.far_field, has_waves, has_feeds, run);
  if (!setup.near_fields.empty()) near_.emplace(space, setup, run);
}

void MaxwellFiles::begin_step(double frequency, double step) {
  if (fields_) fields_->begin_step(step);
  if (near_) near_->begin_step(frequency, step);
}

void MaxwellFiles::add(const Shown& shown, Complex frequency) {
  if (fields_ && shown.in_fields) {
    if (shown.incident)
      fields_->add(shown.x, frequency, "_scattered" + shown.suffix, "scattered ", shown.what);
    fields_->add(shown.x, frequency, shown.suffix, "", shown.what, shown.incident);
  }
  if (far_) far_->add(shown, frequency.real());
  if (near_) near_->add(shown, frequency);
  file_.add(frequency.real(), shown.label, shown.x);
}

void MaxwellFiles::close() {
  if (fields_) fields_->close();
  if (far_) far_->close();
  if (near_) near_->close();
  file_.close();
}

}  // namespace curlew::programs
