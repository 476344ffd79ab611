// SPDX-License-Identifier: MIT
/// A recorded chip and its replay.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "hw/radeon/trace/player.h"
#include "tests/hw/chip/chip.h"

namespace pumice::hw::trace::test {

using hw::test::Chip;
using hw::test::Packets;

/// A file name of this test's own; the file goes when it goes.
class File {
 public:
  File() {
    std::string pattern = ::testing::TempDir() + "pumice-trace-XXXXXX";
    const int fd = mkstemp(pattern.data());
    EXPECT_GE(fd, 0);
    close(fd);
    path_ = pattern;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  const std::string& path() const { return path_; }

  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> out;
    std::FILE* f = std::fopen(path_.c_str(), "rb");
    for (int c; (c = std::fgetc(f)) != EOF;) out.push_back(static_cast<unsigned char>(c));
    std::fclose(f);
    return out;
  }
  void set(const std::vector<unsigned char>& bytes) const {
    std::FILE* f = std::fopen(path_.c_str(), "wb");
    if (!bytes.empty()) std::fwrite(bytes.data(), 1, bytes.size(), f);
    std::fclose(f);
  }

 private:
  std::string path_;
};

inline GpuConfig recording(const File& file) {
  GpuConfig config{Profile::r500};
  config.instruction_limit = 1u << 20;
  config.threads = 2;
  config.trace = file.path();
  return config;
}

/// Plays the file; `look` sees the memory afterwards.
inline Player::Result play(const File& file, const std::function<void(Memory&)>& look = {}, const Execution& config = {}) {
  std::string error;
  auto reader = Reader::open(file.path(), error);
  if (!reader) return {.ok = false, .error = error};
  Watcher watcher;
  auto player = Player::create(std::move(reader), config, watcher);
  Player::Result r = player->play();
  if (look) look(player->memory());
  return r;
}

/// A replay that finds nothing to complain of.
inline void expect_same(const File& file, const std::function<void(Memory&)>& look = {}) {
  const Player::Result r = play(file, look);
  EXPECT_TRUE(r.ok) << r.error;
  EXPECT_EQ(r.remark, "");
  EXPECT_FALSE(r.differs) << "step " << r.differs->number;
}

}  // namespace pumice::hw::trace::test
