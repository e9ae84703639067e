// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles on a sphere under the names that tests use, and on a torus.

#include <cmath>

#include "base/constants.hpp"
#include "icosphere.hpp"

namespace curlew::test {

using mesh::icosphere;
using mesh::TriangleSoup;

/// Radii 2 and 1; around times across squares of two triangles.
inline TriangleSoup torus(int around, int across) {
  TriangleSoup soup;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double a = 2 * pi * i / around, b = 2 * pi * j / across, r = 2 + std::cos(b);
      soup.nodes.push_back({r * std::cos(a), r * std::sin(a), std::sin(b)});
      const Index p = i * across + j, q = (i + 1) % around * across + j, u = i * across + (j + 1) % across,
                  v = (i + 1) % around * across + (j + 1) % across;
      soup.triangles.push_back({p, q, u}), soup.triangles.push_back({q, v, u});
    }
  }
  return soup;
}

}  // namespace curlew::test
