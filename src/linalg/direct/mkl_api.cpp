// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/mkl_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "linalg/direct/library_entry.hpp"

namespace curlew::linalg::mkl {
namespace {

namespace fs = std::filesystem;

constexpr std::array versions{3, 2};      // of the file, the newest first
constexpr int processor_kernels = 2;      // the same bits in every run on this processor
constexpr int gnu_threads = 3, lp64 = 0;  // layers
constexpr const char* parts[] = {"core", "gnu_thread", "intel_lp64"};  // that the library loads itself

struct Loaded {
  Api api{};
  bool is_complete = false;
  std::string why = "Intel MKL is not installed";
};

std::string file_name(int version, const char* part = "rt") {
  return fmt::format("libmkl_{}.so.{}", part, version);
}

/// Where environments and the folders above the program have their libraries, the nearest first.
std::vector<fs::path> folders() {
  std::vector<fs::path> all;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "MKLROOT"})
    if (const char* root = std::getenv(name)) all.push_back(fs::path(root) / "lib");
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path above = program.parent_path(); above.has_relative_path(); above = above.parent_path())
    for (const char* below : {"", "lib", "venv/lib"}) all.push_back(above / below);
  all.emplace_back("/opt/intel/oneapi/mkl/latest/lib");
  return all;
}

/// The library ends the process if one of its parts is missing.
bool has_all_parts(const fs::path& library) {
  for (const int version : versions) {
    if (library.filename() != file_name(version)) continue;
    std::error_code error;
    for (const char* part : parts)
      if (!fs::exists(library.parent_path() / file_name(version, part), error)) return false;
  }
  return true;
}

/// Its BLAS functions have the names of OpenBLAS's and must not replace them.
void* open(const fs::path& library, std::string& why) {
  void* opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) why = dlerror();
  return opened;
}

void* find_library(std::string& why) {
  if (const char* asked = std::getenv("CURLEW_MKL")) return open(asked, why);
  std::string ignored;
  for (const int version : versions)
    if (void* opened = open(file_name(version), ignored)) return opened;
  std::error_code error;
  for (const fs::path& folder : folders())
    for (const int version : versions)
      if (const fs::path library = folder / file_name(version); fs::exists(library, error))
        return open(library, why);
  return nullptr;
}

template <class Function>
bool find(void* library, const char* name, Function*& function, std::string& why) {
  return find_entry(library, "Intel MKL", name, function, why);
}

struct Version {
  int year, minor, update;
  const char *status, *build, *processor, *platform;
};

Loaded load_library() {
  Loaded loaded;
  void* library = find_library(loaded.why);
  if (library == nullptr) return loaded;
  int (*set_threading_layer)(int) = nullptr;
  int (*set_interface_layer)(int) = nullptr;
  void (*set_dynamic)(int) = nullptr;
  int (*set_reproducible)(int) = nullptr;
  void (*get_version)(Version*) = nullptr;
  loaded.is_complete = find(library, "pardiso_64", loaded.api.pardiso_64, loaded.why) &&
                       find(library, "MKL_Set_Num_Threads_Local", loaded.api.set_threads_here, loaded.why) &&
                       find(library, "MKL_Set_Threading_Layer", set_threading_layer, loaded.why) &&
                       find(library, "MKL_Set_Interface_Layer", set_interface_layer, loaded.why) &&
                       find(library, "MKL_Set_Dynamic", set_dynamic, loaded.why) &&
                       find(library, "MKL_CBWR_Set", set_reproducible, loaded.why) &&
                       find(library, "MKL_Get_Version", get_version, loaded.why);
  if (!loaded.is_complete) return loaded;
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(loaded.api.pardiso_64), &where) != 0 &&
      !has_all_parts(where.dli_fname)) {
    loaded.is_complete = false;
    loaded.why = fmt::format("other MKL libraries are missing beside {}", where.dli_fname);
    return loaded;
  }
  set_threading_layer(gnu_threads);  // the pool of the programs' own loops
  set_interface_layer(lp64);
  set_reproducible(processor_kernels);  // before anything is computed
  set_dynamic(0);                       // it would take one thread for two of a core
  Version version{};
  get_version(&version);
  loaded.api.version = fmt::format("{}.{}", version.year, version.update);
  return loaded;
}

}  // namespace

const Api* load(std::string* why) {
  static const Loaded loaded = load_library();
  if (why != nullptr) *why = loaded.why;
  return loaded.is_complete ? &loaded.api : nullptr;
}

}  // namespace curlew::linalg::mkl
