// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

// First statement of a test that limits the address space of a process: sanitizers, which reserve terabytes
// of it, let none start or end it themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CURLEW_LIMITS_ADDRESS_SPACE() GTEST_SKIP() << "the sanitizer needs all of the address space"
#else
#define CURLEW_LIMITS_ADDRESS_SPACE() static_cast<void>(0)
#endif
