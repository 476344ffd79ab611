// SPDX-License-Identifier: MIT
/// Part of the facade of the chip (gpu.h): lets threads that wait for the chip help with its work.
#pragma once
#include <chrono>
#include <functional>

namespace pumice::hw {

class Gpu;

/// For a thread that has to wait for the chip: executes parts of its work (GpuConfig::threads still bounds how many draw at once) until
/// done(), or until there has been no work for `patience`. Returns done(). Any thread; not while the Gpu is being destroyed.
bool help_until(Gpu& gpu, const std::function<bool()>& done, std::chrono::nanoseconds patience);

}  // namespace pumice::hw
