// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/cudss_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "linalg/direct/library_entry.hpp"

namespace curlew::linalg::cudss {
namespace {

struct Loaded {
  Api api{};
  bool is_complete = false;
  std::string why;
};

template <class Function>
bool find(void* library, const char* name, Function*& function, std::string& why) {
  return find_entry(library, "cuDSS", name, function, why);
}

bool find_all(void* library, Api& api, std::string& why) {
  return find(library, "cudssCreate", api.create, why) &&
         find(library, "cudssCreateMg", api.create_mg, why) &&
         find(library, "cudssDestroy", api.destroy, why) &&
         find(library, "cudssSetStream", api.set_stream, why) &&
         find(library, "cudssSetThreadingLayer", api.set_threading_layer, why) &&
         find(library, "cudssConfigCreate", api.config_create, why) &&
         find(library, "cudssConfigDestroy", api.config_destroy, why) &&
         find(library, "cudssConfigSet", api.config_set, why) &&
         find(library, "cudssDataCreate", api.data_create, why) &&
         find(library, "cudssDataDestroy", api.data_destroy, why) &&
         find(library, "cudssDataSet", api.data_set, why) &&
         find(library, "cudssDataGet", api.data_get, why) &&
         find(library, "cudssExecute", api.execute, why) &&
         find(library, "cudssMatrixCreateDn", api.matrix_create_dense, why) &&
         find(library, "cudssMatrixCreateCsr", api.matrix_create_csr, why) &&
         find(library, "cudssMatrixSetValues", api.matrix_set_values, why) &&
         find(library, "cudssMatrixDestroy", api.matrix_destroy, why);
}

/// The arguments of cudssMatrixCreateCsr changed with 1.0.
bool is_version_1(void* library, Loaded& loaded) {
  int (*get_property)(libraryPropertyType, int*) = nullptr;
  if (!find(library, "cudssGetProperty", get_property, loaded.why)) return false;
  int major = 0, minor = 0, patch = 0;
  get_property(MAJOR_VERSION, &major), get_property(MINOR_VERSION, &minor), get_property(PATCH_LEVEL, &patch);
  loaded.api.version = fmt::format("{}.{}.{}", major, minor, patch);
  if (major != 1) loaded.why = fmt::format("cuDSS {} is installed, 1.x is needed", loaded.api.version);
  return major == 1;
}

Loaded load_library() {
  Loaded loaded;
  const char* asked = std::getenv("CURLEW_CUDSS");
  void* library = dlopen(asked != nullptr ? asked : "libcudss.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    loaded.why = dlerror();
    return loaded;
  }
  loaded.is_complete = is_version_1(library, loaded) && find_all(library, loaded.api, loaded.why);
  Dl_info where{};
  if (loaded.is_complete && dladdr(reinterpret_cast<void*>(loaded.api.create), &where) != 0) {
    const auto layer = std::filesystem::path(where.dli_fname).parent_path() / "libcudss_mtlayer_gomp.so.1";
    if (std::filesystem::exists(layer)) loaded.api.threading_layer = layer.string();
  }
  return loaded;
}

}  // namespace

const Api* load(std::string* why) {
  static const Loaded loaded = load_library();
  if (why != nullptr) *why = loaded.why;
  return loaded.is_complete ? &loaded.api : nullptr;
}

}  // namespace curlew::linalg::cudss
