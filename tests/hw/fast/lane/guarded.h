// SPDX-License-Identifier: MIT
/// Memory that ends where nothing may be read.
#pragma once
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace pumice::hw::fast::lane {

/// Pages with nothing behind them.
class Guarded {
 public:
  explicit Guarded(size_t pages) : page_(size_t(sysconf(_SC_PAGESIZE))), length_((pages + 1) * page_) {
    memory_ = static_cast<uint8_t*>(mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    EXPECT_NE(memory_, MAP_FAILED);
    EXPECT_EQ(mprotect(memory_ + pages * page_, page_, PROT_NONE), 0);
  }
  ~Guarded() { munmap(memory_, length_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  /// So many bytes, up to the dword before the end.
  uint8_t* last(size_t size) const { return memory_ + length_ - page_ - (size + 3) / 4 * 4; }

 private:
  size_t page_, length_;
  uint8_t* memory_;
};

}  // namespace pumice::hw::fast::lane
