// SPDX-License-Identifier: MIT
/// Belongs to the facade of the chip (gpu.h): how threads that wait for it help it.
#pragma once
#include <chrono>
#include <functional>

namespace pumice::hw {

class Gpu;

/// For a thread that has to wait for the chip: takes part in its work (GpuConfig::threads still bounds how many draw at once) until
/// done(), or until there has been nothing to do for `patience`. Returns done(). Any thread; not while the Gpu is destroyed.
bool help_until(Gpu& gpu, const std::function<bool()>& done, std::chrono::nanoseconds patience);

}  // namespace pumice::hw
