// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_fill.hpp"

namespace curlew::ie {
namespace {

using Value = RegionView::Value;

class SurfaceFill final : public HostFill {
 public:
  SurfaceFill(SurfaceSums sums, linalg::Csr<Complex> corrections)
      : sums_(std::move(sums)), corrections_(std::move(corrections)) {}
  Index size() const override { return sums_.num_unknowns; }
  std::vector<PointSet> point_sets() const override { return sums_.point_sets(); }
  Offset num_near() const override { return corrections_.nnz(); }

  std::size_t bytes() const override {
    return sums_.bytes() + corrections_.columns.size() * (sizeof(Complex) + sizeof(Index));
  }

  void correct(const Complex* x, Complex* y, const HostQueue&) const override {
    linalg::multiply(corrections_, x, y);
  }
  void spread(std::size_t set, int pass, const Complex* x, Complex* charges,
              const HostQueue&) const override {
    const RegionView region = view(set);
#pragma omp parallel for
    for (Offset p = 0; p < region.currents.num_points; ++p)
      region.spread(p, reinterpret_cast<const Value*>(x), pass == 1, reinterpret_cast<Value*>(charges));
  }

  void test(std::size_t set, int pass, const Complex*, const Complex* potential, const Complex* gradient,
            Complex* y, const HostQueue&) const override {
    const RegionView region = view(set);
#pragma omp parallel for
    for (Index f = 0; f < sums_.num_functions; ++f)
      region.test(f, reinterpret_cast<const Value*>(potential), reinterpret_cast<const Value*>(gradient),
                  pass == 1, reinterpret_cast<Value*>(y));
  }

 private:
  RegionView view(std::size_t set) const {
    const RegionSums& region = sums_.regions[set];
    return {region, region.currents.view(), sums_.share.data(), sums_.magnetic.data()};
  }
  SurfaceSums sums_;
  linalg::Csr<Complex> corrections_;
};

}  // namespace

std::unique_ptr<HostFill> make_surface_fill(SurfaceSums sums, linalg::Csr<Complex> corrections) {
  return std::make_unique<SurfaceFill>(std::move(sums), std::move(corrections));
}

}  // namespace curlew::ie
