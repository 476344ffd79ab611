// SPDX-License-Identifier: MIT
#include "tests/vk/oom.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// The sanitizer's free() knows no other's blocks.
extern "C" void* __interceptor_malloc(size_t size);
extern "C" void* __interceptor_memalign(size_t alignment, size_t size);
#define REAL_MALLOC __interceptor_malloc
#define REAL_MEMALIGN __interceptor_memalign
#else
extern "C" void* __libc_malloc(size_t size);
extern "C" void* __libc_memalign(size_t alignment, size_t size);
#define REAL_MALLOC __libc_malloc
#define REAL_MEMALIGN __libc_memalign
#endif

namespace vktest::oom {

thread_local long left = -1;
thread_local Failure failure = Failure::none;
thread_local bool watches = false, no_thread = false;
std::atomic<long> watched_left = -1;
std::atomic<bool> watched_failed = false;

namespace {

thread_local bool watched = false;
/// The driver's code.
uintptr_t driver_begin = 0, driver_end = 0;

bool fails(Failure kind) {
  if (left < 0 || left-- != 0) return false;
  failure = kind;
  return true;
}
bool watched_fails() {
  if (!watched || watched_left < 0 || watched_left-- != 0) return false;
  watched_failed = true;
  return true;
}
bool of_driver(const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(caller);
  return at >= driver_begin && at < driver_end;
}
bool fails_for(const void* caller, Failure kind = Failure::allocation) {
  if (left < 0 && !watched) return false;
  return of_driver(caller) && (fails(kind) || watched_fails());
}

/// dl_iterate_phdr
int look(dl_phdr_info* info, size_t, void*) {
  if (!std::strstr(info->dlpi_name, "libvulkan_pumice")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
      driver_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      driver_end = driver_begin + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

struct Start {
  void* (*run)(void*);
  void* with;
};
void* run_watched(void* p) {
  const Start start = *static_cast<Start*>(p);
  delete static_cast<Start*>(p);
  watched = true;
  return start.run(start.with);
}

template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void find_driver() {
  dl_iterate_phdr(look, nullptr);
  ASSERT_NE(driver_begin, 0u);
}

void* VKAPI_CALL Callbacks::allocate_block(void* user, size_t size, size_t alignment, VkSystemAllocationScope) {
  void* p = fails(Failure::allocation) ? nullptr : REAL_MEMALIGN(alignment, size);
  static_cast<Callbacks*>(user)->live += p != nullptr;
  return p;
}
void VKAPI_CALL Callbacks::free_block(void* user, void* p) {
  static_cast<Callbacks*>(user)->live -= p != nullptr;
  std::free(p);
}

long each_allocation(const char* what, const Callbacks& callbacks, const std::function<VkResult()>& call, long every, long step) {
  long count = 0;
  for (long n = 0;; n += n < every ? 1 : step) {
    const long live = callbacks.live;
    failure = Failure::none, left = n;
    const VkResult r = call();
    left = -1;
    EXPECT_EQ(callbacks.live, live) << what << ", allocation " << n;
    if (failure == Failure::none) {
      EXPECT_EQ(VK_SUCCESS, r) << what;
      testing::Test::RecordProperty(what, static_cast<int>(count));
      return count;
    }
    const bool of_device = failure == Failure::mapping && r == VK_ERROR_OUT_OF_DEVICE_MEMORY;
    EXPECT_TRUE(r == VK_ERROR_OUT_OF_HOST_MEMORY || r == VK_SUCCESS || of_device) << what << ", allocation " << n << ": " << r;
    if (testing::Test::HasFailure()) return count;
    ++count;
  }
}

}  // namespace vktest::oom

using vktest::oom::Failure;

extern "C" void* malloc(size_t size) { return vktest::oom::fails_for(__builtin_return_address(0)) ? nullptr : REAL_MALLOC(size); }
#ifdef __SANITIZE_ADDRESS__
// Sanitizers have an operator new that does not come to malloc(); run with ASAN_OPTIONS=alloc_dealloc_mismatch=0.
void* operator new(size_t size) {
  if (vktest::oom::fails_for(__builtin_return_address(0))) throw std::bad_alloc();
  return REAL_MALLOC(size);
}
void* operator new(size_t size, std::align_val_t alignment) {
  if (vktest::oom::fails_for(__builtin_return_address(0))) throw std::bad_alloc();
  return REAL_MEMALIGN(static_cast<size_t>(alignment), size);
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return vktest::oom::fails_for(__builtin_return_address(0)) ? nullptr : REAL_MALLOC(size);
}
#endif
extern "C" void* aligned_alloc(size_t alignment, size_t size) {
  return vktest::oom::fails_for(__builtin_return_address(0)) ? nullptr : REAL_MEMALIGN(alignment, size);
}
extern "C" int mprotect(void* at, size_t size, int how) noexcept {
  static auto* const real = vktest::oom::next(&mprotect, "mprotect");
  if (!vktest::oom::fails_for(__builtin_return_address(0), Failure::mapping)) return real(at, size, how);
  errno = ENOMEM;
  return -1;
}
extern "C" void* mmap(void* at, size_t size, int how, int flags, int fd, off_t offset) noexcept {
  static auto* const real = vktest::oom::next(&mmap, "mmap");
  // What takes pages back (PROT_NONE) takes no memory.
  if (how == PROT_NONE || !vktest::oom::fails_for(__builtin_return_address(0), Failure::mapping))
    return real(at, size, how, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with) noexcept {
  static auto* const real = vktest::oom::next(&pthread_create, "pthread_create");
  if (std::exchange(vktest::oom::no_thread, false)) {
    vktest::oom::failure = Failure::thread;
    return EAGAIN;
  }
  if (!vktest::oom::watches) return real(thread, attributes, run, with);
  return real(thread, attributes, vktest::oom::run_watched, new vktest::oom::Start{run, with});
}
