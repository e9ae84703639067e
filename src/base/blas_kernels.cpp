// SPDX-License-Identifier: BSD-3-Clause
#include "base/blas_kernels.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

// OpenBLAS is linked by the modules that use it; with a weak symbol base does not depend on it.
extern "C" char* openblas_get_corename() __attribute__((weak));

namespace curlew {
namespace {

constexpr const char* coretype = "OPENBLAS_CORETYPE";
/// Kernels that were set by restart_with_right_settings, of this program or of one that started it, and those
/// that OpenBLAS had chosen: "SkylakeX Prescott".
constexpr const char* own_choice = "CURLEW_BLAS_KERNELS";

enum class Level { old, avx2, avx512 };

bool is_one_of(std::string_view name, const auto& names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view known) {
    return known.size() == name.size() && strncasecmp(known.data(), name.data(), name.size()) == 0;
  });
}

/// Instruction set of a kernel that OpenBLAS has for x86-64.
std::optional<Level> level_of(std::string_view core) {
  static constexpr std::array<std::string_view, 22> old{
      "Generic", "Unknown",      "Katmai",     "Coppermine", "Northwood",   "Prescott",   "Banias",  "Atom",
      "Core2",   "Penryn",       "Dunnington", "Nehalem",    "Sandybridge", "Athlon",     "Opteron", "Nano",
      "Bobcat",  "Opteron_SSE3", "Barcelona",  "Bulldozer",  "Piledriver",  "Steamroller"};
  static constexpr std::array<std::string_view, 2> avx2{"Haswell", "Zen"};
  static constexpr std::array<std::string_view, 3> avx512{"SkylakeX", "Cooperlake", "SapphireRapids"};
  if (is_one_of(core, old)) return Level::old;
  if (is_one_of(core, avx2)) return Level::avx2;
  if (is_one_of(core, avx512)) return Level::avx512;
  return std::nullopt;
}

Level level_of(const ProcessorFeatures& features) {
  if (features.avx512) return Level::avx512;
  return features.avx2 ? Level::avx2 : Level::old;
}

std::string kernels_for(Level level) {
  switch (level) {
    case Level::avx512:
      return "SkylakeX";
    case Level::avx2:
      return "Haswell";
    case Level::old:
      break;
  }
  return "Prescott";  // SSE3
}

std::string in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string core_name() {
  return openblas_get_corename != nullptr ? openblas_get_corename() : "";
}

/// The kernels that OpenBLAS had chosen, where OPENBLAS_CORETYPE was set by a program; "" where it is the
/// user's.
std::string replaced_kernels() {
  const std::string forced = in_environment(coretype), chosen = in_environment(own_choice);
  return !forced.empty() && chosen.starts_with(forced + " ") ? chosen.substr(forced.size() + 1) : "";
}

}  // namespace

ProcessorFeatures processor_features() {
  ProcessorFeatures features;
#if defined(__x86_64__)
  __builtin_cpu_init();
  features.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  features.avx512 = features.avx2 && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  return features;
}

std::string better_blas_kernels(std::string_view core, const ProcessorFeatures& features,
                                std::string_view variable) {
  const auto taken = level_of(core);
  const Level possible = level_of(features);
  if (!taken) return "";
  const std::string better = kernels_for(possible);
  const bool cannot_run = *taken > possible;
  const bool too_old = *taken == Level::old && possible > Level::old && variable.empty();
  return (cannot_run && variable != better) || too_old ? better : "";
}

Settings blas_kernel_settings() {
  const std::string core = core_name();
  const std::string better = better_blas_kernels(core, processor_features(), in_environment(coretype));
  if (better.empty()) return {};
  return {{coretype, better}, {own_choice, better + " " + core}};
}

bool blas_kernels_are_users() {
  return !in_environment(coretype).empty() && replaced_kernels().empty();
}

BlasKernels blas_kernels() {
  BlasKernels kernels{core_name(), "", false};
  if (kernels.name.empty()) return kernels;
  const std::string forced = in_environment(coretype), replaced = replaced_kernels();
  const bool is_users = blas_kernels_are_users();
  kernels.slow =
      !is_users && level_of(kernels.name) == Level::old && level_of(processor_features()) > Level::old;
  if (!replaced.empty())
    kernels.reason =
        fmt::format("set by the program, which restarted itself: OpenBLAS had chosen {}", replaced);
  else if (is_users)
    kernels.reason = fmt::format("set by OPENBLAS_CORETYPE={}", forced);
  else
    kernels.reason = "chosen by OpenBLAS";
  return kernels;
}

}  // namespace curlew
