// SPDX-License-Identifier: MIT
// Precompiled header: what most compiler files include (meson's cpp_pch). Each file still includes what it uses: -Db_pch=false must build.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "hw/db/regs_r500.h"
