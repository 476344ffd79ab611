// SPDX-License-Identifier: MIT
/// Anonymous memory with a file descriptor, which other processes can map: an X server, a Wayland compositor.
#pragma once
#include <cstdint>
#include <utility>

namespace pumice::winsys {

class SharedFile {
 public:
  SharedFile() = default;
  /// `bytes` zeros; it can neither grow nor shrink, so that nothing that maps it faults. ok() is false when the host has none.
  explicit SharedFile(uint64_t bytes);
  ~SharedFile();
  SharedFile(SharedFile&& o) noexcept : fd_(std::exchange(o.fd_, -1)), bytes_(std::exchange(o.bytes_, 0)) {}
  SharedFile& operator=(SharedFile&& o) noexcept {
    std::swap(fd_, o.fd_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }

  bool ok() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  uint64_t bytes() const { return bytes_; }
  /// A descriptor of the caller's own; -1 when there are no more.
  int duplicate() const;

 private:
  int fd_ = -1;
  uint64_t bytes_ = 0;
};

/// A file's memory in this process.
class SharedMapping {
 public:
  SharedMapping() = default;
  /// data() is null when it cannot be mapped.
  explicit SharedMapping(const SharedFile& file);
  ~SharedMapping();
  SharedMapping(SharedMapping&& o) noexcept : data_(std::exchange(o.data_, nullptr)), bytes_(std::exchange(o.bytes_, 0)) {}
  SharedMapping& operator=(SharedMapping&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  uint8_t* data() const { return data_; }

 private:
  uint8_t* data_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace pumice::winsys
