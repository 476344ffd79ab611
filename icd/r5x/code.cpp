// SPDX-License-Identifier: MIT
#include "icd/r5x/code.h"

#include <algorithm>
#include <cstring>

namespace pumice::icd::r5x {
namespace {

/// The first piece with room; 0 without one.
hw::GpuAddress cut(CodePieces& pieces, uint32_t bytes) {
  for (auto it = pieces.begin(); it != pieces.end(); ++it) {
    if (it->second < bytes) continue;
    const hw::GpuAddress at = it->first;
    const uint64_t rest = it->second - bytes;
    auto piece = pieces.extract(it);
    if (rest) {
      piece.key() = at + bytes;
      piece.mapped() = rest;
      pieces.insert(std::move(piece));
    }
    return at;
  }
  return 0;
}

}  // namespace

CodeRange::~CodeRange() {
  if (heap_) heap_->free(std::move(piece_));
}

CodeRange CodeHeap::load(const compiler::XProgram& p) {
  const uint32_t code = static_cast<uint32_t>(p.code.size() * sizeof p.code[0]), literals = (code + 15) / 16 * 16;
  const uint32_t bytes = static_cast<uint32_t>(literals + p.literals.size() * sizeof(p.literals[0]) + kUnit - 1) / kUnit * kUnit;
  CodeRange r;
  CodePieces one{{0, bytes}};
  std::lock_guard lock(mutex_);
  bool reused = false;
  r.address = cut(fresh_, bytes);
  if (!r.address) {
    r.address = cut(used_before_, bytes);
    reused = r.address != 0;
  }
  if (!r.address) {
    chunks_.reserve(chunks_.size() + 1);
    GpuRange chunk(heap_, std::max(bytes, kChunk));
    fresh_.emplace(chunk.address, chunk.size);
    chunks_.push_back(std::move(chunk));
    r.address = cut(fresh_, bytes);
  }
  r.heap_ = this;
  r.piece_ = one.extract(one.begin());
  r.piece_.key() = r.address;
  std::byte* host = heap_.host(r.address);
  if (!p.code.empty()) std::memcpy(host, p.code.data(), code);
  if (!p.literals.empty()) std::memcpy(host + literals, p.literals.data(), p.literals.size() * sizeof p.literals[0]);
  r.size = static_cast<uint32_t>(p.code.size()) | static_cast<uint32_t>(p.literals.size()) << 16;
  r.rsrc = (p.temps - 1) | p.scratch_bytes / 16 << 12;
  if (reused) reused_.store(true, std::memory_order_release);
  return r;
}

void CodeHeap::free(CodePieces::node_type piece) {
  std::lock_guard lock(mutex_);
  const hw::GpuAddress address = piece.key();
  uint64_t size = piece.mapped();
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
  piece.mapped() = size;
  used_before_.insert(std::move(piece));
}

}  // namespace pumice::icd::r5x
