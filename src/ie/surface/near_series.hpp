// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Blocks of near pairs as power series of the wavenumber: exp(-jkR)/R = sum over t of (-jk)^t/t! R^(t-1). The
// integrals of the powers of R are real and belong to the mesh: made once for a sweep, they replace the
// closed forms and rules of each frequency.

#include <vector>

#include "ie/surface/system.hpp"

namespace curlew::ie {

class NearSeries {
 public:
  /// Regions where |k R| of a near pair exceeds about 4 are left out.
  /// @param system at the frequency with the greatest wavenumbers
  explicit NearSeries(const System& system);
  /// Memory that a NearSeries would take; 0 if all regions are left out. Visits all pairs of triangles.
  static std::size_t estimate_bytes(const System& system);

  /// Whether the region's blocks at this wavenumber equal PairIntegrals::exact to 1e-12.
  bool covers(int region, Complex k) const { return std::abs(k) <= regions_[region].greatest; }

  /// Blocks of one source triangle, one after the other.
  class Blocks {
   public:
    /// @param position of the source among the triangles of the region @pre covers(region, k)
    Blocks(const NearSeries& series, int region, Index position, Complex k);
    /// The block of the next test triangle that is near, in the order of the region's triangles; of
    /// symmetric systems only triangles from the source on.
    PairBlock next();

   private:
    bool magnetic_, rotated_;
    std::size_t width_;
    const unsigned char* terms_;
    const double* values_;
    Complex jk_;
    std::vector<Complex> powers_;  // (-jk)^t/t!
  };

 private:
  struct Source {
    std::vector<unsigned char> terms;  // [near pairs]
    std::vector<double> values;        // [near pairs, terms, width]
  };
  struct Region {
    double greatest = 0;  // |k| [1/m]; 0: left out
    bool magnetic = false, rotated = false;
    std::vector<Source> sources;  // [triangles]
  };
  std::vector<Region> regions_;
};

}  // namespace curlew::ie
