// SPDX-License-Identifier: MIT
/// The only decoder of PM4 packets (cp-pm4 s.2..5). It validates the packet's structure and passes the decoded form to a
/// visitor; executing, dumping and checking are visitors.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "hw/radeon/cp/line_2d.h"
#include "hw/radeon/draw/resolve.h"
#include "hw/radeon/regfile/chip_state.h"
#include "hw/radeon/regfile/decode.h"
#include "hw/radeon/regfile/on_chip_ram.h"
#include "hw/radeon/regfile/register_value.h"

namespace pumice::hw {

/// Dwords of the packet that begins with this header, header included.
uint32_t packet_dwords(uint32_t header);
/// "type 0 write of ZB_CNTL", "3D_DRAW_VBUF_2".
std::string packet_title(const decode::Tables& tables, uint32_t header);

/// The condition of WAIT_MEM and COND_EXEC.
struct MemoryTest {
  uint32_t function = 0;
  GpuAddress address = 0;
  uint32_t reference = 0, mask = 0;
  bool holds(uint32_t value) const;
};

/// Words of ME RAM, of 256.
inline constexpr uint32_t kFirstSemaphore = 0xFC, kLastSemaphore = 0xFF;

struct DrawPacket {
  regs::VAP_VF_CNTL vf_cntl;
  std::span<const uint32_t> data;  ///< inline indices or vertices
};

struct IndexBufferPacket {
  uint32_t destination = 0;  ///< byte offset of the register
  bool one_register = false;
  uint32_t skip = 0;
  GpuAddress address = 0;
  uint32_t dwords = 0;
};

/// X_DISPATCH, X_DISPATCH_INDIRECT (docs/r5x.md s.9).
struct DispatchPacket {
  bool indirect = false;  ///< the numbers of workgroups are at `address`
  GpuAddress address = 0;
  std::array<uint32_t, 3> groups{}, first{};
};

/// X_COPY (one row), X_COPY_ROWS.
struct CopyPacket {
  GpuAddress source = 0, destination = 0;
  uint32_t bytes = 0;  ///< of a row
  uint32_t source_pitch = 0, pitch = 0, rows = 1;
};

/// X_FILL (one row), X_FILL_ROWS.
struct FillPacket {
  GpuAddress destination = 0;
  uint64_t row_bytes = 0, pitch = 0;
  uint32_t rows = 1;
  std::array<uint32_t, 4> pattern{};  ///< repeated from the beginning of each row
  uint32_t surface = 0;               ///< FillInput::surface
  bool unstored = false;              ///< FillInput::unstored
};

/// X_SCALE: the part of ScaleInput (hw/radeon/draw/draw.h) that is in the packet.
struct ScalePacket {
  GpuAddress source = 0, destination = 0;
  uint32_t source_pitch = 0, pitch = 0;                   ///< bytes
  uint32_t width = 0, height = 0, columns = 0, rows = 0;  ///< of the source, of the destination: 1 to 65536
  float s = 0, s_step = 0, t = 0, t_step = 0;             ///< texels
  bool linear = false, swap = false;
};

/// X_RESOLVE, without the pointers.
using ResolvePacket = ResolveInput;

/// X_WRITE.
struct WritePacket {
  /// Counters of the pipeline in Vulkan's order: first_count + its number.
  enum class Kind : uint32_t { value, timestamp, samples, first_count = 16, end = first_count + 11 };
  GpuAddress destination = 0;
  Kind kind = Kind::value;
  uint64_t value = 0;
};

/// The largest coordinate and size of the 2D engine: fields of 14 bits.
inline constexpr uint32_t kMost2d = 0x3FFF;

struct Rect {
  uint32_t x = 0, y = 0, width = 0, height = 0;
};

struct Blit {
  uint32_t source_x = 0, source_y = 0;
  Rect destination;
};

/// One rectangle of CNTL_HOSTDATA_BLT or NEXT_CHAR with its pixels.
struct HostBlit {
  Rect destination;
  std::span<const uint32_t> data;
};

class PacketVisitor {
 public:
  virtual ~PacketVisitor() = default;
  /// Filler, WAIT_FOR_IDLE: nothing to do in a model that finishes each packet before the next.
  virtual void nothing() = 0;
  /// NOP with a payload: nothing to do either.
  virtual void label(std::span<const uint32_t> payload) = 0;
  /// Types 0 and 1, 3D_LOAD_VBPNTR, SET_SCISSORS. one_register: all values go to the same address.
  virtual void registers(uint32_t offset, bool one_register, std::span<const uint32_t> values) = 0;
  virtual void draw(const DrawPacket& packet) = 0;
  virtual void index_buffer(const IndexBufferPacket& packet) = 0;
  virtual void clear_ram(OnChipRam ram, uint32_t start, uint32_t count, uint32_t value) = 0;
  virtual void wait_mem(const MemoryTest& test) = 0;
  /// A word of ME RAM, kFirstSemaphore to its last.
  virtual void wait_semaphore(uint32_t word) = 0;
  /// The next `count` dwords of the stream execute only if the test passes.
  virtual void cond_exec(const MemoryTest& test, uint32_t count) = 0;
  /// The next `count` dwords of the stream execute only on the devices of the mask.
  virtual void pred_exec(uint32_t devices, uint32_t count) = 0;
  /// Begins 2D packets: settings block, brush pattern, colours and comparison as register writes.
  virtual void settings_2d(std::span<const RegisterValue> settings) = 0;
  virtual void paint(const Rect& rect) = 0;
  virtual void blit(const Blit& blit) = 0;
  /// All rectangles of a packet, in their order.
  virtual void paints(std::span<const Rect> rects) {
    for (const Rect& r : rects) paint(r);
  }
  virtual void blits(std::span<const Blit> blits) {
    for (const Blit& b : blits) blit(b);
  }
  virtual void host_blit(const HostBlit& blit) = 0;
  /// Connected lines.
  virtual void polyline(std::span<const Point2d> points) = 0;
  /// Packets of extended chips.
  virtual void dispatch(const DispatchPacket& packet) = 0;
  virtual void copy(const CopyPacket& packet) = 0;
  virtual void fill(const FillPacket& packet) = 0;
  virtual void scale(const ScalePacket& packet) = 0;
  virtual void resolve(const ResolvePacket& packet) = 0;
  virtual void write(const WritePacket& packet) = 0;
  /// The packet is invalid; nothing else of it is visited.
  virtual void bad(const std::string& why) = 0;
};

/// `packet` holds at least packet_dwords(packet[0]) dwords; packets that the chip's limits refuse are visited as bad.
void visit_packet(Profile profile, std::span<const uint32_t> packet, PacketVisitor& visitor);

}  // namespace pumice::hw
