// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Readers of the kinds of boundary conditions. A new one: its class and reader in a separate file, its reader
// declared here, a line in the list of kinds.cpp, its keys in src/io/schema/boundary.cpp.

#include "fem/model/condition.hpp"

namespace curlew::fem {

ConditionPtr read_pec(const io::Config& table, double unit);
ConditionPtr read_pmc(const io::Config& table, double unit);
/// order 1 or 2; radius of order 2.
ConditionPtr read_absorbing(const io::Config& table, double unit);
/// resistance, inductance, capacitance, connection and direction.
ConditionPtr read_lumped(const io::Config& table, double unit);

}  // namespace curlew::fem
