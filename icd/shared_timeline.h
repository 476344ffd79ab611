// SPDX-License-Identifier: MIT
/// The value of a timeline semaphore that other devices or processes may hold (VK_KHR_external_semaphore_fd): a page of shared memory with
/// the value and a futex.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "icd/external.h"

namespace pumice::icd {

class SharedTimeline {
 public:
  /// A new one; null when the host has no descriptor or memory left.
  static std::shared_ptr<const SharedTimeline> create(uint64_t value);
  /// That of a descriptor, which is owned by the result. Null, and the descriptor stays the caller's, if it is not one of create().
  static std::shared_ptr<const SharedTimeline> import(int fd);
  ~SharedTimeline();
  SharedTimeline(const SharedTimeline&) = delete;
  SharedTimeline& operator=(const SharedTimeline&) = delete;

  int duplicate() const { return file_.duplicate(); }
  uint64_t value() const;
  /// Raises the value to n and wakes all waiters, in every process.
  void reach(uint64_t n) const;
  /// Waits until the value is at least n; false: it was not within `patience`.
  bool wait(uint64_t n, std::chrono::milliseconds patience) const;

 private:
  struct Page;
  SharedTimeline(FileDescriptor file, Page* page) : file_(std::move(file)), page_(page) {}
  static Page* map(int fd);

  FileDescriptor file_;
  Page* page_;
};

}  // namespace pumice::icd
