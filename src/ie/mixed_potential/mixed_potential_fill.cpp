// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mixed_potential/mixed_potential_fill.hpp"

#include "ie/mixed_potential/near_view.hpp"

namespace curlew::ie {
namespace {

class MixedPotentialFill final : public HostFill {
 public:
  MixedPotentialFill(const MixedPotentialSystem& system, const Integration& integration)
      : system_(system),
        integration_(integration),
        tests_(linalg::transpose(system.sources)),
        points_(make_points(system.elements, ElementRules(integration.point_degree))),
        near_(make_near_blocks(system.elements, integration, system.k)),
        on_elements_(4 * system.elements.size()),
        tested_(on_elements_.size()),
        tested_unknowns_(std::size_t(system.num_unknowns())) {}
  Index size() const override { return system_.num_unknowns(); }
  std::vector<PointSet> point_sets() const override { return {{points_.points, system_.k}}; }
  Offset num_near() const override { return near_.list.num_pairs(); }
  std::size_t bytes() const override {
    const auto csr = [](const linalg::Csr<Complex>& a) {
      return std::size_t(a.nnz()) * (sizeof(Complex) + sizeof(Index));
    };
    return near_.blocks.size() * (sizeof(ElementBlock<float>) + sizeof(Index)) + csr(tests_) +
           csr(system_.sources) + csr(system_.local) + points_.points.size() * (7 + 16) * sizeof(double);
  }
  void correct(const Complex* x, Complex* y, const HostQueue&) const override {
    linalg::multiply(system_.local, x, y);
  }
  void spread(std::size_t, int, const Complex* x, Complex* charges, const HostQueue&) const override;
  void test(std::size_t, int, const Complex*, const Complex* potential, const Complex*, Complex* y,
            const HostQueue&) const override {
    test_points(potential);
    correct_elements();
    linalg::multiply(tests_, tested_.data(), tested_unknowns_.data());
#pragma omp parallel for
    for (Index i = 0; i < size(); ++i) y[i] += tested_unknowns_[std::size_t(i)];
  }
  std::vector<Complex> diagonal() const override;

 private:
  void test_points(const Complex* potential) const;
  void correct_elements() const;

  const MixedPotentialSystem& system_;
  Integration integration_;
  linalg::Csr<Complex> tests_;  ///< P^T
  ElementPoints points_;
  NearBlocks near_;
  mutable std::vector<Complex> on_elements_, tested_, tested_unknowns_;
};

std::vector<Complex> MixedPotentialFill::diagonal() const {
  const IntegrationRules rules(integration_);
  const PairInput input = rules.input(system_.elements, system_.k);
  const NearView near{near_.list.offsets.data(), near_.list.columns.data(), near_.blocks.data()};
  std::vector<Complex> diagonal(system_.local.row_offsets.size() - 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (Index m = 0; m < size(); ++m) {
    const Offset begin = tests_.row_offsets[std::size_t(m)], end = tests_.row_offsets[std::size_t(m) + 1];
    Complex own = 0;
    for (Offset i = system_.local.row_offsets[std::size_t(m)];
         i < system_.local.row_offsets[std::size_t(m) + 1]; ++i) {
      if (system_.local.columns[std::size_t(i)] == m) own = system_.local.values[std::size_t(i)];
    }
    diagonal[std::size_t(m)] =
        diagonal_entry(&tests_.columns[std::size_t(begin)],
                       reinterpret_cast<const complex<double>*>(&tests_.values[std::size_t(begin)]),
                       end - begin, own, input, near, system_.vector_factor, system_.scalar_factor);
  }
  return diagonal;
}

/// Elements' currents and charges to their points, with the points' weights.
void MixedPotentialFill::spread(std::size_t, int, const Complex* x, Complex* charges,
                                const HostQueue&) const {
  linalg::multiply(system_.sources, x, on_elements_.data());
  const std::size_t n = points_.points.size();
#pragma omp parallel for
  for (Index e = 0; e < Index(system_.elements.size()); ++e) {
    const Complex* u = &on_elements_[4 * std::size_t(e)];
    for (auto p = std::size_t(points_.offsets[std::size_t(e)]);
         p < std::size_t(points_.offsets[std::size_t(e) + 1]); ++p) {
      const double w = points_.weights[p];
      for (int d = 0; d < 3; ++d)
        charges[std::size_t(d) * n + p] = w * (u[d] + points_.from_centre[p][d] * u[3]);
      charges[3 * n + p] = w * u[3];
    }
  }
}

/// The transpose of spread, with the factors of the two potentials.
void MixedPotentialFill::test_points(const Complex* potential) const {
  const std::size_t n = points_.points.size();
#pragma omp parallel for
  for (Index e = 0; e < Index(system_.elements.size()); ++e) {
    Complex vector[3] = {}, moment = 0, scalar = 0;
    for (auto p = std::size_t(points_.offsets[std::size_t(e)]);
         p < std::size_t(points_.offsets[std::size_t(e) + 1]); ++p) {
      const double w = points_.weights[p];
      for (int d = 0; d < 3; ++d) {
        const Complex a = w * potential[std::size_t(d) * n + p];
        vector[d] += a;
        moment += points_.from_centre[p][d] * a;
      }
      scalar += w * potential[3 * n + p];
    }
    Complex* result = &tested_[4 * std::size_t(e)];
    for (int d = 0; d < 3; ++d) result[d] = system_.vector_factor * vector[d];
    result[3] = system_.vector_factor * moment + system_.scalar_factor * scalar;
  }
}

void MixedPotentialFill::correct_elements() const {
  const complex<double> a = system_.vector_factor, b = system_.scalar_factor;
  const auto* source = reinterpret_cast<const complex<double>*>(on_elements_.data());
  auto* result = reinterpret_cast<complex<double>*>(tested_.data());
#pragma omp parallel for schedule(dynamic, 256)
  for (Index t = 0; t < Index(system_.elements.size()); ++t) {
    complex<double> sum[4];
    for (Offset i = near_.list.offsets[std::size_t(t)]; i < near_.list.offsets[std::size_t(t) + 1]; ++i)
      add_block(near_.blocks[std::size_t(i)], a, b, source + 4 * Offset(near_.list.columns[std::size_t(i)]),
                sum);
    for (int d = 0; d < 4; ++d) result[4 * Offset(t) + d] += sum[d];
  }
}

}  // namespace

std::unique_ptr<HostFill> make_mixed_potential_fill(const MixedPotentialSystem& system,
                                                    const Integration& integration, Stages& set_up) {
  const ScopedStage timed(set_up, "near corrections");
  return std::make_unique<MixedPotentialFill>(system, integration);
}

}  // namespace curlew::ie
