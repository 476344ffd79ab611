// SPDX-License-Identifier: MIT
// What most files of the driver read, parsed once (meson's cpp_pch). A file still includes what it uses: -Db_pch=false must build.
#include <vulkan/vulkan.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
#include "hw/db/regs_r500.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
