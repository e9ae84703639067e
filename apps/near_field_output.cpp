// SPDX-License-Identifier: BSD-3-Clause
#include "near_field_output.hpp"

#include "base/constants.hpp"

namespace curlew::apps {
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
                          Complex frequency) {
  files_.add(excitation, "total", suffix, evaluator_.evaluate(x, frequency));
}

void NearFieldOutput::add_scattered(const std::string& excitation, const std::string& suffix,
                                    const Complex* x, double frequency, const KnownField& incident) {
  auto values = evaluator_.evaluate(x, frequency);
  files_.add(excitation, "scattered", suffix, values);
  const Complex to_h(0, 1 / (2 * pi * frequency * vacuum_permeability));
  for (std::size_t i = 0; i < values.e.size(); ++i) {
    if (evaluator_.origins()[i] == io::NearFieldOrigin::none) continue;
    Vec3<Complex> e, curl;
    incident(evaluator_.points()[i], e, curl);
    values.e[i] += e;
    values.h[i] += to_h * curl;
  }
  files_.add(excitation, "total", suffix, values);
}

}  // namespace curlew::apps
