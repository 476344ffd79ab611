// SPDX-License-Identifier: MIT
// Precompiled header: headers included by most files of the chip (meson's cpp_pch). A file still includes what it uses: -Db_pch=false must
// build.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "hw/db/regs_r300.h"
#include "hw/db/regs_r500.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/draw.h"
