// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtkhdf.hpp"
