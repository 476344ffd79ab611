// SPDX-License-Identifier: MIT
/// See executor.h: packets. The registers with side effects are in executor_registers.cpp.
#include "hw/radeon/cp/executor.h"

#include <algorithm>
#include <chrono>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/cp/fault_text.h"
#include "hw/radeon/cp/transfer.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw {

namespace {

/// The range of a type-0 write: 13 bits of dword index.
constexpr uint32_t kStreamSpace = 0x8000;
constexpr uint32_t kMaxIndirectDwords = 1u << 23;
/// INDX_BUFFER dwords up to which the allocation is kept for the next one.
constexpr size_t kMostKept = 1u << 18;
/// Dwords of an indirect buffer that are read ahead.
constexpr uint64_t kFetch = 1024;

}  // namespace

Executor::Executor(const GpuConfig& config, Memory& memory, DrawExecutor& draws, Team& team, Wires wires, Observer* observer)
    : config_(config),
      memory_(memory),
      wires_(std::move(wires)),
      observer_(observer),
      reporter_(config),
      state_(state_pages_[0]),
      registers_((state_.profile = config.profile, state_.rams = &rams_, state_),
                 [this](uint32_t offset, uint32_t value, const char* why) {
                   reporter_.report(ReportKind::bad_register, decode::name(decode::tables(state_.profile), offset) + ": " + why,
                                    ", value " + decode::hex(value));
                 }),
      ports_(state_, registers_),
      draws_(state_, registers_, memory, config, reporter_, draws, wires_.stopping, observer),
      vertex_state_(
          state_, registers_, [this](std::span<const uint32_t> vertex) { draws_.state_vertex(vertex); },
          [this] { draws_.end_state_vertices(); }),
      crew_(team, transfer::kMostHelpers),
      engine_2d_(state_, memory, crew_, observer) {
  draws.fill_now = [this](const FillInput& input) { fill_now(input); };
  engine_2d_.on_write = [this](const ByteRange& bytes) { draws_.wrote(bytes); };
  attach_hooks();
  reset(true);
}

void Executor::reset(bool zeroed) {
  registers_.reset(zeroed);
  set_status();
  ports_.reset();
  reporter_.reset();
  if (!zeroed) rams_.reset();
  microcode_.fill(0);
  interrupts_ = 0;
  draws_.counters().zpass = 0;
  draws_.counters().stipple = 0;
  reset_cp();
}

void Executor::reset_cp() {
  draws_.reset();
  held_.clear();
  resync_armed_ = false;
  for (auto& queue : pushed_) queue.clear();
  skip_ = 0;
  memory_.take_fault();
}

uint32_t Executor::execute_step(const Where& where, std::span<const uint32_t> packet) {
  if (!observer_) return execute(where, packet);
  observer_->begin_packet(where, packet);
  const uint32_t skip = execute(where, packet);
  finish();
  observer_->end_step(stopped());
  return skip;
}

uint32_t Executor::execute(const Where& where, std::span<const uint32_t> packet) {
  const Where outer_where = std::exchange(reporter_.where, where);
  const auto outer_packet = std::exchange(packet_, packet);
  const uint32_t outer_skip = std::exchange(skip_, 0);
  if (observer_) observer_->packet(where, packet);
  visit_packet(state_.profile, packet, *this);
  report_fault(memory_, reporter_);
  reporter_.where = outer_where;
  packet_ = outer_packet;
  return std::exchange(skip_, outer_skip);
}

void Executor::host_write(uint32_t offset, uint32_t value) {
  const Where outer = std::exchange(reporter_.where, Where{});
  const auto outer_packet = std::exchange(packet_, {});
  finish();
  if (observer_) observer_->begin_register(offset, value);
  registers_.write(offset, value);
  if (observer_) {
    finish();
    observer_->end_step(stopped());
  }
  report_fault(memory_, reporter_);
  reporter_.where = outer;
  packet_ = outer_packet;
}

void Executor::stream_write(uint32_t offset, uint32_t value) {
  // The ring belongs to the host: a stream that moves it could run forever.
  if (is_ring_register(offset) || offset == regs::RBBM_SOFT_RESET::offset)
    return reporter_.report(ReportKind::bad_register, decode::name(decode::tables(state_.profile), offset) + ": not from a command stream");
  registers_.write(offset, value);
}

