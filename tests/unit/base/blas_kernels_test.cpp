// SPDX-License-Identifier: BSD-3-Clause
// Which kernels of OpenBLAS a program asks for; tests/cli/blas_kernels_test.cpp starts programs.
#include "base/blas_kernels.hpp"

#include <gtest/gtest.h>

namespace curlew {
namespace {

constexpr ProcessorFeatures old{}, with_avx2{true, false}, with_avx512{true, true};

TEST(BlasKernels, OldOnesAreReplacedByThoseOfTheProcessor) {
  for (const char* core : {"Prescott", "Core2", "Katmai", "Generic", "Unknown", "Nehalem", "Sandybridge",
                           "Barcelona", "prescott"}) {
    EXPECT_EQ(better_blas_kernels(core, with_avx512, ""), "SkylakeX") << core;
    EXPECT_EQ(better_blas_kernels(core, with_avx2, ""), "Haswell") << core;
    EXPECT_EQ(better_blas_kernels(core, old, ""), "") << core;
  }
}

TEST(BlasKernels, ThoseOfNewProcessorsStay) {
  for (const char* core : {"Haswell", "Zen"}) {
    EXPECT_EQ(better_blas_kernels(core, with_avx2, ""), "") << core;
    EXPECT_EQ(better_blas_kernels(core, with_avx512, ""), "") << core;
  }
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids"})
    EXPECT_EQ(better_blas_kernels(core, with_avx512, ""), "") << core;
}

TEST(BlasKernels, OfAnUnknownNameNothingIsSaid) {
  for (const char* core : {"", "Zen9", "Neoversen1"})
    for (const auto& features : {old, with_avx2, with_avx512})
      EXPECT_EQ(better_blas_kernels(core, features, ""), "") << core;
}

TEST(BlasKernels, WhatTheUserSetsStays) {
  EXPECT_EQ(better_blas_kernels("Prescott", with_avx512, "Prescott"), "");
  EXPECT_EQ(better_blas_kernels("Haswell", with_avx512, "Haswell"), "");
  EXPECT_EQ(better_blas_kernels("Prescott", with_avx512, "SkylakeX"), "") << "was set, and did not help";
}

TEST(BlasKernels, WhatTheProcessorCannotRunIsReplacedWhoeverSetIt) {
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids"}) {
    for (const char* variable : {"", core}) {
      EXPECT_EQ(better_blas_kernels(core, with_avx2, variable), "Haswell") << core;
      EXPECT_EQ(better_blas_kernels(core, old, variable), "Prescott") << core;
    }
  }
  EXPECT_EQ(better_blas_kernels("Haswell", old, "Haswell"), "Prescott");
  EXPECT_EQ(better_blas_kernels("SkylakeX", with_avx2, "Haswell"), "")
      << "was set, and did not help: no loop";
}

TEST(BlasKernels, NeverMoreThanTheProcessorHas) {
  for (const char* core : {"Prescott", "Haswell", "SkylakeX"}) {
    for (const char* variable : {"", "Prescott", "Haswell", "SkylakeX"}) {
      EXPECT_NE(better_blas_kernels(core, with_avx2, variable), "SkylakeX");
      EXPECT_NE(better_blas_kernels(core, old, variable), "SkylakeX");
      EXPECT_NE(better_blas_kernels(core, old, variable), "Haswell");
    }
  }
}

}  // namespace
}  // namespace curlew
