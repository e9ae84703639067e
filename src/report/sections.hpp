// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of a report: each is HTML, empty if the run has no such results.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace curlew::report {

/// Input of a part.
struct Source {
  const nlohmann::ordered_json& summary;
  std::string folder;
};

/// Whether a table is left out of the page, which then says so.
bool is_too_large(const Source& source, const std::string& name);
/// A heading, if any, with charts below; empty where these are.
std::string section(const std::string& title, const std::string& charts);

std::string scattering_parameters(const Source& source);
std::string goals(const Source& source);
std::string patterns(const Source& source);
std::string cross_sections(const Source& source);
std::string near_fields(const Source& source);
std::string model(const Source& source);
/// Charts that charts.json lists for this section.
std::string listed(const Source& source, const std::string& section);
std::string convergence(const Source& source);
std::string error_bars(const Source& source);

}  // namespace curlew::report
