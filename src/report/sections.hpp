// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of a report: each is HTML, empty if the run has no such results.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "io/csv.hpp"

namespace curlew::report {

/// Input of a part.
struct Source {
  const nlohmann::ordered_json& summary;
  std::string folder;
};

/// Fields on a named plane as waves in space: E and H of near_NAME.csv. Of more than eight excitations and
/// frequencies the first, the last and those at equal steps between are kept, of more than 120 lines of
/// points every second, third, ...
/// @return empty if the points of the table are no grid of lines over a parallelogram, one line after the
/// other
std::string draw_field_cut(const io::CsvTable& table, const std::string& name);

/// Whether a table is left out of the page, which then says so.
bool is_too_large(const Source& source, const std::string& name);
/// A page up to its heading, including the style. @param title escaped
std::string page_head(const std::string& title);
/// The script that draws the figures, and the end.
std::string page_end();
/// A heading, if any, with charts below; empty where these are.
std::string section(const std::string& title, const std::string& charts);

std::string scattering_parameters(const Source& source);
std::string goals(const Source& source);
std::string patterns(const Source& source);
std::string cross_sections(const Source& source);
std::string near_fields(const Source& source);
/// The model in three dimensions: surfaces and volumes by name and kind, of solution.h5 with the regions of
/// resolved.toml, and currents, of currents.vtkhdf.
std::string model(const Source& source);
/// Charts that charts.json lists for this section.
std::string listed(const Source& source, const std::string& section);
std::string convergence(const Source& source);
std::string error_bars(const Source& source);

}  // namespace curlew::report
