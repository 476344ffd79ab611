// SPDX-License-Identifier: MIT
/// Failures of one allocation at a time: through VkAllocationCallbacks, and where the driver's code calls malloc (its operator new), mmap
/// or mprotect (memory of the chip), which programs with oom.cpp replace; and threads that cannot be made.
#pragma once
#include <atomic>
#include <functional>

#include "tests/vk/fixture.h"

namespace vktest::oom {

enum class Failure { none, allocation, mapping, thread };

/// Allocations of the calling thread until one fails; negative: none does. What failed is in `failure`.
extern thread_local long left;
extern thread_local Failure failure;
/// While set, threads that the calling thread makes are watched: their allocations count in `watched_left`.
extern thread_local bool watches;
extern std::atomic<long> watched_left;
extern std::atomic<bool> watched_failed;
/// The next thread that the calling thread makes fails.
extern thread_local bool no_thread;

/// To be called once the driver is loaded.
void find_driver();

/// VkAllocationCallbacks; their failures count with the rest.
struct Callbacks {
  long live = 0;
  VkAllocationCallbacks table{this, allocate_block, reallocate_block, free_block, nullptr, nullptr};

  static void* VKAPI_CALL allocate_block(void* user, size_t size, size_t alignment, VkSystemAllocationScope);
  static void* VKAPI_CALL reallocate_block(void*, void*, size_t, size_t, VkSystemAllocationScope) { return nullptr; }
  static void VKAPI_CALL free_block(void* user, void* p);
};

/// Fails the first allocation of `call`, then the second, ...: after `every` of them each `step`-th only. Returns how many failed. `call`
/// returns the right error or manages without; it sets `left` to -1 when what is tested has returned.
long each_allocation(const char* what, const Callbacks& callbacks, const std::function<VkResult()>& call, long every = 400, long step = 37);

}  // namespace vktest::oom
