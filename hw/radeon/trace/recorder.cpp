// SPDX-License-Identifier: MIT
/// See recorder.h. The reasoning is in docs/trace.md, "How the recorder finds what the chip reads": the host may change memory that the
/// chip uses only between steps, so each byte is looked at once per step, before its first use.
#include "hw/radeon/trace/recorder.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "hw/radeon/trace/pieces.h"

namespace pumice::hw::trace {

namespace {

/// The address range of the file (format.h).
constexpr uint64_t kPage = kPageBytes;
/// Differences are searched and written in units of this size.
constexpr uint64_t kUnit = 64;
constexpr size_t kMostSeen = 64;
constexpr size_t kMostCommand = 4096;  ///< characters of the command line in the header

std::string command_line() {
  std::string text(kMostCommand, '\0');
  std::FILE* in = std::fopen("/proc/self/cmdline", "rb");
  text.resize(in ? std::fread(text.data(), 1, text.size(), in) : 0);
  if (in) std::fclose(in);
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

}  // namespace

std::unique_ptr<Recorder> Recorder::create(const GpuConfig& config, Memory& memory) {
  std::unique_ptr<Recorder> r(new Recorder(config, memory));
  std::string error;
  r->writer_ = Writer::create(config.trace, config.trace_number, config.trace_limit, config.profile, config.instruction_limit, error);
  if (r->writer_) {
    void* shadow = mmap(nullptr, r->space_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shadow != MAP_FAILED)
      r->shadow_ = static_cast<std::byte*>(shadow);
    else
      error = "no address space for the recording";
  }
  if (!r->shadow_) {
    if (config.on_report) config.on_report({ReportKind::trace, error});
    return nullptr;
  }
  const uint32_t kind = static_cast<uint32_t>(Note::program);
  const std::string text = command_line();
  r->record(Kind::note, {&kind, 1}, std::as_bytes(std::span(text)));
  return r;
}

Recorder::~Recorder() {
  if (writer_) writer_->close();
  if (shadow_) munmap(shadow_, space_);
}

void Recorder::stop() {
  const std::string why = writer_->error();
  writer_.reset();
  madvise(shadow_, space_, MADV_DONTNEED);
  if (!why.empty() && config_.on_report) config_.on_report({ReportKind::trace, why + "; the recording ends here"});
}

void Recorder::record(Kind kind, std::span<const uint32_t> numbers, std::span<const std::byte> bytes) {
  if (writer_ && !writer_->record(kind, numbers, bytes)) stop();
}

// --- the memory map ---

bool Recorder::map(GpuAddress address, uint64_t size) {
  std::lock_guard lock(mutex_);
  if (!memory_.map(address, size)) return false;
  change(Kind::map, address, size);
  return true;
}

/// A recording has no files: what is not zero in this one is recorded when the chip first uses it.
bool Recorder::map_file(GpuAddress address, uint64_t size, int fd) {
  std::lock_guard lock(mutex_);
  if (!memory_.map_file(address, size, fd)) return false;
  change(Kind::map, address, size);
  return true;
}

void Recorder::unmap(GpuAddress address, uint64_t size) {
  std::lock_guard lock(mutex_);  // the range is not compared concurrently
  memory_.unmap(address, size);
  if (!writer_) return;
  pending_.remove(address, address + size);
  unknown_.remove(address, address + size);
  if (address < space_) madvise(shadow_ + address, size, MADV_DONTNEED);
  change(Kind::unmap, address, size);
}

void Recorder::change(Kind kind, GpuAddress address, uint64_t size) {
  if (!writer_) return;
  if (address > space_ || size > space_ - address) {
    writer_->fail("memory is mapped beyond the 32 bits of its addresses");
    return stop();
  }
  changes_.push_back({kind, static_cast<uint32_t>(address), static_cast<uint32_t>(size / kPage)});
  if (depth_ == 0) write_changes();
}

void Recorder::write_changes() {
  for (const Change& c : changes_) record(c.kind, std::array{c.address, c.pages});
  changes_.clear();
}

// --- what differs ---

void Recorder::record_bytes(uint64_t begin, uint64_t end) {
  // A change of the map may be what makes the bytes writable.
  if (!changes_.empty()) write_changes();
  for (uint64_t at = begin; at < end && writer_;) {
    const uint64_t size = std::min<uint64_t>(end - at, kMaxWrite);
    const auto address = static_cast<uint32_t>(at);
    std::memcpy(shadow_ + at, memory_.host_pointer(at), size);
    record(Kind::write, {&address, 1}, {shadow_ + at, size});
    at += size;
  }
}

void Recorder::compare(uint64_t begin, uint64_t end) {
  const std::byte* live = memory_.host_pointer(0);
  const auto same = [&](uint64_t at, uint64_t to) { return std::memcmp(live + at, shadow_ + at, to - at) == 0; };
  uint64_t first = 0, last = 0;  // the run of differing units under way
  for (uint64_t page = begin; page < end && writer_;) {
    const uint64_t page_end = std::min(end, (page / kPage + 1) * kPage);
    if (!same(page, page_end)) {
      for (uint64_t at = page; at < page_end;) {
        const uint64_t next = std::min(page_end, (at / kUnit + 1) * kUnit);
        if (!same(at, next)) {
          if (first != last && at - last > kUnit) {
            record_bytes(first, last);
            first = last;
          }
          if (first == last) first = at;
          last = next;
        }
        at = next;
      }
    }
    page = page_end;
  }
  if (first != last && writer_) record_bytes(first, last);
}

void Recorder::check(const Rows& rows) {
  each_row(rows, space_, [&](uint64_t row, uint64_t row_end) {
    checked_.add(row, row_end, [&](uint64_t begin, uint64_t end) {
      each_backed(memory_, begin, end, [&](uint64_t from, uint64_t to) { compare(from, to); });
    });
  });
}

/// What the chip wrote becomes known; nothing of it is under way.
void Recorder::absorb() {
  pending_.each([&](uint64_t begin, uint64_t end) {
    each_backed(memory_, begin, end, [&](uint64_t from, uint64_t to) {
      std::memcpy(shadow_ + from, memory_.host_pointer(from), to - from);
      digest_.add_number(from);
      digest_.add(shadow_ + from, to - from);
    });
  });
  pending_.clear();
  seen_writes_.clear();
}

// --- steps ---

void Recorder::begin_step() {
  if (depth_ == 0) {
    write_changes();
    unknown_.each([&](uint64_t begin, uint64_t end) {
      each_backed(memory_, begin, end, [&](uint64_t from, uint64_t to) { record_bytes(from, to); });
    });
    unknown_.clear();
    digest_ = {};
  } else {  // the host had its turn while the packet waits
    checked_.clear();
    seen_reads_.clear();
  }
  ++depth_;
}

void Recorder::begin_packet(const Where& where, std::span<const uint32_t> packet) {
  std::lock_guard lock(mutex_);
  begin_step();
  record(Kind::packet, {&where.dword, 1}, std::as_bytes(packet));
}

void Recorder::begin_register(uint32_t offset, uint32_t value) {
  std::lock_guard lock(mutex_);
  begin_step();
  record(Kind::host_register, std::array{offset, value});
}

void Recorder::end_step(bool stopped) {
  std::lock_guard lock(mutex_);
  --depth_;
  if (!writer_) return;
  if (stopped) {
    pending_.each([&](uint64_t begin, uint64_t end) { unknown_.add(begin, end); });
    pending_.clear();
  } else {
    absorb();
  }
  const uint64_t digest = digest_.value();
  record(Kind::end, std::array{uint32_t{stopped}, uint32_t{0}, static_cast<uint32_t>(digest), static_cast<uint32_t>(digest >> 32)});
  if (depth_ > 0) return;
  checked_.clear();
  seen_reads_.clear();
  seen_writes_.clear();
  write_changes();
}

void Recorder::reads(const Rows& rows) {
  std::lock_guard lock(mutex_);
  if (!writer_ || std::find(seen_reads_.begin(), seen_reads_.end(), rows) != seen_reads_.end()) return;
  check(rows);
  if (seen_reads_.size() >= kMostSeen) seen_reads_.erase(seen_reads_.begin());
  seen_reads_.push_back(rows);
}

void Recorder::writes(const Rows& rows) {
  std::lock_guard lock(mutex_);
  if (!writer_ || std::find(seen_writes_.begin(), seen_writes_.end(), rows) != seen_writes_.end()) return;
  check(rows);  // bytes in between may stay as they are
  each_row(rows, space_, [&](uint64_t begin, uint64_t end) { pending_.add(begin, end); });
  if (seen_writes_.size() >= kMostSeen) seen_writes_.erase(seen_writes_.begin());
  seen_writes_.push_back(rows);
}

void Recorder::draw(const DrawContext& ctx, const DrawInput& input) {
  {
    std::lock_guard lock(mutex_);
    if (!writer_) return;
  }
  touched_by(ctx, input, touched_);
  announce();
}

void Recorder::dispatch(const DrawContext& ctx) {
  {
    std::lock_guard lock(mutex_);
    if (!writer_) return;
  }
  footprint::dispatch(ctx, touched_.uses);
  announce();
}

void Recorder::announce() {
  touched_.each_read([&](const Rows& rows) { reads(rows); });
  touched_.each_write([&](const Rows& rows) { writes(rows); });
}

uint64_t Recorder::clock(uint64_t now) {
  std::lock_guard lock(mutex_);
  record(Kind::clock, std::array{static_cast<uint32_t>(now), static_cast<uint32_t>(now >> 32)});
  return now;
}

void Recorder::settled() {
  std::lock_guard lock(mutex_);
  if (!writer_) return;
  absorb();
}

/// Whatever follows, a crash or an exit without destruction: the file contains all work that the application knows to be complete.
void Recorder::signals() {
  std::lock_guard lock(mutex_);
  if (!writer_) return;
  absorb();
  if (!writer_->flush()) stop();
}

void Recorder::waited(GpuAddress address) {
  std::lock_guard lock(mutex_);
  if (!writer_) return;
  absorb();
  checked_.clear();
  seen_reads_.clear();
  seen_writes_.clear();
  const auto at = static_cast<uint32_t>(address);
  record(Kind::wait, {&at, 1});
  write_changes();
  check({address, 4});
}

void Recorder::reset(bool everything) {
  std::lock_guard lock(mutex_);
  const uint32_t which = everything;
  record(Kind::reset, {&which, 1});
  if (writer_ && !writer_->flush()) stop();
}

}  // namespace pumice::hw::trace
