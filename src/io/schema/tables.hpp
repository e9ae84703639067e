// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tables of keys by topic. Private to schema/: others use schema.hpp.

#include <span>

#include "io/schema/key.hpp"

namespace curlew::io::schema {

std::span<const Key> mesh_keys();
std::span<const Key> frequency_keys();
std::span<const Key> material_keys();
std::span<const Key> boundary_keys();
std::span<const Key> layer_keys();
std::span<const Key> port_keys();
std::span<const Key> excitation_keys();
std::span<const Key> solver_keys();
std::span<const Key> truncation_keys();
std::span<const Key> expert_keys();
std::span<const Key> output_keys();
std::span<const Key> accuracy_keys();
std::span<const Key> mom2d_keys();
std::span<const Key> optimize_keys();

}  // namespace curlew::io::schema
