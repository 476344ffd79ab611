// SPDX-License-Identifier: MIT
/// Facade: DP registers and command fetch (docs/reference/rdp.md section 3).
#include "hw/rdp/rdp.h"

namespace pumice::hw::rdp {

Rdp::Rdp(std::span<uint8_t> rdram, ByteOrder order, std::span<const uint8_t> dmem)
    : ram_(rdram, order), order_(order), dmem_(dmem), commands_(ram_) {
  reset();
}

void Rdp::reset() {
  commands_.reset();
  start_ = end_ = current_ = 0;
  start_pending_ = end_pending_ = false;
  status_ = {};
  status_.CBUF_READY(1);
}

void Rdp::on_sync_full(std::function<void()> callback) { commands_.on_sync_full = std::move(callback); }
void Rdp::on_fault(std::function<void(Fault, uint64_t)> callback) { commands_.on_fault = std::move(callback); }

void Rdp::enqueue(std::span<const uint64_t> words) { commands_.push(words); }

/// The model finishes all work at once: counters stand still and nothing is ever busy (UNCONFIRMED, never matters for pixels).
uint32_t Rdp::read(uint32_t offset) {
  switch (offset) {
    case DPC_START::offset: return start_;
    case DPC_END::offset: return end_;
    case DPC_CURRENT::offset: return current_;
    case DPC_STATUS::offset: {
      DPC_STATUS s = status_;
      s.START_PENDING(start_pending_).END_PENDING(end_pending_);
      return s.raw;
    }
    default: return 0;
  }
}

void Rdp::write(uint32_t offset, uint32_t value) {
  switch (offset) {
    case DPC_START::offset:
      if (start_pending_) return;
      start_ = value & 0xFFFFF8;
      start_pending_ = true;
      return;
    case DPC_END::offset:
      end_ = value & 0xFFFFF8;
      if (start_pending_) {
        current_ = start_;
        start_pending_ = false;
      }
      end_pending_ = true;
      return fetch();
    case DPC_STATUS_W::offset: {
      DPC_STATUS_W w;
      w.raw = value;
      if (w.CLR_XBUS()) status_.XBUS(0);
      if (w.SET_XBUS()) status_.XBUS(1);
      if (w.SET_FREEZE()) status_.FREEZE(1);
      if (w.CLR_FLUSH()) status_.FLUSH(0);
      if (w.SET_FLUSH()) status_.FLUSH(1);
      if (w.CLR_FREEZE()) {
        status_.FREEZE(0);
        fetch();
      }
      return;
    }
    default: return;
  }
}

void Rdp::fetch() {
  if (status_.FREEZE() || !end_pending_) return;
  end_pending_ = false;
  while (current_ < end_) {
    uint64_t word = 0;
    if (!status_.XBUS()) {
      word = ram_.read64(current_);
    } else {
      const uint32_t swap = order_ == ByteOrder::host_words ? 3 : 0;
      for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t a = ((current_ + i) & 0xFFF) ^ swap;
        word = word << 8 | (a < dmem_.size() ? dmem_[a] : 0);
      }
    }
    current_ += 8;
    if (fetched_) fetched_(word);
    commands_.push({&word, 1});
  }
}

}  // namespace pumice::hw::rdp
