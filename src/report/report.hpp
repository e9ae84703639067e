// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// report.html: results of a run as one page that needs no network.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/html.hpp"

namespace curlew::report {

/// Input of the page, in addition to the files in the folder.
struct Content {
  std::string title;   ///< of the config
  std::string config;  ///< its text
  std::vector<Table> tables;
  std::vector<std::string> lines;
};

/// Writes FOLDER/report.html. @param summary content of summary.json; the files that it names are in place
/// @throws ResourceError if it cannot be written, InputError if a table of results cannot be read
void write_report(const std::string& folder, const nlohmann::ordered_json& summary, const Content& content);

/// Writes FOLDER/report.html of a sweep: every number of the results over the first swept key, and the pages
/// of the points behind a slider. @param table rows of sweep.csv @param num_axes number of columns, after the
/// first, with swept keys
/// @throws ResourceError if it cannot be written
void write_sweep_report(const std::string& folder, const Content& content, const Table& table,
                        std::size_t num_axes);

}  // namespace curlew::report
