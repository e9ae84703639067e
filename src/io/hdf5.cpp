// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5.hpp"
