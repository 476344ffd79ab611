// SPDX-License-Identifier: MIT
/// The one place that holds volk's function pointers.
#define VOLK_IMPLEMENTATION
#include <volk.h>
