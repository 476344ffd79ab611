// SPDX-License-Identifier: MIT
/// Writes a trace file: records gather in a block, blocks are compressed and appended. What cannot be written ends the recording, nothing
/// else; the file then ends with its last whole block.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw/radeon/trace/format.h"
#include "hw/types.h"

namespace pumice::hw::trace {

class Writer {
 public:
  /// `path`, or path.1, path.2, .. when another recording that still runs holds that name; `first` is the first number to try. Null with
  /// the reason in `error`. limit: bytes of the file, 0 for none.
  static std::unique_ptr<Writer> create(const std::string& path, uint32_t first, uint64_t limit, Profile profile,
                                        uint64_t instruction_limit, std::string& error);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// False when the recording has ended: error() says why.
  bool record(Kind kind, std::span<const uint32_t> numbers, std::span<const std::byte> bytes = {});
  /// Everything recorded so far goes into the file.
  bool flush();
  /// Ends the file in order.
  void close();

  bool open() const { return fd_ >= 0; }
  const std::string& error() const { return error_; }
  const std::string& path() const { return path_; }

  /// Ends the file after its last whole block; error() says why. Returns false.
  bool fail(const std::string& why);

 private:
  Writer() = default;
  bool append(const void* data, size_t size);

  struct Compressor;
  std::unique_ptr<Compressor> compressor_;
  int fd_ = -1;
  int owner_ = 0;  ///< process: after fork() the child has the file too, but not the chip
  uint64_t size_ = 0, limit_ = 0;
  std::string path_, error_;
  std::vector<std::byte> raw_, stored_;
};

}  // namespace pumice::hw::trace
