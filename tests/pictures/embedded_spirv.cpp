// SPDX-License-Identifier: MIT
#include "tests/pictures/embedded_spirv.h"

#include <cstring>

namespace embedded_spirv {
namespace {

constexpr uint32_t kMagic = 0x07230203, kOpEntryPoint = 15, kOpFunction = 54, kOpFunctionEnd = 56;

/// Length in words of the module at `words`: up to the last OpFunctionEnd that no OpFunction follows. 0 when it is none.
size_t module_length(std::span<const uint32_t> words) {
  if (words.size() < 5 || words[0] != kMagic || words[1] < 0x10000 || words[1] > 0x10600 || words[4] != 0) return 0;
  for (size_t at = 5; at < words.size();) {
    const uint32_t count = words[at] >> 16, op = words[at] & 0xFFFF;
    if (count == 0 || at + count > words.size()) return 0;
    at += count;
    if (op == kOpFunctionEnd && (at >= words.size() || (words[at] & 0xFFFF) != kOpFunction)) return at;
  }
  return 0;
}

}  // namespace

std::vector<Module> find_modules(std::span<const char> bytes) {
  std::vector<Module> modules;
  for (size_t at = 0; at + 20 <= bytes.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, 4);
    if (word != kMagic) continue;
    std::vector<uint32_t> words((bytes.size() - at) / 4);
    std::memcpy(words.data(), bytes.data() + at, words.size() * 4);
    const size_t length = module_length(words);
    if (length == 0) continue;
    words.resize(length);
    Module m;
    for (size_t i = 5; i < length; i += words[i] >> 16)
      if ((words[i] & 0xFFFF) == kOpEntryPoint) {
        m.execution_model = words[i + 1];
        break;
      }
    m.words = std::move(words);
    modules.push_back(std::move(m));
    at += length * 4 - 4;
  }
  return modules;
}

}  // namespace embedded_spirv