void Executor::registers(uint32_t offset, bool one_register, std::span<const uint32_t> values) {
  if (one_register) {
    // Large streams need not go through the ports dword by dword.
    if (offset >= regs::VAP_PORT_DATA::offset && offset <= regs::VAP_PORT_IDX::at(regs::VAP_PORT_IDX::count - 1))
      return draws_.data(values);
    if (!stopped() && ports_.take(offset, values)) return;
  }
  const uint32_t step = one_register ? 0 : 4;
  bool halt = stopped();
  for (const uint32_t value : values) {
    if (halt) return;
    if (offset >= kStreamSpace) return bad("the register write runs past the end of the register space");
    if (!registers_.write_plain(offset, value)) {
      stream_write(offset, value);
      halt = stopped();
    }
    offset += step;
  }
}

void Executor::draw(const DrawPacket& packet) {
  stream_write(regs::VAP_VF_CNTL::offset, packet.vf_cntl.raw);
  if (!stopped()) draws_.data(packet.data);
  drew_ = true;
}

void Executor::index_buffer(const IndexBufferPacket& packet) {
  // The fetch goes through the second-level queue, which the stream must not occupy itself.
  if (reporter_.where.stream == Stream::ib2) return bad("INDX_BUFFER inside IB2");
  if (packet.dwords >= kMaxIndirectDwords) return bad("INDX_BUFFER is larger than 2^23 - 1 dwords");
  will_read({packet.address, uint64_t{packet.dwords} * 4});
  const bool indices = packet.one_register && packet.destination == regs::VAP_PORT_IDX::offset;
  if (indices && !packet.skip && packet.address % 4 == 0 && memory_.backed(packet.address, uint64_t{packet.dwords} * 4) &&
      draws_.indices_in_place({reinterpret_cast<const uint32_t*>(memory_.host_pointer(packet.address)), packet.dwords})) {
    drew_ = true;
    return;
  }
  // Moved out of the member while in use: the data may write a register that starts a nested stream with such a packet.
  std::vector<uint32_t> words = std::move(streamed_);
  words.resize(packet.dwords);
  memory_.read(packet.address, words.data(), words.size() * 4);
  std::span<const uint32_t> rest = words;
  uint32_t padding = 0;
  if (packet.destination == regs::VAP_PORT_IDX::offset) {
    rest = rest.subspan(std::min<size_t>(rest.size(), packet.skip / 2));
    if (packet.skip % 2) {
      // An odd halfword count moves all that follows by half a dword; the last dword keeps one index.
      for (size_t i = words.size() - rest.size(); i < words.size(); ++i)
        words[i] = words[i] >> 16 | (i + 1 < words.size() ? words[i + 1] << 16 : 0);
      padding = 1;
    }
  } else {
    rest = rest.subspan(std::min<size_t>(rest.size(), packet.skip));
  }
  if (indices)
    draws_.data(rest, padding);
  else
    registers(packet.destination, packet.one_register, rest);
  if (words.size() <= kMostKept) streamed_ = std::move(words);
}

/// Executes the draws at the beginning of `next` (dword `at` of the stream) together, if they follow the one that ends `done` with few
/// changes. Returns how many dwords that were.
uint32_t Executor::draw_following(std::span<const uint32_t> done, std::span<const uint32_t> next, uint32_t at) {
  if (!x::shaders(state_) || state_.get<regs::r5x::X_DRAW_CTRL>().BYTE_INDICES() || stopped()) return 0;
  using Base = regs::r5x::X_DRAW_BASE_VERTEX;
  using Number = regs::r5x::X_DRAW_NUMBER;
  // An executor that refuses a draw mostly refuses the next ones, too: they are not all looked at again for each of them.
  constexpr uint32_t kPause = 7;
  if (pause_) {
    --pause_;
    return 0;
  }
  MovedBuffers moved(state_);
  if (!find_following(done, next, state_, moved, following_)) return 0;
  std::array<NextDraw, kMostFollowing> draws;
  std::array<uint32_t, kMostFollowing> dwords;
  const size_t found = following_.draws.size();
  std::span<const RegisterValue> bindings = following_.bindings;
  for (size_t i = 0; i < found; ++i) {
    const FollowingDraw& f = following_.draws[i];
    draws[i] = {{f.vf_cntl, {}}, f.base_vertex, f.number, f.moved, moved.kept_mask(), bindings.first(f.bindings)};
    bindings = bindings.subspan(f.bindings);
    dwords[i] = at + f.at;
    if (!f.index_dwords) continue;
    const uint64_t bytes = uint64_t{f.index_dwords} * 4;
    if (!memory_.backed(f.indices, bytes)) return 0;
    finish_writes({f.indices, f.indices + bytes});
    draws[i].input.data = {reinterpret_cast<const uint32_t*>(memory_.host_pointer(f.indices)), f.index_dwords};
  }
  const Where outer = reporter_.where;
  reporter_.where.dword = dwords[0];
  const size_t drawn = draws_.draw_more(std::span(draws).first(found), dwords);
  reporter_.where = outer;
  if (drawn < found) pause_ = kPause;
  if (!drawn) return 0;
  const FollowingDraw& last = following_.draws[drawn - 1];
  registers_.write_plain(Base::offset, last.base_vertex);
  registers_.write_plain(Number::offset, last.number);
  if (drawn == found) moved.each_kept([&](uint32_t offset, uint32_t value) { registers_.write_plain(offset, value); });
  registers_.poke(regs::VAP_VF_CNTL{last.vf_cntl});
  return last.end;
}

