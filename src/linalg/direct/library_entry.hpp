// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A function of a library that was opened at run time.

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace curlew::linalg {

/// @param[out] why on failure "LIBRARY lacks NAME" @returns false if the library lacks it
template <class Function>
bool find_entry(void* opened, const char* library, const char* name, Function*& function, std::string& why) {
  function = reinterpret_cast<Function*>(dlsym(opened, name));
  if (function == nullptr) why = fmt::format("{} lacks {}", library, name);
  return function != nullptr;
}

}  // namespace curlew::linalg
