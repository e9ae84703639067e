// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of a report: each is HTML, empty where the run has nothing to say of it.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace curlew::report {

/// What a part is made of.
struct Source {
  const nlohmann::ordered_json& summary;
  std::string folder;
};

/// Whether a table is left out of the page, which then says so.
bool is_too_large(const Source& source, const std::string& name);

std::string scattering_parameters(const Source& source);
std::string patterns(const Source& source);
std::string cross_sections(const Source& source);
std::string near_fields(const Source& source);
std::string surface_currents(const Source& source);
std::string sound_pressures(const Source& source);
std::string convergence(const Source& source);
std::string error_bars(const Source& source);

}  // namespace curlew::report
