// SPDX-License-Identifier: MIT
/// Pipeline cache data: the whole file with its digest set right, so that what is behind it is reached, and one program's bytes alone.
#include <algorithm>

#include "compiler/digest.h"
#include "icd/program_cache.h"

using namespace pumice;

namespace {

void one_input(const compiler::ChipLimits& chip, std::span<const uint8_t> input) {
  if (input[0] & 1) {
    static_cast<void>(compiler::read_program(input.subspan(1), chip));
    return;
  }
  std::vector<uint8_t> bytes(input.begin() + 1, input.end());
  icd::ProgramCache::Header header{};
  constexpr size_t kHead = 32 + 24, kFirst = kHead + 32;  // icd/program_cache.cpp
  if (bytes.size() >= 32) std::copy_n(bytes.begin(), 32, header.begin());
  if (bytes.size() >= kFirst) {
    // The length and the digest are right; the number of programs and everything in them is the fuzzer's.
    const uint64_t length = bytes.size() - kFirst;
    for (size_t i = 0; i < 8; ++i) bytes[48 + i] = static_cast<uint8_t>(length >> (8 * i));
    compiler::Hasher h;
    h.add(std::span<const uint8_t>(bytes).first(kHead));
    h.add(std::span<const uint8_t>(bytes).subspan(kFirst));
    const compiler::Digest d = h.finish();
    std::copy(d.begin(), d.end(), bytes.begin() + kHead);
  }
  icd::ProgramCache cache(chip);
  if (cache.load(header, bytes)) return;
  for (size_t at = kFirst; at + 36 <= bytes.size();) {
    icd::ProgramCache::Key key;
    std::copy_n(&bytes[at], key.size(), key.begin());
    static_cast<void>(cache.find(key));
    const uint32_t n = bytes[at + 32] | uint32_t{bytes[at + 33]} << 8 | uint32_t{bytes[at + 34]} << 16 | uint32_t{bytes[at + 35]} << 24;
    at += size_t{36} + n;
  }
  size_t out_size = 0;
  if (!cache.save(header, out_size, nullptr)) __builtin_trap();
  std::vector<uint8_t> out(out_size);
  if (!cache.save(header, out_size, out.data())) __builtin_trap();
  icd::ProgramCache again(chip);
  if (again.load(header, out)) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  for (const compiler::ChipLimits* chip : {&compiler::kR500, &compiler::kR5x}) one_input(*chip, {data, size});
  return 0;
}
