// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The text of a .geo script: without its comments, and read from front to back. Regular expressions of the
// standard library take a stack frame for each letter, so that a long line would overflow the stack.

#include <string>
#include <string_view>

namespace curlew::mesh {

/// Letters of names: ASCII letters, digits, underscore.
bool is_word(char c);

/// Script without // and /* */ comments; strings are kept, and may contain either.
std::string without_comments(const std::string& text);

/// A place in a text that only moves forward, so that any search of all of it takes linear time.
class Scan {
 public:
  explicit Scan(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  /// Moves behind the next occurrence of a word, or to the end. @return true if there is one
  bool find(std::string_view word);
  /// The same for a word that no letter precedes or follows.
  bool find_alone(std::string_view word);
  /// Moves over blanks and then this symbol, if it is there. @return true if it was
  bool take(std::string_view symbol);
  /// Text up to the next of these letters, or to the end; moves there.
  std::string_view until(std::string_view letters);
  /// Moves over blanks and then a name. @return it, empty if there is none
  std::string_view name();

  std::size_t at() const { return at_; }

 private:
  void blanks();

  std::string_view text_;
  std::size_t at_;
};

}  // namespace curlew::mesh
