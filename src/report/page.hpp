// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Beginning and end of every page.

#include <string>

namespace curlew::report {

// Contents of python/curlew_em/charts.json, page.css and page.js.
extern const char* const chart_table;
extern const char* const page_style;
extern const char* const page_script;

/// The page up to its heading, including the style. @param title escaped
std::string page_head(const std::string& title);
/// The script that draws the figures, and the end.
std::string page_end();

}  // namespace curlew::report
