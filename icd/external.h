// SPDX-License-Identifier: MIT
/// What is shared with other devices and processes by file descriptor (VK_KHR_external_memory_fd, VK_KHR_external_semaphore_fd,
/// VK_KHR_external_fence_fd). Opaque ones: memory is a file of pages that both map, a fence or binary semaphore an eventfd, a timeline
/// semaphore a page (shared_timeline.h). Sync files (SYNC_FD) are the kernel's: those of others are waited for by poll(). Own ones
/// are eventfds that the queue signals and that stay signalled (docs/decisions.md, 48).
#pragma once
#include <chrono>
#include <cstdint>
#include <utility>

#include "icd/object.h"

namespace pumice::icd {

/// A descriptor that is closed when it goes.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& o) noexcept {
    std::swap(fd_, o.fd_);
    return *this;
  }
  ~FileDescriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// A second one for the same file, or -1.
  int duplicate() const;
  /// No longer this object's to close.
  void release() { fd_ = -1; }

 private:
  int fd_ = -1;
};

/// A file of zeros in memory; empty when the host has none left.
FileDescriptor make_memory_file(uint64_t bytes);
/// Bytes of a file, or 0.
uint64_t file_bytes(int fd);

/// The state of a fence or binary semaphore that others may hold: signalled or not. Of a sync file: others signal it, once and for ever.
class SharedSignal {
 public:
  enum class Kind { own, sync_file };
  /// A new one, not signalled. Check ok().
  SharedSignal();
  /// Of a descriptor; a sync file that is none is signalled.
  explicit SharedSignal(FileDescriptor fd, Kind kind = Kind::own) : fd_(std::move(fd)), kind_(kind) {}
  bool ok() const { return bool(fd_); }
  Kind kind() const { return kind_; }
  int duplicate() const { return fd_.duplicate(); }
  void signal() const;
  /// Whether it is signalled within that time.
  bool wait(std::chrono::milliseconds patience) const;
  bool is_set() const { return wait(std::chrono::milliseconds(0)); }
  /// wait(), then clear().
  bool take(std::chrono::milliseconds patience) const;
  /// Takes the signal, if there is one.
  bool clear() const;

 private:
  FileDescriptor fd_;
  Kind kind_ = Kind::own;
};
/// Whether the descriptor is one that the default constructor made.
bool is_signal(int fd);
/// That of a SYNC_FD import: the kernel's sync file, or an eventfd, which a producer without a kernel driver may have instead, or -1.
bool is_sync_file(int fd);

/// A descriptor for the application; -1 is reported.
VkResult give(const Object* object, const char* function, int fd, int* out);

}  // namespace pumice::icd
