// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every page starts and ends with.

#include <string>

namespace curlew::report {

// python/curlew_em/charts.json, page.css and page.js as they are.
extern const char* const chart_table;
extern const char* const page_style;
extern const char* const page_script;

/// Up to and with the heading, with the style. @param title escaped
std::string page_head(const std::string& title);
/// The script that draws the figures, and the end.
std::string page_end();

}  // namespace curlew::report
