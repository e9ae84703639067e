// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/geo_text.hpp"

#include <algorithm>
#include <cctype>

namespace curlew::mesh {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string without_comments(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      const auto end = std::min(text.find('"', i + 1), text.size() - 1);
      result += text.substr(i, end + 1 - i);
      i = end + 1;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      const auto end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
    } else {
      result += text[i++];
    }
  }
  return result;
}

bool Scan::find(std::string_view word) {
  const auto found = text_.find(word, at_);
  at_ = found == std::string_view::npos ? text_.size() : found + word.size();
  return found != std::string_view::npos;
}

bool Scan::find_alone(std::string_view word) {
  while (find(word)) {
    const auto start = at_ - word.size();
    const bool goes_on = at_ < text_.size() && is_word(text_[at_]);
    if (!goes_on && (start == 0 || !is_word(text_[start - 1]))) return true;
  }
  return false;
}

bool Scan::take(std::string_view symbol) {
  blanks();
  if (!text_.substr(at_).starts_with(symbol)) return false;
  at_ += symbol.size();
  return true;
}

std::string_view Scan::until(std::string_view letters) {
  const auto start = at_;
  at_ = std::min(text_.find_first_of(letters, at_), text_.size());
  return text_.substr(start, at_ - start);
}

std::string_view Scan::name() {
  blanks();
  const auto start = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

void Scan::blanks() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

}  // namespace curlew::mesh
