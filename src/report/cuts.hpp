// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curves out of tables of results (io/csv.hpp).

#include <map>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "report/chart.hpp"

namespace curlew::report {

/// A cell by its column: "frequency_hz" and "2.45e9" as "2.45 GHz"; words stand alone.
std::string label(const std::string& column, const std::string& value);

/// Rows that belong together, by what their columns `by` say ("port 1, 2.45 GHz"), in the order of the file.
struct Group {
  std::string name;
  std::vector<std::size_t> rows;
};
/// Columns that say the same in every row are left out of the names.
std::vector<Group> group_rows(const io::CsvTable& table, const std::vector<std::string>& by);

/// Angles and what is drawn over them.
struct CutColumns {
  std::vector<std::string> by;  ///< what tells patterns apart: frequency, port, incidence
  std::string value;
};
/// Of every group: over theta at each phi, or over phi where theta is the same everywhere. Of more than four
/// cuts in a group those at a quarter, a half and so on of the list are kept.
/// @param[out] x_label "theta, degrees" or "phi, degrees"
std::vector<Curve> pattern_cuts(const io::CsvTable& table, const CutColumns& columns, std::string& x_label);

/// One curve for each group. @pre both columns hold numbers
std::vector<Curve> curves_of(const io::CsvTable& table, const std::vector<std::string>& by,
                             const std::string& x, const std::string& y);

}  // namespace curlew::report
