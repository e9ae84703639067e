// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace curlew::report {

/// The charts of a page by their titles, and their titles in "order".
inline nlohmann::json charts_by_title(const std::string& page) {
  nlohmann::json found;
  const std::string start = "class=\"chart\">";
  for (auto from = page.find(start); from != std::string::npos; from = page.find(start, from + 1)) {
    const auto text = page.substr(from + start.size(), page.find("</script>", from) - from - start.size());
    const auto chart = nlohmann::json::parse(text);
    found[chart["title"].get<std::string>()] = chart;
    found["order"].push_back(chart["title"]);
  }
  return found;
}

}  // namespace curlew::report
