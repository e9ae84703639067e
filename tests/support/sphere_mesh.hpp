// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles on a sphere under the names that tests use.

#include "mesh/icosphere.hpp"

namespace curlew::test {

using mesh::icosphere;
using mesh::TriangleSoup;

}  // namespace curlew::test
