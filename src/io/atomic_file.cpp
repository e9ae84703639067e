// SPDX-License-Identifier: BSD-3-Clause
#include "io/atomic_file.hpp"
