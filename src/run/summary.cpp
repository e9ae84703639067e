// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_app.hpp"
