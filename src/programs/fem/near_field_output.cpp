// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/near_field_output.hpp"

namespace curlew::programs {
namespace {

std::optional<fem::RadiationCalculator> beyond_of(const fem::NedelecSpace& space, const MaxwellSetup& setup) {
  if (!setup.exterior) return std::nullopt;
  return fem::RadiationCalculator(space, setup.model, *setup.exterior);
}

}  // namespace

NearFieldOutput::NearFieldOutput(const fem::NedelecSpace& space, const MaxwellSetup& setup, run::Run& run)
    : beyond_(beyond_of(space, setup)),
      evaluator_(space, setup.model, io::near_field_points(setup.near_fields), beyond_ ? &*beyond_ : nullptr),
      files_(
          setup.near_fields, evaluator_.origins(), [&](const auto& name) { return run.output(name); },
          run.provenance()) {}

void NearFieldOutput::add(const std::string& excitation, const std::string& suffix, const Complex* x,
                          Complex frequency, const fem::IncidentField& beyond) {
  files_.add(excitation, "total", suffix, evaluator_.evaluate(x, frequency, nullptr, beyond));
}

void NearFieldOutput::add_scattered(const std::string& excitation, const std::string& suffix,
                                    const Complex* x, double frequency, const fem::IncidentField& incident) {
  files_.add(excitation, "scattered", suffix, evaluator_.evaluate(x, frequency));
  files_.add(excitation, "total", suffix, evaluator_.evaluate(x, frequency, incident));
}

}  // namespace curlew::programs
