// SPDX-License-Identifier: MIT
/// See recorder.h. Numbers of the file are little-endian, memory is in host words (byte n of RDRAM at n ^ 3); the reader is
/// tools/script.cpp.
#include "hw/rdp/recorder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hw/rdp/cmd.h"

namespace pumice::hw::rdp {

namespace {

/// Records of RDPDUMP2.
enum : uint32_t { kMemory = 1, kCommand = 2, kFrame = 4, kEnd = 6, kMemoryDone = 7, kHidden = 8, kHiddenDone = 9 };
/// Bytes, and halfwords, that are written as a whole.
constexpr uint32_t kUnit = 64, kHiddenUnit = 4;

/// f(begin, end) for each run of units in which a and b differ.
template <class F>
void each_difference(const uint8_t* a, const uint8_t* b, uint32_t size, uint32_t unit, F f) {
  for (uint32_t at = 0; at < size;) {
    const auto differs = [&](uint32_t i) { return std::memcmp(a + i, b + i, std::min(unit, size - i)) != 0; };
    if (!differs(at)) {
      at += unit;
      continue;
    }
    const uint32_t begin = at;
    while (at < size && differs(at)) at += unit;
    f(begin, std::min(at, size));
  }
}

}  // namespace

std::unique_ptr<Recorder> Recorder::open(const std::string& path, uint64_t limit, Rdram& ram) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  return file ? std::unique_ptr<Recorder>(new Recorder(file, limit, ram)) : nullptr;
}

Recorder::Recorder(std::FILE* file, uint64_t limit, Rdram& ram)
    : file_(file), limit_(limit), ram_(ram), shadow_(ram.size()), shadow_hidden_(ram.size() / 2) {
  for (const char c : std::string("RDPDUMP2")) out_.push_back(uint8_t(c));
  number(ram.size());
  number(ram.size() / 2);
  flush();
}

void Recorder::number(uint32_t v) {
  for (uint32_t i = 0; i < 4; ++i) out_.push_back(uint8_t(v >> 8 * i));
}

void Recorder::bytes(uint32_t address, uint32_t size) {
  number(kMemory), number(address), number(size);
  const uint32_t swap = ram_.host_words() ? 0 : 3;
  for (uint32_t i = 0; i < size; ++i) out_.push_back(ram_.data()[address + (i ^ swap)]);
  number(kMemoryDone);
  // The player gives them the hidden bits that a CPU's writes get.
  std::copy_n(ram_.data() + address, size, shadow_.begin() + address);
  for (uint32_t i = address / 2; i < (address + size) / 2; ++i) shadow_hidden_[i] = ram_.read16(i) & 1 ? 3 : 0;
}

void Recorder::hidden(uint32_t halfword, uint32_t count) {
  number(kHidden), number(halfword), number(count);
  for (uint32_t i = halfword; i < halfword + count; ++i) out_.push_back(shadow_hidden_[i] = uint8_t(ram_.hidden(i)));
  number(kHiddenDone);
}

void Recorder::memory() {
  if (!file_) return;
  each_difference(ram_.data(), shadow_.data(), ram_.size(), kUnit, [&](uint32_t begin, uint32_t end) { bytes(begin, end - begin); });
  each_difference(ram_.hidden_data(), shadow_hidden_.data(), ram_.size() / 2, kHiddenUnit,
                  [&](uint32_t begin, uint32_t end) { hidden(begin, end - begin); });
}

void Recorder::word(uint64_t word) {
  if (!file_) return;
  command_.push_back(word);
  if (command_.size() < command_words(command_[0])) return;
  number(kCommand), number(uint32_t(command_[0] >> 56 & 0x3F)), number(uint32_t(2 * command_.size()));
  for (const uint64_t w : command_) number(uint32_t(w >> 32)), number(uint32_t(w));
  command_.clear();
}

void Recorder::done() {
  if (!file_) return;
  std::copy_n(ram_.data(), ram_.size(), shadow_.begin());
  std::copy_n(ram_.hidden_data(), shadow_hidden_.size(), shadow_hidden_.begin());
  flush();
}

void Recorder::frame() {
  if (!file_) return;
  number(kFrame);
  flush();
}

void Recorder::flush() {
  const size_t size = out_.size();
  if (limit_ && written_ + size + 4 > limit_) {
    problem_ = "the recording has reached its limit and ends";
    file_.reset();
    return;
  }
  number(kEnd);
  const bool good = std::fseek(file_.get(), long(written_), SEEK_SET) == 0 &&
                    std::fwrite(out_.data(), 1, out_.size(), file_.get()) == out_.size() && std::fflush(file_.get()) == 0;
  written_ += size;
  out_.clear();
  if (good) return;
  problem_ = std::string("the recording ends: ") + std::strerror(errno);
  file_.reset();
}

std::string Recorder::take_problem() { return std::exchange(problem_, {}); }

}  // namespace pumice::hw::rdp
