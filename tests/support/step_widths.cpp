// SPDX-License-Identifier: MIT
#define STEP_INSTANCE template
#include "step_widths.hpp"
