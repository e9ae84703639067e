// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files that every Maxwell problem of fem-solve writes: fields.vtkhdf, [[output.near_field]], [output]
// far_field and solution.h5.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fem/open/excitation.hpp"
#include "fem/open/radiation.hpp"
#include "fem/output/field_file.hpp"
#include "fem/output/near_field.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/report/time_plan.hpp"
#include "fem/setup/maxwell_setup.hpp"
#include "job/job.hpp"
#include "results/radiation_report.hpp"
#include "results/scattering_report.hpp"

namespace curlew::fem {

/// The field of one excitation or mode as it is written to files.
struct Shown {
  std::string label;
  std::string suffix{};  ///< suffix of the names of its arrays
  std::string what{};    ///< last words of the descriptions of its arrays
  const Complex* x{};    ///< [num_dofs]
  bool in_fields = true;
  IncidentField incident{};  ///< x is the scattered field for this one; null: x is the total field
  IncidentField beyond{};    ///< added to the radiated field at points outside of the mesh
  /// Incident and accepted power of a port or source in the whole structure, if it has a pattern,
  std::optional<results::PowerBudget> feed{};
  const Excitation* wave{};   ///< or the wave, if it has a cross-section
  const Radiation* far{};     ///< of a wave, if already computed
  IncidentField far_known{};  ///< added to x in patterns
};

/// The files of a run: fields.vtkhdf, farfield.csv and rcs.csv with their entries of the summary, near
/// fields, solution.h5.
class MaxwellFiles {
 public:
  /// @param space, model, setup outlive this object
  /// @param first_frequency [Hz] of the permittivity beside the fields @param has_waves, has_feeds
  /// there are cross-sections, patterns
  MaxwellFiles(const NedelecSpace& space, const Model& model, double first_frequency,
               const MaxwellSetup& setup, bool has_waves, bool has_feeds, run::Run& run);
  /// @param step the frequency, or the number of a mode
  void begin_step(double frequency, double step);
  /// @param frequency [Hz], complex of a mode
  void add(const Shown& shown, Complex frequency);
  /// Prints tables too.
  void close();

 private:
  void add_near(const Shown& shown, Complex frequency);
  void add_far(const Shown& shown, double frequency);
  /// Warns if the power through the surface differs from that of the far field.
  void check_truncation(const std::string& label, double frequency, const Radiation& radiation);

  run::Run& run_;
  SolutionFile file_;
  std::optional<FieldFile> fields_;
  std::optional<RadiationCalculator> far_, beyond_;  // of patterns, of points outside of the mesh
  std::optional<results::RadiationReport> patterns_;
  std::optional<results::WaveFiles> waves_;
  std::optional<NearFieldEvaluator> near_;
  std::optional<io::NearFieldFiles> near_files_;
};

/// A Maxwell problem whose fields are written.
template <class S>
class Shows {
 public:
  virtual ~Shows() = default;
  virtual bool is_shown(const S&) const { return true; }
  /// Calls take for each excitation that has files. Called while solve() runs in another thread.
  virtual void show(const S& s, const std::function<void(const Shown&)>& take) const = 0;
  virtual std::unique_ptr<MaxwellFiles> make_files(run::Run& run) const = 0;
};

/// MaxwellFiles of all frequencies.
template <class S>
class MaxwellSink : public job::Sink<S> {
 public:
  MaxwellSink(const Shows<S>& problem, run::Run& run) : problem_(problem), run_(run) {}
  void open() override { files_ = problem_.make_files(run_); }
  void add(std::size_t, double frequency, const S& s) override {
    if (!problem_.is_shown(s)) return;
    files_->begin_step(frequency, frequency);
    problem_.show(s, [&](const Shown& shown) { files_->add(shown, frequency); });
  }
  void close() override { files_->close(); }

 private:
  const Shows<S>& problem_;
  run::Run& run_;
  std::unique_ptr<MaxwellFiles> files_;
};

}  // namespace curlew::fem
