// SPDX-License-Identifier: MIT
/// See player.h; the order of things is docs/trace.md, "Replaying".
#include "hw/radeon/trace/player.h"

#include <chrono>

#include "hw/extents.h"
#include "hw/radeon/fast/make.h"
#include "hw/radeon/trace/inspected.h"
#include "hw/radeon/trace/pieces.h"

namespace pumice::hw::trace {

namespace {

bool is_memory(Kind kind) { return kind == Kind::map || kind == Kind::unmap || kind == Kind::write || kind == Kind::note; }

GpuConfig config_of(const Reader& reader, const Execution& how) {
  GpuConfig config(reader.profile(), how);
  config.instruction_limit = reader.instruction_limit();
  return config;
}

}  // namespace

std::unique_ptr<Player> Player::create(std::unique_ptr<Reader> reader, const Execution& config, Watcher& watcher, bool verify) {
  if (!available(config.cpu)) return nullptr;
  auto memory = Memory::create(capabilities(reader->profile()).address_bits);
  if (!memory) return nullptr;
  return std::unique_ptr<Player>(new Player(std::move(reader), config, watcher, verify, std::move(memory)));
}

Player::Player(std::unique_ptr<Reader> reader, const Execution& config, Watcher& watcher, bool verify, std::unique_ptr<Memory> memory)
    : reader_(std::move(reader)),
      config_(config_of(*reader_, config)),
      watcher_(watcher),
      verify_(verify),
      memory_(std::move(memory)),
      team_(config_.threads),
      draws_(std::make_unique<Inspected>(make_executor(config_, *memory_, team_), watcher_, stopping_)),
      executor_(config_, *memory_, *draws_, team_, {&stopping_, [this] { wait(); }}, this) {}

bool Player::fail(const std::string& why) {
  if (result_.error.empty()) result_.error = "step " + std::to_string(step_.number) + ": " + why;
  stop_ = stopping_ = true;
  return false;
}

// --- records ---

bool Player::apply(const Record& r) {
  const uint64_t size = uint64_t{r.words.size() > 1 ? r.words[1] : 0} * kPageBytes;
  switch (r.kind) {
    case Kind::map: return memory_->map(r.words[0], size) || fail("memory cannot be mapped as the trace says");
    case Kind::unmap:
      if (!memory_->backed(r.words[0], size)) return fail("memory is unmapped that is not mapped");
      memory_->unmap(r.words[0], size);
      return true;
    case Kind::write:
      if (!memory_->backed(r.words[0], r.bytes - 4)) return fail("the trace writes to memory that is not mapped");
      memory_->write(r.words[0], r.data(4), r.bytes - 4);
      return true;
    case Kind::note:
      watcher_.note(static_cast<Note>(r.words[0]), std::string(reinterpret_cast<const char*>(r.data(4)), r.bytes - 4));
      return true;
    default: return fail("a record is out of place");
  }
}

void Player::apply_memory() {
  for (const Record* r; !stop_ && (r = reader_->peek()) && is_memory(r->kind);) {
    apply(*r);
    reader_->advance();
  }
}

Player::Result Player::play() {
  const auto start = std::chrono::steady_clock::now();
  while (!stop_ && !watcher_.enough()) {
    const Record* r = reader_->peek();
    if (!r) break;
    if (r->kind == Kind::packet || r->kind == Kind::host_register) {
      run_step();
      continue;
    }
    if (r->kind == Kind::close) {
      if (r->words[0] == static_cast<uint32_t>(Close::size_limit)) result_.remark = "the recording ends here: its size limit was reached";
      result_.ok = true;
      break;
    }
    if (r->kind == Kind::reset) {
      r->words[0] ? executor_.reset() : executor_.reset_cp();
    } else {
      apply(*r);
    }
    reader_->advance();
  }
  if (!reader_->damage().empty()) fail("the file is damaged: " + reader_->damage());
  result_.hung = executor_.hung();
  if (result_.error.empty() && !result_.ok) {
    result_.ok = true;
    if (!watcher_.enough()) {
      result_.truncated = true;
      result_.remark = reader_->truncated() ? "the recording is truncated: the file ends inside " + reader_->where()
                                            : "the recording is truncated: it has no end record (the application stopped without "
                                              "destroying its device, or the file was cut)";
    }
  }
  if (!result_.error.empty()) result_.ok = false;
  result_.draws = step_.last_draw;
  result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result_;
}

/// A packet or register write with its memory, up to its END. Nested while a packet waits.
void Player::run_step() {
  const Record& r = *reader_->peek();
  const bool is_packet = r.kind == Kind::packet;
  const std::vector<uint32_t> words(r.words.begin(), r.words.end());
  reader_->advance();
  ++result_.steps;
  ++step_.number;
  step_.first_draw = step_.last_draw + 1;
  step_.signalled = false;
  if (depth_++ == 0) digest_ = {};
  apply_memory();
  if (is_packet && packet_dwords(words[1]) > words.size() - 1) fail("a packet is cut off");
  if (stop_) {
    --depth_;
    return;
  }
  const bool runs = !is_packet || !executor_.hung();
  if (runs && is_packet)
    executor_.execute({Stream::ring, 0, words[0], words[1], 0}, std::span(words).subspan(1));
  else if (runs)
    executor_.host_write(words[0] & (kRegisterSpace - 4), words[1]);
  if (runs) executor_.finish();
  end_of_step();
  --depth_;
}

void Player::end_of_step() {
  settled();
  // A step that was stopped, then or now, may have left waits and what was done meanwhile.
  const Record* r = reader_->peek();
  const bool unwound = executor_.stopped();
  stopping_ = stop_ || watcher_.enough();  // no more than this step
  for (uint32_t nested = 0; r && r->kind != Kind::close && (r->kind != Kind::end || nested) && (unwound || is_memory(r->kind));) {
    if (is_memory(r->kind)) apply(*r);
    if (r->kind == Kind::host_register) ++nested;
    if (r->kind == Kind::end) --nested;
    reader_->advance();
    r = reader_->peek();
  }
  if (r && r->kind == Kind::close) r = nullptr;
  step_.whole = r != nullptr;
  bool stopped = unwound;
  if (r) {
    if (r->kind != Kind::end) {
      fail("the chip did not wait where the recording did");
      return;
    }
    stopped = stopped || r->words[0] != 0;
    const uint64_t digest = r->words[2] | uint64_t{r->words[3]} << 32;
    if (verify_ && !stopped && digest != digest_.value()) {
      if (!result_.differs) result_.differs = step_;
      ++result_.differing;
    }
    reader_->advance();
  }
  step_.digest = stopped ? 0 : digest_.value();  // where a lockup stops a draw is not the same everywhere
  step_.hung = executor_.hung();
  watcher_.step(step_);
}

/// WAIT_MEM does not hold yet: the host's part until it does.
void Player::wait() {
  if (stop_) return;
  if (wait_over_) {
    fail("the chip waits for what the recording does not bring");
    return;
  }
  for (const Record* r; !stop_ && (r = reader_->peek());) {
    if (r->kind == Kind::wait) {
      reader_->advance();
      wait_over_ = true;
      return apply_memory();
    }
    if (r->kind == Kind::host_register) {
      const uint64_t first_draw = step_.first_draw;
      run_step();
      step_.first_draw = first_draw;
    } else if (is_memory(r->kind)) {
      apply(*r);
      reader_->advance();
    } else {
      break;
    }
  }
  stopping_ = true;  // it waited forever in the recording: until a reset or the end of the recording
}

// --- the chip ---

void Player::packet(const Where& where, std::span<const uint32_t> words) { watcher_.packet(where, words); }

void Player::label(std::span<const uint32_t> payload) {
  PictureLabel label;
  if (payload.size_bytes() < sizeof label || payload[0] != PictureLabel::kMagic) return;
  std::memcpy(static_cast<void*>(&label), payload.data(), sizeof label);
  watcher_.label(label);
}

void Player::writes(const Rows& rows) {
  if (verify_) each_row(rows, memory_->space(), [&](uint64_t begin, uint64_t end) { pending_.add(begin, end); });
}

void Player::draw(const DrawContext& ctx, const DrawInput& input) {
  step_.last_draw = ctx.draw;
  watcher_.draw(ctx, input);
  if (!verify_) return;
  touched_by(ctx, input, touched_);
  touched_.each_write([&](const Rows& rows) { writes(rows); });
}

void Player::dispatch(const DrawContext& ctx) {
  if (!verify_) return;
  footprint::dispatch(ctx, touched_.uses);
  touched_.each_write([&](const Rows& rows) { writes(rows); });
}

/// The recording's time, so that bytes are the same.
uint64_t Player::clock(uint64_t now) {
  const Record* r = stop_ ? nullptr : reader_->peek();
  if (!r || r->kind != Kind::clock) {
    if (!stop_) fail("the chip takes the time where the recording did not");
    return now;
  }
  const uint64_t then = r->words[0] | uint64_t{r->words[1]} << 32;
  reader_->advance();
  apply_memory();
  return then;
}

void Player::drawn(const DrawContext& ctx) {
  watcher_.drawn(ctx);
  if (watcher_.enough()) stopping_ = true;
}

void Player::settled() {
  pending_.each([&](uint64_t begin, uint64_t end) {
    each_backed(*memory_, begin, end, [&](uint64_t from, uint64_t to) {
      digest_.add_number(from);
      digest_.add(memory_->host_pointer(from), to - from);
    });
  });
  pending_.clear();
}

void Player::signals() {
  settled();
  step_.signalled = true;
}

void Player::waited(GpuAddress) {
  if (!wait_over_) wait();
  wait_over_ = false;
}

}  // namespace pumice::hw::trace
