// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and tables as HTML.

#include <string>
#include <string_view>
#include <vector>

namespace curlew::report {

/// A table as it is printed on the screen and drawn in the report.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// With &, <, > and quotes as entities, for text and for values of attributes.
std::string escape(std::string_view text);
/// Rows after the first `most` are only counted, in a line below the table.
std::string html_table(const Table& table, std::size_t most = 100);
/// Content that is shown when its heading is clicked.
std::string folded(const std::string& title, const std::string& content);

}  // namespace curlew::report
