// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A key whose value is one of a list of words.

#include <string>
#include <string_view>
#include <vector>

namespace curlew::io {

class Config;

/// @throws InputError for another word: the message names the list and the nearest word in it
std::string word_of(const Config& table, std::string_view key, const std::vector<std::string>& words);

}  // namespace curlew::io
