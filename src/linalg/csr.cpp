// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/csr.hpp"