void Executor::will_read(const Rows& rows) {
  finish_writes(rows.hull());
  if (observer_) observer_->reads(rows);
}

void Executor::clear_ram(OnChipRam which, uint32_t start, uint32_t count, uint32_t value) {
  if (which == OnChipRam::hiz) return rams_.fill(which, start, count, value);  // no block reads it
  // A clear that overwrites everything queued draws use need not wait for them: they keep their copy of the RAM, the clear gets a new one.
  const DrawExecutor::RamRange used = draws_.in_use(which);
  if (used.empty()) return rams_.fill(which, start, count, value);
  if (start <= used.begin && used.end <= uint64_t{start} + count) return rams_.refill(which, start, count, value);
  if (settle()) rams_.fill(which, start, count, value);
}

void Executor::wait_mem(const MemoryTest& test) {
  finish();  // the writer of that memory may be waiting for these draws
  if (observer_) {
    observer_->reads({test.address & kDwordAddress, 4});
    observer_->settled();
  }
  if (!memory_.backed(test.address, 4)) {
    // It would wait forever: reads give 0 and no write can change that.
    memory_.load<uint32_t>(test.address);
    return bad("WAIT_MEM on memory that is not backed");
  }
  const bool over = wait_until([&] { return test.holds(load_dword(test.address)); }, "WAIT_MEM",
                               "its condition on the memory at " + decode::hex(test.address) + " does not hold");
  if (observer_ && over) observer_->waited(test.address & kDwordAddress);
}

/// The low dword counts (README.md).
void Executor::wait_semaphore(uint32_t word) {
  finish();
  if (observer_) observer_->settled();
  const auto count = [&] { return static_cast<uint32_t>(microcode_[word]); };
  if (!wait_until([&] { return count() != 0; }, "WAIT_SEMAPHORE", "semaphore " + decode::hex(word, 2) + " is 0")) return;
  --microcode_[word];
  if (observer_) observer_->waited(0);  // no memory
}

bool Executor::wait_until(const std::function<bool()>& holds, const char* packet, const std::string& condition) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  while (!stopped() && !holds()) {
    if (config_.wait_limit.count() && Clock::now() - began >= config_.wait_limit) {
      draws_.hang();
      reporter_.report(ReportKind::lockup, std::string("the watchdog stopped ") + packet,
                       ": " + condition + " after " + std::to_string(config_.wait_limit.count()) + " ms");
      return false;
    }
    wires_.pause();
  }
  return !stopped();
}

void Executor::cond_exec(const MemoryTest& test, uint32_t count) {
  will_read({test.address & kDwordAddress, 4});
  if (!test.holds(load_dword(test.address))) skip_ = count;
}

void Executor::pred_exec(uint32_t devices, uint32_t count) {
  if (!(devices & 1)) skip_ = count;
}

void Executor::settings_2d(std::span<const RegisterValue> settings) {
  for (const auto& [offset, value] : settings) registers_.write(offset, value);
}

void Executor::report_2d(const std::string& refusal) {
  if (!refusal.empty()) bad("2D engine: " + refusal);
}
void Executor::paint(const Rect& rect) {
  if (settle()) report_2d(engine_2d_.paint(rect));
}
void Executor::blit(const Blit& blit) {
  if (settle()) report_2d(engine_2d_.blit(blit));
}
void Executor::paints(std::span<const Rect> rects) {
  if (settle()) report_2d(engine_2d_.paint(rects));
}
void Executor::blits(std::span<const Blit> blits) {
  if (settle()) report_2d(engine_2d_.blit(blits));
}
void Executor::host_blit(const HostBlit& blit) {
  if (settle()) report_2d(engine_2d_.host_blit(blit));
}
void Executor::polyline(std::span<const Point2d> points) {
  if (settle()) report_2d(engine_2d_.polyline(points));
}

