// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curves out of tables of results (io/csv.hpp).

#include <map>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "report/chart.hpp"

namespace curlew::report {

/// A cell by its column: "frequency_hz" and "2.45e9" as "2.45 GHz"; words stay unchanged.
std::string label(const std::string& column, const std::string& value);

/// Rows with equal values in the columns `by` ("port 1, 2.45 GHz"), in the order of the file.
struct Group {
  std::string name;
  std::vector<std::size_t> rows;
};
/// Names leave out columns with equal values in all rows, and columns that the table does not have.
std::vector<Group> group_rows(const io::CsvTable& table, const std::vector<std::string>& by,
                              const std::vector<std::size_t>* rows = nullptr);
/// Every n-th of `count`, the last among them where the steps reach it.
std::vector<std::size_t> every_nth(std::size_t count, std::size_t most);
/// A column; empty fields, such as infinite values, are NaN. @throws InputError without the column
std::vector<double> numbers_of(const io::CsvTable& table, const std::string& column);
bool is_constant(const io::CsvTable& table, const std::string& column);

/// The rows of a group, with its name. @param x, y columns
Curve curve_of(const Group& group, const std::vector<double>& x, const std::vector<double>& y);
/// The points of a map.
Curve curve_of(const std::string& name, const std::map<double, double>& line);

/// A quantity over theta and phi [degrees].
using Sphere = std::map<double, std::map<double, double>>;
Sphere sphere_of(const io::CsvTable& table, const std::vector<std::size_t>& rows, const std::string& value);
/// Cuts through the maximum: over theta, with negative theta on the far side of the axis, and over phi. A
/// sphere of few phi has a cut at each.
std::vector<Curve> cuts(const Sphere& sphere);

}  // namespace curlew::report
