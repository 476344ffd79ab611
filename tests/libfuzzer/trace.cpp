// SPDX-License-Identifier: MIT
/// Recordings. First byte: bit 0 the bytes are the file; else they are records, and header, blocks and digests around them are right. Bit 1
/// the fast executor.
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <cstddef>

#include "hw/radeon/trace/player.h"

using namespace pumice::hw;
using namespace pumice::hw::trace;

namespace {

void put(int fd, const void* data, size_t size) {
  if (::write(fd, data, size) != static_cast<ssize_t>(size)) __builtin_trap();
}

void write_file(int fd, const uint8_t* records, size_t size) {
  Header h{};
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.version = kVersion;
  h.bytes = sizeof h;
  h.profile = 5;
  h.page = 4096;
  h.instruction_limit = 20000;
  h.digest = digest_of(&h, offsetof(Header, digest));
  put(fd, &h, sizeof h);
  size = size / 4 * 4;
  if (!size) return;
  std::vector<uint8_t> stored(ZSTD_compressBound(size));
  stored.resize(ZSTD_compress(stored.data(), stored.size(), records, size, 1));
  const BlockHead block{kBlockMagic, static_cast<uint32_t>(size), static_cast<uint32_t>(stored.size()), 0, digest_of(records, size)};
  put(fd, &block, sizeof block);
  put(fd, stored.data(), stored.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1 || size > 1 << 20) return 0;
  static const int fd = memfd_create("trace", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  if (::ftruncate(fd, 0) || ::lseek(fd, 0, SEEK_SET)) __builtin_trap();
  if (data[0] & 1)
    put(fd, data + 1, size - 1);
  else
    write_file(fd, data + 1, size - 1);
  std::string error;
  auto reader = Reader::open(path, error);
  if (!reader) {
    if (error.empty()) __builtin_trap();
    return 0;
  }
  if (reader->instruction_limit() > 1 << 20) return 0;  // legal, and takes as long as it says
  Execution config;
  config.threads = 1;
  config.executor = data[0] & 2 ? ExecutorKind::fast : ExecutorKind::ref;
  config.on_report = [](const Report&) {};
  Watcher watcher;
  const auto player = Player::create(std::move(reader), config, watcher);
  if (player) static_cast<void>(player->play());
  return 0;
}
