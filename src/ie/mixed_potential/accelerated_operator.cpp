// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mixed_potential/accelerated_operator.hpp"

#include "ie/mixed_potential/near_view.hpp"
#include "ngim/plan.hpp"

namespace curlew::ie {

struct AcceleratedOperator::State {
  const MixedPotentialSystem& system;
  linalg::Csr<Complex> tests;  ///< P^T
  ElementPoints points;
  NearBlocks near;
  ngim::Plan plan;
  Integration integration;
  mutable Stages stages;
  mutable long products = 0;
  mutable std::vector<Complex> on_elements, tested, charges, potentials;

  State(const MixedPotentialSystem& s, const Acceleration& acceleration, ElementPoints made)
      : system(s),
        tests(linalg::transpose(s.sources)),
        points(std::move(made)),
        plan(points.points, std::nullopt, s.k, {.tolerance = acceleration.tolerance}),
        integration(acceleration.integration) {}

  void spread() const;
  void test() const;
  void correct() const;
};

AcceleratedOperator::AcceleratedOperator(const MixedPotentialSystem& system,
                                         const Acceleration& acceleration) {
  Timer timer;
  state_ = std::make_unique<State>(
      system, acceleration,
      make_points(system.elements, ElementRules(acceleration.integration.point_degree)));
  state_->stages.add("NGIM set-up", timer.seconds());
  timer.restart();
  state_->near = make_near_blocks(system.elements, acceleration.integration, system.k);
  state_->stages.add("near corrections", timer.seconds());
  const std::size_t n = 4 * system.elements.size(), points = 4 * state_->points.points.size();
  state_->on_elements.resize(n), state_->tested.resize(n);
  state_->charges.resize(points), state_->potentials.resize(points);
}

AcceleratedOperator::~AcceleratedOperator() = default;

Index AcceleratedOperator::size() const {
  return state_->system.num_unknowns();
}
Offset AcceleratedOperator::num_points() const {
  return Offset(state_->points.points.size());
}
long AcceleratedOperator::products() const {
  return state_->products;
}
std::vector<Complex> AcceleratedOperator::diagonal_entries() const {
  const State& s = *state_;
  const IntegrationRules rules(s.integration);
  const PairInput input = rules.input(s.system.elements, s.system.k);
  const NearView near{s.near.list.offsets.data(), s.near.list.columns.data(), s.near.blocks.data()};
  std::vector<Complex> diagonal(s.system.local.row_offsets.size() - 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (Index m = 0; m < size(); ++m) {
    const Offset begin = s.tests.row_offsets[std::size_t(m)], end = s.tests.row_offsets[std::size_t(m) + 1];
    Complex own = 0;
    for (Offset i = s.system.local.row_offsets[std::size_t(m)];
         i < s.system.local.row_offsets[std::size_t(m) + 1]; ++i) {
      if (s.system.local.columns[std::size_t(i)] == m) own = s.system.local.values[std::size_t(i)];
    }
    diagonal[std::size_t(m)] =
        diagonal_entry(&s.tests.columns[std::size_t(begin)],
                       reinterpret_cast<const complex<double>*>(&s.tests.values[std::size_t(begin)]),
                       end - begin, own, input, near, s.system.vector_factor, s.system.scalar_factor);
  }
  return diagonal;
}
const NearBlocks& AcceleratedOperator::near() const {
  return state_->near;
}
const Stages& AcceleratedOperator::stages() const {
  return state_->stages;
}
std::size_t AcceleratedOperator::bytes() const {
  const auto csr = [](const linalg::Csr<Complex>& a) {
    return std::size_t(a.nnz()) * (sizeof(Complex) + sizeof(Index));
  };
  const State& s = *state_;
  return s.near.blocks.size() * (sizeof(ElementBlock<float>) + sizeof(Index)) + csr(s.tests) +
         csr(s.system.sources) + csr(s.system.local) + s.points.points.size() * (7 + 16) * sizeof(double);
}

/// Elements' currents and charges to their points, with the points' weights.
void AcceleratedOperator::State::spread() const {
  const std::size_t n = points.points.size();
#pragma omp parallel for
  for (Index e = 0; e < Index(system.elements.size()); ++e) {
    const Complex* u = &on_elements[4 * std::size_t(e)];
    for (auto p = std::size_t(points.offsets[std::size_t(e)]);
         p < std::size_t(points.offsets[std::size_t(e) + 1]); ++p) {
      const double w = points.weights[p];
      for (int d = 0; d < 3; ++d)
        charges[std::size_t(d) * n + p] = w * (u[d] + points.from_centre[p][d] * u[3]);
      charges[3 * n + p] = w * u[3];
    }
  }
}

/// The transpose of spread, with the factors of the two potentials.
void AcceleratedOperator::State::test() const {
  const std::size_t n = points.points.size();
#pragma omp parallel for
  for (Index e = 0; e < Index(system.elements.size()); ++e) {
    Complex vector[3] = {}, moment = 0, scalar = 0;
    for (auto p = std::size_t(points.offsets[std::size_t(e)]);
         p < std::size_t(points.offsets[std::size_t(e) + 1]); ++p) {
      const double w = points.weights[p];
      for (int d = 0; d < 3; ++d) {
        const Complex a = w * potentials[std::size_t(d) * n + p];
        vector[d] += a;
        moment += points.from_centre[p][d] * a;
      }
      scalar += w * potentials[3 * n + p];
    }
    Complex* result = &tested[4 * std::size_t(e)];
    for (int d = 0; d < 3; ++d) result[d] = system.vector_factor * vector[d];
    result[3] = system.vector_factor * moment + system.scalar_factor * scalar;
  }
}

void AcceleratedOperator::State::correct() const {
  const complex<double> a = system.vector_factor, b = system.scalar_factor;
  const auto* source = reinterpret_cast<const complex<double>*>(on_elements.data());
  auto* result = reinterpret_cast<complex<double>*>(tested.data());
#pragma omp parallel for schedule(dynamic, 256)
  for (Index t = 0; t < Index(system.elements.size()); ++t) {
    complex<double> sum[4];
    for (Offset i = near.list.offsets[std::size_t(t)]; i < near.list.offsets[std::size_t(t) + 1]; ++i)
      add_block(near.blocks[std::size_t(i)], a, b, source + 4 * Offset(near.list.columns[std::size_t(i)]),
                sum);
    for (int d = 0; d < 4; ++d) result[4 * Offset(t) + d] += sum[d];
  }
}

void AcceleratedOperator::apply(const Complex* x, Complex* y) const {
  const State& s = *state_;
  ++s.products;
  {
    const ScopedStage timed(s.stages, "products: currents and charges");
    linalg::multiply(s.system.sources, x, s.on_elements.data());
    s.spread();
  }
  {
    const ScopedStage timed(s.stages, "products: NGIM");
    s.plan.apply(s.charges.data(), 4, s.potentials.data());
  }
  const ScopedStage timed(s.stages, "products: tests and corrections");
  s.test();
  s.correct();
  std::vector<Complex> local(s.system.local.row_offsets.size() - 1);
  linalg::multiply(s.system.local, x, local.data());
  linalg::multiply(s.tests, s.tested.data(), y);
#pragma omp parallel for
  for (Index i = 0; i < size(); ++i) y[i] += local[std::size_t(i)];
}

}  // namespace curlew::ie
