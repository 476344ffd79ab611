// SPDX-License-Identifier: MIT
/// What is shared with other devices and processes by file descriptor (VK_KHR_external_memory_fd, VK_KHR_external_semaphore_fd), opaque
/// ones only: memory is a file of pages that both map, a binary semaphore an eventfd, a timeline semaphore a page (shared_timeline.h).
#pragma once
#include <chrono>
#include <cstdint>
#include <utility>

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

/// The state of a binary semaphore that others may hold: signalled or not.
class SharedSignal {
 public:
  /// A new one, not signalled. Check ok().
  SharedSignal();
  explicit SharedSignal(FileDescriptor fd) : fd_(std::move(fd)) {}
  bool ok() const { return bool(fd_); }
  int duplicate() const { return fd_.duplicate(); }
  void signal() const;
  /// Takes the signal; false: there was none for so long.
  bool take(std::chrono::milliseconds patience) const;

 private:
  FileDescriptor fd_;
};
/// Whether the descriptor is one of those.
bool is_signal(int fd);

}  // namespace pumice::icd
