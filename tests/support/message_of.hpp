// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The exception of a call, as text.

#include <exception>
#include <string>

namespace curlew::test {

/// The text of the exception of type E that `call` throws; "nothing" or "another" otherwise.
template <class E, class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const E& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another: ") + e.what();
  }
  return "nothing";
}

}  // namespace curlew::test
