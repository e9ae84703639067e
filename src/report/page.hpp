// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every page starts and ends with.

#include <string>

namespace curlew::report {

/// Up to and with the heading, with the style. @param title escaped
std::string page_head(const std::string& title);
inline constexpr const char* page_end = "</body>\n</html>\n";

}  // namespace curlew::report
