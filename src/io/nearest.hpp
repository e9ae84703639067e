// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// "Did you mean": the word of a list that is nearest to a misspelt one.

#include <string>
#include <vector>

namespace curlew::io {

/// Insertions, deletions, substitutions and swaps of neighbours that transform one word into the other
/// (optimal string alignment distance).
int edit_distance(const std::string& a, const std::string& b);

/// The word at the least distance, the first of equals; empty if there are none.
std::string nearest_word(const std::string& word, const std::vector<std::string>& words);

}  // namespace curlew::io
