// SPDX-License-Identifier: BSD-3-Clause
// Results of acoustic runs, written and printed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/background.hpp"
#include "base/constants.hpp"
#include "fem/acoustics/acoustic_output.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_radiation.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/sound/acoustic_case.hpp"
#include "io/csv.hpp"

namespace curlew::fem {
namespace {

/// fields.vtkhdf and solution.h5. They are opened in another thread, for which the first step waits; that
/// step then throws errors such as a full disk.
template <class S>
class SoundFiles : public job::Sink<S> {
 public:
  SoundFiles(const AcousticCase& c, const LagrangeSpace& space, run::Run& run)
      : case_(c), space_(space), run_(run) {
    if (c.model.wave && c.write_fields) radiation_.emplace(space, c.model);
  }
  void open() override {
    opening_.add([this, fields = case_.write_fields ? run_.output("fields.vtkhdf") : "",
                  solution = run_.output("solution.h5"), provenance = run_.provenance()] {
      if (case_.write_fields) fields_.emplace(space_, case_.model, case_.cells, fields, provenance);
      file_.emplace(solution, space_, provenance);
    });
  }
  void add(std::size_t, double, const S& s) override {
    opening_.finish();
    write(s);
  }
  void close() override {
    opening_.finish();
    if (fields_) fields_->close();
    file_->close();
  }

 private:
  void write(const AcousticSolution& s) {
    if (fields_) {
      fields_->add(s.frequency, 2 * pi * s.frequency, s.pressure);
      if (radiation_)
        fields_->add_pressure("p_scattered", "scattered pressure, peak phasor", radiation_->scattered(s));
    }
    file_->add(s.frequency, "all sources", s.pressure.data());
  }
  void write(const AcousticModes& modes) {
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (fields_) fields_->add(double(i + 1), 2 * pi * modes[i].frequency, modes[i].pressure);
      file_->add(modes[i].frequency.real(), "mode", modes[i].pressure.data());
    }
  }

  const AcousticCase& case_;
  const LagrangeSpace& space_;
  run::Run& run_;
  std::optional<SoundRadiation> radiation_;  // of a wave
  std::optional<AcousticFieldFile> fields_;
  std::optional<SolutionFile> file_;
  curlew::Background opening_{1};  // after the files: its destructor waits for its thread
};

/// probes.csv and the table of levels.
class Probes : public job::Sink<AcousticSolution> {
 public:
  Probes(const AcousticCase& c, const LagrangeSpace& space, run::Run& run)
      : probes_(space, c.model.probes), copies_(c.model.symmetry.copies()), run_(run) {}
  void add(std::size_t, double frequency, const AcousticSolution& s) override {
    readings_.push_back({frequency, probes_.read(s.pressure), copies_ * s.power.input});
  }
  void close() override {
    if (!probes_.probes().empty()) write();
    state();
  }

 private:
  struct Reading {
    double frequency;
    std::vector<ProbeReading> probes;
    double input_power;
  };
  void write() const;
  void state() const;
  const std::string& name(std::size_t probe) const { return probes_.probes()[probe].name; }

  ProbeSet probes_;
  double copies_;  // of the modelled part in the whole
  run::Run& run_;
  std::vector<Reading> readings_;
};

void Probes::write() const {
  auto comments = io::provenance_lines(run_.provenance());
  comments.emplace_back(
      "peak phasors; surfaces: mean pressure, level of the mean square; levels re 20 uPa (rms)");
  io::CsvWriter csv(
      run_.output("probes.csv"), comments,
      {"frequency_hz", "probe", "re_pressure_pa", "im_pressure_pa", "abs_pressure_pa", "level_db"});
  for (const auto& r : readings_)
    for (std::size_t i = 0; i < r.probes.size(); ++i) {
      const Complex p = r.probes[i].pressure;
      csv.row({r.frequency, name(i), p.real(), p.imag(), std::abs(p), r.probes[i].level_db});
    }
  csv.close();
}

void Probes::state() const {
  auto& results = run_.results();
  const auto shown = std::min<std::size_t>(probes_.probes().size(), 4);
  std::vector<std::string> columns{"frequency Hz"};
  for (std::size_t i = 0; i < shown; ++i) columns.push_back(name(i) + " dB");
  columns.emplace_back("input power W");
  run_.table("sound pressure levels re 20 uPa", columns);
  for (const auto& r : readings_) {
    run::Value row{{"frequency_hz", r.frequency}, {"input_power_w", r.input_power}};
    std::vector<std::string> cells{fmt::format("{:.4f}", r.frequency)};
    for (std::size_t i = 0; i < r.probes.size(); ++i) {
      const auto& reading = r.probes[i];
      row["probes"][name(i)] = {{"pressure_pa", reading.pressure}, {"level_db", reading.level_db}};
      if (i < shown) cells.push_back(fmt::format("{:.2f}", reading.level_db));
      if (readings_.size() == 1) results[name(i) + "_level_db"] = reading.level_db;
    }
    cells.push_back(fmt::format("{:.6g}", r.input_power));
    run_.row(cells);
    results["frequencies"].push_back(row);
  }
}

class PowerBalance : public job::Sink<AcousticSolution> {
 public:
  PowerBalance(const AcousticCase& c, run::Run& run)
      : is_lossless_(c.model.is_lossless()), is_open_(!c.model.pml.empty()), run_(run) {}
  void add(std::size_t, double, const AcousticSolution& s) override {
    worst_ = std::max(worst_, s.power.imbalance());
    absorbed_ = std::max(absorbed_, s.power.boundaries + s.power.medium + std::abs(s.power.radiated));
  }
  void close() override {
    if (is_lossless_) return run_.line("lossless: no power is absorbed, the sound is a standing wave");
    run_.results()["power_balance_error"] = worst_;
    run_.line(fmt::format("power balance: input and {} power agree to {:.1e}",
                          is_open_ ? "absorbed or radiated" : "absorbed", worst_));
    if (worst_ > 1e-6 && absorbed_ > 0)
      run_.warn(
          fmt::format("input power and absorbed power differ by {:.1e} of the larger: the linear system was "
                      "solved inaccurately, perhaps close to a resonance with little loss",
                      worst_));
  }

 private:
  bool is_lossless_, is_open_;
  run::Run& run_;
  double worst_ = 0, absorbed_ = 0;
};

}  // namespace

job::Sinks<AcousticSolution> sound_sinks(const AcousticCase& c, DrivenSoundSystem& system,
                                         std::size_t frequencies, run::Run& run) {
  job::Sinks<AcousticSolution> sinks;
  sinks.push_back(std::make_unique<SoundFiles<AcousticSolution>>(c, system.space(), run));
  sinks.push_back(std::make_unique<Probes>(c, system.space(), run));
  if (!c.model.wave) sinks.push_back(std::make_unique<PowerBalance>(c, run));
  if (c.model.far_field) sinks.push_back(sound_patterns(c, system, run));
  sinks.push_back(pressure_errors(c, system, frequencies, run));
  return sinks;
}

job::Sinks<AcousticModes> sound_mode_sinks(const AcousticCase& c, const SoundSystem& system, run::Run& run) {
  job::Sinks<AcousticModes> sinks;
  sinks.push_back(std::make_unique<SoundFiles<AcousticModes>>(c, system.space(), run));
  sinks.push_back(mode_errors(c, system, run));
  return sinks;
}

}  // namespace curlew::fem
