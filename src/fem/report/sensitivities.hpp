// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]]: derivatives of S, impedances, frequencies and cross-sections by numbers of the config.

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interrupt.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/sensitivity/port_sensitivity.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "fields/dual_waves.hpp"
#include "io/config.hpp"
#include "job/problem.hpp"
#include "results/sensitivity_output.hpp"
#include "run/run.hpp"

namespace curlew::fem {

/// One number, and the model a little below and above it.
struct Parameter {
  std::string name;  ///< "material.substrate.epsilon_r"
  double value = 0;
  Variant low, high;                     ///< of numbers in tables
  std::vector<Vec3<double>> velocity{};  ///< [num_nodes, m by a unit] of numbers of the geometry, else empty
  double step = 0;                       ///< of a number of the geometry, for results computed from S

  bool is_shape() const { return !velocity.empty(); }
};

/// A model that is differentiated.
struct DifferentiatedModel {
  const mesh::Mesh& mesh;
  const mesh::Topology& topology;
  const Model& model;
  std::vector<std::string> elsewhere{};  ///< see read_model
  /// Nodes that do not move with the geometry: those of the outer surface of the mesh, on which results do
  /// not depend.
  std::span<const Index> fixed{};
};

/// @throws InputError where the medium of these cells, which continues to infinity, changes with the
/// parameter
void refuse_medium_around(const Parameter& parameter, const mesh::Mesh& mesh, std::span<const Index> cells,
                          double frequency);

/// @throws InputError as read_stated_parameters, and for [[periodic]] cells
std::vector<Parameter> read_parameters(const io::Config& config, const DifferentiatedModel& of,
                                       run::Run& run);

/// A cross-section that is differentiated.
struct ObservedSection {
  fields::Observation at;
  fields::Amplitudes f;  ///< E r [V] for a wave of 1 V/m
};

/// sensitivity.csv, a table and the summary. Writes nothing without parameters.
class Sensitivities {
 public:
  /// @param reference_impedance [ohm] of S at ports that set none
  Sensitivities(std::vector<Parameter> parameters, std::optional<Complex> reference_impedance, run::Run& run)
      : parameters_(std::move(parameters)),
        reference_impedance_(reference_impedance),
        run_(run),
        output_(run) {}

  bool is_empty() const { return parameters_.empty(); }
  /// Derivatives of S, with its reference impedances, and of impedances of lumped ports.
  void add(const MaxwellSystem& problem, const DrivenSolution& solution);
  /// Derivatives of complex frequencies. @param modes on this space
  void add(const NedelecSpace& space, const Model& model, const std::vector<CavityMode>& modes);
  /// Derivatives of cross-sections. The amplitude changes by -mu_r/(4 pi) yᵀ A' x, with y the total field of
  /// a wave that arrives from the direction of observation: the field that the currents of A'x radiate in the
  /// presence of the body, by reciprocity.
  /// @param x [num_dofs, waves] total fields of waves of 1 V/m @param mu_r of the medium around
  void add(const MaxwellSystem& problem, double frequency, const Eigen::MatrixXcd& x, double mu_r,
           const std::vector<ObservedSection>& sections);
  void close() { output_.close(); }

 private:
  /// Derivatives from S a little below and above.
  void write_pair(const MaxwellSystem& problem, double frequency, const Parameter& parameter,
                  const PortSensitivity::Pair& pair, double step);
  void write(double frequency, const Parameter& parameter, const std::string& quantity, Complex derivative) {
    output_.write(frequency, parameter.name, parameter.value, quantity, derivative);
  }
  /// x_iᵀ A' x_j without ports by each parameter.
  std::vector<Eigen::MatrixXcd> derivatives(const SolvedForm& form, const NedelecSpace& space,
                                            const SolvedForm::State& state) const;

  std::vector<Parameter> parameters_;
  std::optional<Complex> reference_impedance_;
  run::Run& run_;
  results::SensitivityOutput output_;
};

/// Writes derivatives during a run: all rows of a frequency, or none.
template <class S>
class DerivativeSink : public job::Sink<S> {
 public:
  /// @param derive adds the rows of a solution at a frequency [Hz] @param of arguments of Sensitivities
  template <class... Of>
  explicit DerivativeSink(std::function<void(double, const S&, Sensitivities&)> derive, Of&&... of)
      : derive_(std::move(derive)), sensitivities_(std::forward<Of>(of)...) {}
  bool computes() const override { return true; }
  void add(std::size_t, double frequency, const S& s) override {
    const InterruptHold hold;
    derive_(frequency, s, sensitivities_);
  }
  void close() override { sensitivities_.close(); }

 private:
  std::function<void(double, const S&, Sensitivities&)> derive_;
  Sensitivities sensitivities_;
};

}  // namespace curlew::fem
