// SPDX-License-Identifier: MIT
/// PM4: the input is the words of a ring (dwords, little-endian), and the same words lie in memory where indirect buffers, vertices,
/// textures and targets are looked for. First byte: bit 0 the fast executor instead of the reference, bit 1 the r300.
#include <atomic>
#include <cstring>

#include "hw/radeon/cp/dump.h"
#include "hw/radeon/cp/executor.h"
#include "hw/radeon/fast/make.h"
#include "hw/radeon/gpu.h"

using namespace pumice::hw;

namespace {
constexpr GpuAddress kMemory = 0x100000;
constexpr uint64_t kSize = 0x80000;
constexpr size_t kMostWords = 4096;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5) return 0;
  GpuConfig config(data[0] & 2 ? Profile::r300 : data[0] & 4 ? Profile::r5x : Profile::r500);
  config.executor = data[0] & 1 ? ExecutorKind::fast : ExecutorKind::ref;
  config.threads = 1;
  config.instruction_limit = 20000;
  config.on_report = [](const Report&) {};
  std::vector<uint32_t> words(std::min<size_t>((size - 1) / 4, kMostWords));
  std::memcpy(words.data(), data + 1, words.size() * 4);
  const auto memory = Memory::create();
  if (!memory || !memory->map(kMemory, kSize)) __builtin_trap();
  for (uint64_t at = 0; at + words.size() * 4 <= kSize; at += 0x10000)
    memory->write(static_cast<GpuAddress>(kMemory + at), words.data(), words.size() * 4);
  Team team(config.threads);
  const auto draws = make_executor(config, *memory, team);
  std::atomic<bool> stopping = false;
  Executor executor(config, *memory, *draws, team, {&stopping, [&] { stopping = true; }});  // nothing ends a wait here
  static_cast<void>(dump_stream(config.profile, words));
  for (size_t at = 0; at < words.size() && !executor.stopped();) {
    const uint32_t length = packet_dwords(words[at]);
    if (length == 0 || length > words.size() - at) break;
    const uint32_t skip =
        executor.execute({Stream::ring, 0, static_cast<uint32_t>(at), words[at], 0}, std::span(words).subspan(at, length));
    at += size_t{length} + skip;
  }
  executor.finish();
  return 0;
}
