// SPDX-License-Identifier: MIT
/// RDP lists: whatever the words, nothing breaks, and SIMD leaves the same memory as the reference. The input is 64-bit words, big-endian.
#include <cstring>

#include "hw/rdp/listing.h"
#include "hw/rdp/rdp.h"

using namespace pumice::hw::rdp;

namespace {
constexpr size_t kMemory = 1 << 16, kMostWords = 96;  // a list of full screens takes long on the reference

struct Run {
  std::vector<uint8_t> memory;
  Rdp rdp;
  Run(const std::vector<uint8_t>& begin, const std::vector<uint64_t>& words, Execution execution) : memory(begin), rdp(memory) {
    rdp.set_execution(execution);
    rdp.enqueue(words);
    rdp.sync();
  }
};
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<uint8_t> memory = [] {
    std::vector<uint8_t> m(kMemory);
    for (size_t i = 0; i < m.size(); ++i) m[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
    return m;
  }();
  // A scissor and an image to begin with, which the input may replace.
  std::vector<uint64_t> words{0x2D00000000080080ull, 0x3F10001F00001000ull, 0x3E00000000004000ull, 0x3D10001F00008000ull};
  for (size_t i = 0; i + 8 <= size && words.size() < kMostWords; i += 8) {
    uint64_t w = 0;
    for (size_t k = 0; k < 8; ++k) w = w << 8 | data[i + k];
    words.push_back(w);
  }
  static_cast<void>(list_commands(words));
  static_cast<void>(check_commands(words));
  Run reference(memory, words, Execution::reference), simd(memory, words, Execution::simd);
  if (reference.memory != simd.memory) __builtin_trap();
  for (uint32_t i = 0; i < kMemory / 2; ++i)
    if (reference.rdp.rdram().hidden(i) != simd.rdp.rdram().hidden(i)) __builtin_trap();
  return 0;
}
