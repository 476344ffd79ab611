// SPDX-License-Identifier: MIT
/// The Ultra64 RDP: the facade. Everything a user of the model in C++ needs; rdp_c.h is the same in C.
///
/// Commands come either from DP registers (write/read, as an emulated CPU would) or directly (enqueue). With one thread all
/// work is done before a call returns; with several, after sync or a sync_full command.
#pragma once
#include <functional>
#include <memory>
#include <span>

#include "hw/rdp/cmd.h"
#include "hw/rdp/ref/rdram.h"

namespace pumice::hw::rdp {

class Rdp {
 public:
  /// `rdram` must outlive the object; its size is cut to a multiple of 8. DMEM is 4 KiB and optional (XBUS lists).
  explicit Rdp(std::span<uint8_t> rdram, ByteOrder order = ByteOrder::big_endian, std::span<const uint8_t> dmem = {});

  /// SIMD by default; both leave the same memory.
  void set_execution(Execution e) { commands_.set_execution(e); }

  /// Threads to draw with; 0 and 1: only the caller's.
  void set_threads(unsigned n) { commands_.set_threads(n); }

  /// Callbacks for each pixel, made only while the reference draws on one thread. Null disables them.
  void watch(PixelWatcher* watcher) { commands_.watch(watcher); }

  /// Power-on state: registers, tile descriptors and TMEM zero. RDRAM and its hidden bits stay.
  void reset();

  /// DP registers by offset from 0x04100000. Writing DPC_END runs the list. Unknown offsets read 0 and take no writes.
  uint32_t read(uint32_t offset);
  void write(uint32_t offset, uint32_t value);

  /// Executes command words without registers. A command may be split over several calls.
  void enqueue(std::span<const uint64_t> words);

  /// Returns when everything enqueued is in memory.
  void sync() { commands_.sync(); }

  /// Raised by sync_full, when everything before it is in memory.
  void on_sync_full(std::function<void()> callback);
  /// Raised for a command that would hang the chip; the model drops the command and goes on.
  void on_fault(std::function<void(Fault, uint64_t first_word)> callback);

  /// Each word that a list has, before it is executed.
  void on_fetch(std::function<void(uint64_t word)> callback) { fetched_ = std::move(callback); }

  Rdram& rdram() { return ram_; }
  const State& state() const { return commands_.state(); }

 private:
  void fetch();

  Rdram ram_;
  ByteOrder order_;
  std::span<const uint8_t> dmem_;
  CommandProcessor commands_;
  uint32_t start_ = 0, end_ = 0, current_ = 0;
  bool start_pending_ = false, end_pending_ = false;
  DPC_STATUS status_;
  std::function<void(uint64_t)> fetched_;
};

}  // namespace pumice::hw::rdp
