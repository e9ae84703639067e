// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// F of the iteration: condition on S -> field -> currents on S' -> field on S -> condition on S.

#include "base/timer.hpp"
#include "fem/open/equivalent_currents.hpp"
#include "truncation/inside_solver.hpp"
#include "truncation/iteration.hpp"
#include "truncation/radiation_map.hpp"
#include "truncation/robin_load.hpp"

namespace curlew::truncation {

/// The parts of a FieldMap; they must outlive it.
struct FieldMapParts {
  OpenSystem& system;
  const fem::EquivalentCurrents& sampler;  ///< of S'
  const RobinLoad& load;                   ///< of S
  const std::vector<fields::SymmetryPlane>& planes;
  const RadiationMap& radiation;  ///< from S' with images to the points of the load
  Stages& stages;
};

class FieldMap final : public InterfaceMap {
 public:
  /// @param inverse_mu 1/mu_r of the exterior
  /// @param interior [num_dofs, count] loads inside of S
  /// @param incident [size, count] contribution of incident waves on S
  FieldMap(const FieldMapParts& parts, const fields::Exterior& medium, Complex inverse_mu, Index count,
           std::vector<Complex> interior, std::vector<Complex> incident);

  std::size_t size() const override { return std::size_t(parts_.load.size()); }
  Index count() const override { return count_; }
  void apply(const std::vector<Complex>& b, std::vector<Complex>& image) override;
  std::vector<Complex> constant() const override;
  /// Without losses the conjugate of a field is also a solution, for another condition on S: it needs only
  /// the radiation of its currents, no substitution.
  void apply_linear(std::vector<Complex>& b, double share, std::vector<Complex>& image) override;

  /// The field of the last apply [num_dofs, count].
  std::vector<Complex>& x() { return solver_.x(); }
  const InsideSolver& solver() const { return solver_; }

 private:
  void add_condition(const std::vector<Complex>& b, std::vector<Complex>& right) const;
  /// Adds the conditions on S of the conjugate fields.
  void add_conjugates(std::vector<Complex>& b, const std::vector<Complex>& x) const;
  /// The condition on S from the radiated currents of a field, and if requested from those of its conjugate.
  void radiate(const std::vector<Complex>& x, bool conjugates, std::vector<Complex>& image) const;

  FieldMapParts parts_;
  fields::Exterior medium_;
  Complex inverse_mu_;
  Index count_;
  std::vector<Complex> interior_, incident_;
  InsideSolver solver_;
};

}  // namespace curlew::truncation
