// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of sound: pressures at probes, input power, frequencies of modes, from solving again at another
// order and on moved facets (fem/error/solved_again.hpp).

#include <functional>
#include <vector>

#include "fem/error/solved_again.hpp"
#include "programs/fem/acoustic_case.hpp"

namespace curlew::programs {

/// What bars of driven sound and of modes have in common.
template <class S>
class AcousticErrors : public job::Sink<S> {
 public:
  /// @param c, system outlive this object
  AcousticErrors(const AcousticCase& c, const SoundSystem& system, run::Run& run);
  bool computes() const override { return true; }
  void plan(const job::Plan&) override;
  void add(std::size_t number, double frequency, const S& s) override;
  void close() override;

 protected:
  virtual void estimate(const S& s) = 0;
  /// @param solve the same quantities on a mesh and at an order
  fem::Changes changes(const fem::Quantities& reported,
                       const std::function<fem::Quantities(const mesh::Mesh&, int)>& solve) const;
  fem::AcousticModel model_of_order(int order) const;

  const AcousticCase& case_;
  const SoundSystem& system_;
  run::Run& run_;
  results::ErrorReport report_;

 private:
  /// Estimates are made at all frequencies, or at the middle one.
  bool is_one_of_many() const { return frequencies_ > 1 && !report_.all_frequencies(); }

  std::size_t frequencies_ = 1;
  PlannedCheck planned_;
};

class PressureErrors : public AcousticErrors<fem::AcousticSolution> {
 public:
  using AcousticErrors::AcousticErrors;

 private:
  void estimate(const fem::AcousticSolution& solution) override;
};

class ModeErrors : public AcousticErrors<AcousticModes> {
 public:
  using AcousticErrors::AcousticErrors;
  void close() override;

 private:
  void estimate(const AcousticModes& modes) override;

  std::vector<double> errors_;  // [Hz]
};

}  // namespace curlew::programs
