// SPDX-License-Identifier: MIT
/// See executor.h: the packets of extended chips (docs/r5x.md s.9). They run when everything before them is complete and are complete
/// before what follows.
#include <algorithm>
#include <atomic>
#include <chrono>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/cp/executor.h"
#include "hw/radeon/cp/transfer.h"

namespace pumice::hw {

bool Executor::enabled_extended() {
  const bool enabled = state_.get<regs::r5x::X_CTRL>().EN() != 0;
  if (!enabled) bad("X_CTRL.EN is 0: the packet is skipped");
  return enabled;
}

bool Executor::begin_extended() {
  if (!enabled_extended() || !settle()) return false;
  if (observer_) observer_->settled();
  return true;
}

bool Executor::begin_rows() {
  if (!enabled_extended()) return false;
  draws_.finish();
  if (stopped()) return false;
  if (observer_) observer_->settled();
  return true;
}

bool Executor::check_backed(GpuAddress address, uint64_t bytes, bool is_write) {
  if (memory_.backed(address, bytes)) return true;
  memory_.note_fault(address, bytes, is_write);
  return false;
}

void Executor::dispatch(const DispatchPacket& packet) {
  if (!begin_extended()) return;
  DispatchInput input{packet.groups, packet.first};
  if (packet.indirect) {
    if (observer_) observer_->reads({packet.address, sizeof input.groups});
    if (!check_backed(packet.address, sizeof input.groups, false)) return;
    memory_.read(packet.address, input.groups.data(), sizeof input.groups);
  }
  draws_.dispatch(input);
}

void Executor::copy(const CopyPacket& packet) {
  if (packet.bytes == 0 || packet.rows == 0) return;
  if (!begin_rows()) return;
  const Rows from{packet.source, packet.bytes, packet.source_pitch, packet.rows},
      to{packet.destination, packet.bytes, packet.pitch, packet.rows};
  if (observer_) {
    observer_->reads(from);
    observer_->writes(to);
  }
  if (!check_backed(from.address, from.hull().size(), false) || !check_backed(to.address, to.hull().size(), true)) return;
  HeldRows::Operation o{.from = from, .to = to};
  draws_.wrote(to.hull());
  o.input.from = memory_.host_pointer(from.address), o.input.to = memory_.host_pointer(to.address);
  if (!from.hull().overlaps(to.hull()) && (to.count == 1 || to.pitch >= to.bytes)) return hold(o);
  run_held();
  transfer::copy(crew_, o.input.to, to.pitch, o.input.from, from.pitch, packet.bytes, packet.rows, false);
}

void Executor::fill(const FillPacket& packet) {
  if (packet.rows == 0 && packet.surface && begin_extended())
    draws_.wrote({packet.destination, packet.row_bytes ? packet.destination + packet.row_bytes : UINT64_MAX});
  if (packet.row_bytes == 0 || packet.rows == 0) return;
  const FillInput input{packet.destination, packet.row_bytes, packet.pitch, packet.rows, packet.pattern, packet.surface, packet.unstored};
  run_held();
  if (!observer_ && state_.get<regs::r5x::X_CTRL>().EN() && memory_.backed(input.address, input.range()) && draws_.fill(input)) return;
  if (!begin_extended()) return;
  if (observer_) {
    const Rows rows{input.address, input.row_bytes, input.pitch, input.rows};
    observer_->writes(rows);
    if (packet.rows > 1) observer_->fills(rows, sizeof(uint32_t));
  }
  if (check_backed(input.address, input.range(), true)) fill_now(input);
}

void Executor::fill_now(const FillInput& input) {
  if (input.rows == 1 && input.row_bytes == sizeof(uint32_t) && input.address % sizeof(uint32_t) == 0)  // hosts poll single words (events)
    return std::atomic_ref(*reinterpret_cast<uint32_t*>(memory_.host_pointer(input.address)))
        .store(input.pattern[0], std::memory_order_release);
  const bool run = input.is_run();
  transfer::fill_rows(crew_, memory_.host_pointer(input.address), input.pitch, run ? input.range() : input.row_bytes, run ? 1 : input.rows,
                      input.pattern);
}

void Executor::scale(const ScalePacket& p) {
  if (!begin_rows()) return;
  const Rows from{p.source, uint64_t{p.width} * 4, p.source_pitch, p.height}, to{p.destination, uint64_t{p.columns} * 4, p.pitch, p.rows};
  if (from.hull().overlaps(to.hull())) return bad("X_SCALE: source and destination overlap: the packet is skipped");
  if (to.count > 1 && to.pitch < to.bytes) return bad("X_SCALE: rows of the destination overlap: the packet is skipped");
  if (observer_) {
    observer_->reads(from);
    observer_->writes(to);
  }
  if (!check_backed(from.address, from.hull().size(), false) || !check_backed(to.address, to.hull().size(), true)) return;
  draws_.wrote(to.hull());
  HeldRows::Operation o{.from = from, .to = to, .scales = true};
  ScaleInput& input = o.input;
  input.from = memory_.host_pointer(from.address), input.from_pitch = from.pitch, input.width = p.width, input.height = p.height;
  input.to = memory_.host_pointer(to.address), input.pitch = to.pitch, input.columns = p.columns, input.rows = p.rows;
  input.s = p.s, input.s_step = p.s_step, input.t = p.t, input.t_step = p.t_step;
  input.linear = p.linear, input.swap = p.swap;
  hold(o);
}

void Executor::resolve(const ResolvePacket& p) {
  run_held();
  ResolveInput input = p;
  const ByteRange from{p.source, p.source + p.source_range()}, to{p.destination, p.destination + p.range()};
  if (from.overlaps(to)) return bad("X_RESOLVE: source and destination overlap: the packet is skipped");
  if (p.height > 1 && p.pitch < p.row_bytes()) return bad("X_RESOLVE: rows of the destination overlap: the packet is skipped");
  if (memory_.backed(from.begin, from.size()) && memory_.backed(to.begin, to.size())) {
    input.from = memory_.host_pointer(from.begin), input.to = memory_.host_pointer(to.begin);
    if (!observer_ && state_.get<regs::r5x::X_CTRL>().EN() && draws_.resolve(input)) return;
  }
  if (!begin_extended()) return;
  if (observer_) {
    observer_->reads(Rows{p.source, p.row_bytes(), p.source_pitch, p.height << p.samples_log2});
    observer_->writes(Rows{p.destination, p.row_bytes(), p.pitch, p.height});
  }
  if (!check_backed(from.begin, from.size(), false) || !check_backed(to.begin, to.size(), true)) return;
  draws_.wrote(to);
  constexpr uint64_t kPart = 128 << 10;  // bytes of the source, which is what takes the time
  const uint64_t step = std::max<uint64_t>(kPart / (p.row_bytes() << p.samples_log2), 1);
  std::atomic<bool> same = true;
  const auto part = [&](uint64_t first, uint64_t count) {
    if (!draws_.resolve_part(input, {0, static_cast<uint32_t>(first), p.width, static_cast<uint32_t>(count)})) same = false;
  };
  if (transfer::worth_crew(crew_, {kPart, kPart, 2 * kPart}, from.size()))
    crew_.run(static_cast<uint32_t>((p.height + step - 1) / step),
              [&](uint32_t i) { part(i * step, std::min<uint64_t>(step, p.height - i * step)); });
  else
    part(0, p.height);
  if (!same) draws_.differs("X_RESOLVE");
}

void Executor::hold(const HeldRows::Operation& o) {
  constexpr uint64_t kWorthHolding = 32 << 10;
  if (!held_.joins(o)) run_held();
  held_.add(o);
  if (observer_ || draws_.waiting() || o.to.bytes * o.to.count < kWorthHolding) run_held();
}

void Executor::run_held_now() {
  std::atomic<bool> same = true;
  held_.run(crew_, [&](const ScaleInput& input, const RowsPart& part) {
    if (!draws_.scale(input, part)) same = false;
  });
  if (!same) draws_.differs("X_SCALE");
}

/// A counter of the pipeline by its number in Vulkan (VkQueryPipelineStatisticFlagBits); those of stages that the chip lacks stand at 0.
static uint64_t count_of(const PipelineCounts& c, uint32_t number) {
  switch (number) {
    case 0: return c.vertices;
    case 1: return c.primitives;
    case 2: return c.vertex_invocations;
    case 5: return c.clip_invocations;
    case 6: return c.clip_primitives;
    case 7: return c.fragment_invocations;
    case 10: return c.compute_invocations;
    default: return 0;
  }
}

void Executor::write(const WritePacket& packet) {
  if (!begin_extended()) return;
  uint64_t value = packet.value;
  switch (packet.kind) {
    case WritePacket::Kind::value: break;
    case WritePacket::Kind::timestamp: {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      value = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
      if (observer_) value = observer_->clock(value);
      break;
    }
    case WritePacket::Kind::samples: value = draws_.counters().zpass; break;
    default:
      value =
          count_of(draws_.counters().counts, static_cast<uint32_t>(packet.kind) - static_cast<uint32_t>(WritePacket::Kind::first_count));
  }
  const GpuAddress at = packet.destination & ~uint64_t{7};
  if (observer_) observer_->writes({at, sizeof value});
  if (!check_backed(at, sizeof value, true)) return;
  draws_.wrote({at, at + sizeof value});
  // The host may poll the value; every earlier write must be visible before it.
  std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(memory_.host_pointer(at))).store(value, std::memory_order_release);
}

}  // namespace pumice::hw
