// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The model in three dimensions: surfaces and volumes by name and by what they are, currents on them.

#include <string>

namespace curlew::report {

/// Of FOLDER/solution.h5 with what resolved.toml says of its regions; where that holds no mesh, or has
/// currents, those of currents.vtkhdf. Empty where there is neither.
std::string draw_model(const std::string& folder);

}  // namespace curlew::report
