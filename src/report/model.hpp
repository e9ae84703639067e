// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The model in three dimensions: surfaces and volumes by name and kind, with currents.

#include <string>

namespace curlew::report {

/// From FOLDER/solution.h5 with the regions of resolved.toml; if that has no mesh, or if there are currents,
/// from currents.vtkhdf. Empty if neither exists.
std::string draw_model(const std::string& folder);

}  // namespace curlew::report
