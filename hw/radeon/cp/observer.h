// SPDX-License-Identifier: MIT
/// The interface for observing a chip, packet by packet and range by range: the recorder and the player of traces (hw/radeon/trace,
/// docs/trace.md). A chip has one observer or none; all calls but reset() come from the thread that executes packets.
///
/// A step is one unit of work for the host: a packet of the ring with everything it starts, or a register write by the host. A register
/// step may be nested in a packet that waits (WAIT_MEM). At the end of a step nothing is queued.
#pragma once
#include <cstdint>
#include <span>

#include "hw/radeon/cp/reporter.h"
#include "hw/radeon/footprint/rows.h"

namespace pumice::hw {

struct DrawContext;
struct DrawInput;
struct Blit;
struct Rect;

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin_packet(const Where&, std::span<const uint32_t> /*packet*/) {}
  virtual void begin_register(uint32_t /*offset*/, uint32_t /*value*/) {}
  /// stopped: by a lockup or a reset; the contents of memory that the step was to write are undefined.
  virtual void end_step(bool /*stopped*/) {}
  /// Every packet, also those of indirect buffers, before it is executed.
  virtual void packet(const Where&, std::span<const uint32_t> /*packet*/) {}
  /// A type 3 NOP with its payload.
  virtual void label(std::span<const uint32_t> /*payload*/) {}

  /// The chip is about to read, or to write some bytes of, this memory.
  virtual void reads(const Rows&) {}
  virtual void writes(const Rows&) {}
  /// Additional information after writes(): the 2D engine fills these pixels.
  virtual void fills(const Rows&, uint32_t /*pixel_bytes*/) {}
  /// A draw begins (its memory is not announced by reads and writes). drawn(): it has been executed or queued.
  virtual void draw(const DrawContext&, const DrawInput&) {}
  virtual void drawn(const DrawContext&) {}
  /// A dispatch begins: it may read and write anything.
  virtual void dispatch(const DrawContext&) {}
  /// The clock's value as a packet takes it: what the chip goes on with.
  virtual uint64_t clock(uint64_t now) { return now; }
  /// True: every draw is finished before drawn().
  virtual bool one_by_one() const { return false; }
  /// All earlier results are in memory, and the host may observe that from the following effects.
  virtual void settled() {}
  /// The same, and the host is about to be notified (scratch registers, Z-pass counts, interrupts).
  virtual void signals() { settled(); }
  /// WAIT_MEM has ended, or WAIT_SEMAPHORE (address 0).
  virtual void waited(GpuAddress) {}

  /// From any thread while the chip is stopped: resets everything, or the CP only.
  virtual void reset(bool /*everything*/) {}
};

}  // namespace pumice::hw