void Executor::bad(const std::string& why) {
  std::string words = "; words";
  for (size_t i = 0; i < packet_.size() && i < 8; ++i) words += " " + decode::hex(packet_[i]);
  if (packet_.size() > 8) words += " .. of " + std::to_string(packet_.size());
  reporter_.report(ReportKind::bad_packet, why, words);
}

void Executor::run_indirect(Stream level, GpuAddress base, uint32_t dwords) {
  std::string name = level == Stream::ib1 ? "IB1" : "IB2";
  const Stream here = reporter_.where.stream;
  if (here == Stream::ib2 || (here == Stream::ib1 && level == Stream::ib1))
    return bad(name.append(" started inside ").append(here == Stream::ib1 ? "IB1" : "IB2"));
  base &= kDwordAddress;
  if (!memory_.backed(base, uint64_t{dwords} * 4))
    return reporter_.report(ReportKind::vm_fault, name.append(" lies in memory that is not backed"),
                            ": " + std::to_string(dwords) + " dwords at " + decode::hex(base));
  finish_writes({base, base + uint64_t{dwords} * 4});
  // The stream is copied out piece by piece: the host may change it concurrently, and the checked dwords must be those that execute.
  // Moved out of the member while in use: a host write served during WAIT_MEM may start another stream.
  std::vector<uint32_t> fetched = std::move(fetched_[level == Stream::ib2]);
  uint64_t first = 0, end = 0;  // dwords of the stream that `fetched` holds
  const Where outer_where = std::exchange(reporter_.where, Where{level, base, 0, 0, 0});
  const auto outer_packet = std::exchange(packet_, {});
  const uint32_t outer_skip = skip_;
  for (uint64_t at = 0; at < dwords && !stopped();) {
    const auto fetch = [&](uint64_t size) {
      first = at;
      end = std::min<uint64_t>(at + std::max<uint64_t>(size, kFetch), dwords);
      fetched.resize(end - first);
      if (held_.writes({base + first * 4, base + end * 4})) run_held();
      if (observer_) observer_->reads({base + first * 4, fetched.size() * 4});
      // Read once: lines that this processor keeps have to be taken from it when the host writes the next stream there.
      const std::byte* const from = memory_.host_pointer(base + first * 4);
      for (size_t line = 0; line < fetched.size() * 4; line += 64) __builtin_prefetch(from + line, 0, 0);
      memory_.read(base + first * 4, fetched.data(), fetched.size() * 4);
    };
    if (at >= end) fetch(1);
    uint32_t header = fetched[at - first];
    const uint32_t size = packet_dwords(header);
    reporter_.where.dword = static_cast<uint32_t>(at);
    reporter_.where.header = header;
    if (size > dwords - at) {
      reporter_.report(ReportKind::bad_packet, "the packet is cut off by the end of the buffer",
                       ": " + std::to_string(size) + " dwords, " + std::to_string(dwords - at) + " left; header " + decode::hex(header));
      break;
    }
    if (at + size > end) {
      fetch(size);
      fetched[0] = header;  // the size of this header was checked
    }
    packet_ = std::span<const uint32_t>(fetched).subspan(at - first, size);
    skip_ = 0;
    drew_ = false;  // draws of the ring do not count
    if (observer_) observer_->packet(reporter_.where, packet_);
    const regs::PM4_TYPE0_HEADER type0{header};
    if (type0.TYPE() == 0)
      registers(type0.BASE_INDEX() * 4, type0.ONE_REG_WR() != 0, packet_.subspan(1));
    else
      visit_packet(state_.profile, packet_, *this);
    if (memory_.faulted()) report_fault(memory_, reporter_);
    at += size;
    if (std::exchange(drew_, false) && !observer_ && at < end && may_follow(fetched[at - first])) {
      const std::span<const uint32_t> words(fetched);
      at += draw_following(words.first(at - first), words.subspan(at - first), static_cast<uint32_t>(at));
    }
    if (skip_ > dwords - at && !stopped())
      reporter_.report(ReportKind::bad_packet, "conditional execution reaches past the end of the buffer");
    at += skip_;
  }
  reporter_.where = outer_where;
  packet_ = outer_packet;
  skip_ = outer_skip;
  fetched_[level == Stream::ib2] = std::move(fetched);
}

}  // namespace pumice::hw
