// SPDX-License-Identifier: MIT
/// Reads a trace file record by record and believes nothing of it: every length is checked, every block has its digest.
#pragma once
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/radeon/trace/format.h"
#include "hw/types.h"

namespace pumice::hw::trace {

struct Record {
  Kind kind = Kind::close;
  uint32_t bytes = 0;               ///< of the payload
  std::span<const uint32_t> words;  ///< the payload, the last word padded with anything; valid until the next advance()
  const std::byte* data(size_t from) const { return reinterpret_cast<const std::byte*>(words.data()) + from; }
};

class Reader {
 public:
  /// Null with the reason when this is no trace this program can read.
  static std::unique_ptr<Reader> open(const std::string& path, std::string& error);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  Profile profile() const { return *profile_; }
  uint64_t instruction_limit() const { return header_.instruction_limit; }

  /// The record at hand; null when there are no more, be it for damage(). Its payload has at least the words its kind needs.
  const Record* peek();
  void advance() { have_ = false; }
  /// Why reading stopped before the end of the file; empty when it did not. A file that just stops (a block is not complete) is no damage
  /// but truncated().
  const std::string& damage() const { return damage_; }
  bool truncated() const { return truncated_; }
  /// The block at hand, for messages.
  std::string where() const { return "block " + std::to_string(block_); }
  /// How much of the file has been read, 0 to 1.
  double progress() const { return file_bytes_ ? static_cast<double>(read_bytes_) / static_cast<double>(file_bytes_) : 1.0; }

 private:
  Reader() = default;
  bool load_block();
  bool fail(const std::string& why);

  std::FILE* file_ = nullptr;
  Header header_{};
  std::optional<Profile> profile_;  ///< what open() gives has one
  std::vector<uint32_t> raw_;
  std::vector<std::byte> stored_;
  size_t raw_bytes_ = 0, at_ = 0;
  uint64_t block_ = 0, file_bytes_ = 0, read_bytes_ = 0;
  Record record_;
  bool have_ = false, truncated_ = false, ended_ = false;
  std::string damage_;
};

}  // namespace pumice::hw::trace
