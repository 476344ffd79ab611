// SPDX-License-Identifier: MIT
/// The dense register array of the chip with its access rules: what a write does is decided by the database (exists, read-only,
/// write-only), by aliases, and by hooks that blocks attach to their registers. Values live in ChipState.
///
/// Threads: one thread (the chip's) writes; any thread may read() at any time, so single values are stored atomically.
#pragma once
#include <atomic>
#include <bitset>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/zero_pages.h"
#include "hw/radeon/regfile/changes.h"
#include "hw/radeon/regfile/chip_state.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw {

class RegisterFile {
 public:
  /// Called after the value was stored: element number within the hooked registers, value.
  using Hook = std::function<void(uint32_t index, uint32_t value)>;
  /// Called for a write that hits no register or a read-only one, once per address until reset().
  using BadWrite = std::function<void(uint32_t offset, uint32_t value, const char* why)>;

  RegisterFile(ChipState& state, BadWrite bad_write);

  /// Attaches a hook to all elements of R. At most one hook per address.
  template <class R>
  void on_write(Hook hook) {
    attach(R::offset, R::count, R::count > 1 ? R::at(1) - R::offset : 4, std::move(hook));
  }
  void attach(uint32_t offset, uint32_t count, uint32_t stride, Hook hook);

  /// Reset values of the profile into the state; clears the record of reported bad addresses. `zeroed`: the state is known to be zero
  /// bytes, so that values that stay zero need not be written.
  void reset(bool zeroed = false);

  /// A write of the command stream or of the host: checks, stores, mirrors an alias, runs the hook.
  void write(uint32_t offset, uint32_t value);
  /// write() of a register without hooks and aliases that streams may write; false (nothing done) for all others.
  bool write_plain(uint32_t offset, uint32_t value) {
    const uint32_t dword = offset / 4;
    if (dword >= slots_.size() || !slots_[dword].direct) return false;
    if (state_.reg[dword] != value) {
      changes_.groups |= slots_[dword].groups;
      poke(offset, value);
    }
    return true;
  }
  /// The value the host reads: 0 for write-only registers and where there is no register.
  uint32_t read(uint32_t offset) const;

  /// The dirty state set by write() and the upload ports. Cleared by the owner of the derived state.
  Changes& changes() { return changes_; }

  /// Whether the profile has neither a register nor an instruction window there.
  bool is_absent(uint32_t offset) const;

  /// Sets a value, bypassing rules and hooks: for the block that owns the register. Release, as read() acquires: a host that sees the
  /// read pointer move may reuse that part of the ring.
  void poke(uint32_t offset, uint32_t value) { std::atomic_ref<uint32_t>(state_.reg[offset / 4]).store(value, std::memory_order_release); }
  template <class R>
  void poke(R value, uint32_t i = 0) {
    poke(R::at(i), value.raw);
  }

 private:
  enum Rule : uint8_t { absent, plain, read_only };
  /// Zero bytes are an absent register. Small, because page faults are most of the cost of creating a chip at process start.
  struct Slot {
    Rule rule : 4;
    bool readable : 1;
    bool direct : 1;   ///< write() only stores
    bool aliased : 1;  ///< another register mirrors this one
    uint8_t groups;    ///< that the register is in
    uint16_t hook;     ///< number + 1 in hooks_
  };
  struct Attached {
    uint32_t offset, count, stride;
    Hook call;
  };
  static void run_hook(uint32_t offset, uint32_t value, const Attached& hook) { hook.call((offset - hook.offset) / hook.stride, value); }
  /// The hook of the instruction window at `offset`, or null.
  const Attached* window(uint32_t offset) const;

  ChipState& state_;
  const decode::Tables& tables_;
  BadWrite bad_write_;
  Changes changes_;
  ZeroPages<Slot> slots_;
  std::vector<Attached> hooks_;
  std::bitset<kRegisterSpace / 4> named_;
};

}  // namespace pumice::hw
