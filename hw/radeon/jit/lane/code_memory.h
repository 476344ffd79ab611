// SPDX-License-Identifier: MIT
/// Memory for routines: pages that are mapped twice, to be written at one address and executed at the other, so that no page is writable
/// and executable at one address and a routine costs no system call.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>

namespace pumice::hw::fast::lane {

/// Of one executor; routines keep it alive. Thread-safe.
class CodeMemory {
 public:
  CodeMemory();
  ~CodeMemory();
  struct Place {
    void* run = nullptr;  ///< null: none can be had
    void* write = nullptr;
  };
  /// `size` bytes, aligned to a cache line.
  Place allocate(size_t size);
  /// What allocate() returned as `run`.
  void release(void* run);

 private:
  struct Impl;
  std::once_flag used_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pumice::hw::fast::lane
