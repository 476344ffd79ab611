// SPDX-License-Identifier: MIT
// GoogleTest and what tests use of the library, parsed once for all test programs (tests/pch/meson.build).
// A test still includes what it uses: -Db_pch=false must build.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>
