// SPDX-License-Identifier: MIT
/// An RDP on a card: the facade for a driver. What a driver of the console has, and no more: RDRAM and DMEM that both sides see, the DP's
/// registers, the DP interrupt; and two blocks that stand for the RSP's DMA engine and the video interface (hw/db/regs/rdp_card.xml).
/// Offsets are those of rdp_commands.h (DPC_*, from 0x00) and rdp_card_registers.h (DMA_*, SCAN_*, from 0x40).
///
/// A write that starts something returns when it is done; with more than one thread, drawing may go on until Sync Full or until a
/// block reads or writes RDRAM. Not thread safe, but for cpu_wrote on memory that nothing else is at work on.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "hw/db/rdp_card_registers.h"
#include "hw/db/rdp_commands.h"

namespace pumice::hw::rdp {

struct CardConfig {
  uint32_t rdram_size = 8u << 20;  ///< a multiple of 8, at most 16 MiB
  unsigned threads = 1;            ///< that draw; the memory does not depend on it
  bool reference = false;          ///< the scalar reference draws
  std::function<void()> on_interrupt;
  /// What would hang the chip, in words. The command was dropped.
  std::function<void(const std::string&)> on_hang;
  /// File to record into (recorder.h); empty: none.
  std::string trace;
  uint64_t trace_limit = 0;  ///< bytes; 0: none
  /// What is wrong with the recording, in words.
  std::function<void(const std::string&)> on_trace;
};

class Card {
 public:
  static constexpr uint32_t kMaxRdram = 16u << 20, kDmemBytes = 4096;

  /// Null if the size is wrong; throws bad_alloc. RDRAM, DMEM and hidden bits are zero.
  static std::unique_ptr<Card> create(const CardConfig& config);
  virtual ~Card() = default;

  /// Big-endian: byte n of RDRAM is byte n here.
  virtual std::span<std::byte> rdram() = 0;
  virtual std::span<std::byte> dmem() = 0;

  virtual uint32_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint32_t value) = 0;

  /// What a list says, for people.
  virtual std::string listing(uint32_t address, uint32_t bytes) = 0;

  /// The memory controller sees the CPU write: hidden bits follow bit 0 of each halfword.
  virtual void cpu_wrote(uint32_t address, uint32_t length) = 0;
};

}  // namespace pumice::hw::rdp
