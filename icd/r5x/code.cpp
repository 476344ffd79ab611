// SPDX-License-Identifier: MIT
#include "icd/r5x/code.h"

#include <algorithm>
#include <cstring>

namespace pumice::icd::r5x {
namespace {

/// The first piece with room; 0 without one.
hw::GpuAddress cut(std::map<hw::GpuAddress, uint64_t>& pieces, uint32_t bytes) {
  for (auto it = pieces.begin(); it != pieces.end(); ++it) {
    if (it->second < bytes) continue;
    const hw::GpuAddress at = it->first;
    const uint64_t rest = it->second - bytes;
    pieces.erase(it);
    if (rest) pieces[at + bytes] = rest;
    return at;
  }
  return 0;
}

}  // namespace

CodeRange::~CodeRange() {
  if (heap_) heap_->free(address, bytes_);
}

CodeRange CodeHeap::load(const compiler::XProgram& p) {
  const uint32_t code = static_cast<uint32_t>(p.code.size() * sizeof p.code[0]), literals = (code + 15) / 16 * 16;
  const uint32_t bytes = static_cast<uint32_t>(literals + p.literals.size() * sizeof(p.literals[0]) + kUnit - 1) / kUnit * kUnit;
  CodeRange r;
  r.bytes_ = bytes;
  std::lock_guard lock(mutex_);
  bool reused = false;
  r.address = cut(fresh_, bytes);
  if (!r.address) {
    r.address = cut(used_before_, bytes);
    reused = r.address != 0;
  }
  if (!r.address) {
    chunks_.emplace_back(heap_, std::max(bytes, kChunk));
    fresh_[chunks_.back().address] = chunks_.back().size;
    r.address = cut(fresh_, bytes);
  }
  r.heap_ = this;
  std::byte* host = heap_.host(r.address);
  if (!p.code.empty()) std::memcpy(host, p.code.data(), code);
  if (!p.literals.empty()) std::memcpy(host + literals, p.literals.data(), p.literals.size() * sizeof p.literals[0]);
  r.size = static_cast<uint32_t>(p.code.size()) | static_cast<uint32_t>(p.literals.size()) << 16;
  r.rsrc = (p.temps - 1) | p.scratch_bytes / 16 << 12;
  if (reused) reused_.store(true, std::memory_order_release);
  return r;
}

void CodeHeap::free(hw::GpuAddress address, uint32_t bytes) {
  std::lock_guard lock(mutex_);
  uint64_t size = bytes;
  auto next = used_before_.lower_bound(address);
  if (next != used_before_.end() && next->first == address + size) {
    size += next->second;
    next = used_before_.erase(next);
  }
  if (next != used_before_.begin())
    if (auto before = std::prev(next); before->first + before->second == address) {
      before->second += size;
      return;
    }
  used_before_[address] = size;
}

}  // namespace pumice::icd::r5x
