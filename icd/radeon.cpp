// SPDX-License-Identifier: MIT
#include "icd/radeon.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hw/radeon/statistics.h"
#include "icd/debug.h"
#include "icd/meta.h"
#include "icd/ring.h"

namespace pumice::icd {
namespace {

constexpr uint32_t kSmallIdentity = 1u << 16, kLargeIdentity = 1u << 24;

const char* kind_name(hw::ReportKind kind) {
  switch (kind) {
    case hw::ReportKind::vm_fault: return "VM fault";
    case hw::ReportKind::bad_packet: return "bad packet";
    case hw::ReportKind::bad_chip: return "bad chip";
    case hw::ReportKind::bad_register: return "bad register";
    case hw::ReportKind::trace: return "trace";
    case hw::ReportKind::lockup: return "lockup";
  }
  return "?";
}

class GpuPages final : public Backing {
 public:
  explicit GpuPages(hw::Gpu& gpu) : gpu_(gpu) {}
  bool map(hw::GpuAddress address, uint64_t size) override { return gpu_.map(address, size); }
  bool map_file(hw::GpuAddress address, uint64_t size, int fd) override { return gpu_.map_file(address, size, fd); }
  void unmap(hw::GpuAddress address, uint64_t size) override { gpu_.unmap(address, size); }
  std::byte* host_pointer(hw::GpuAddress address) override { return gpu_.host_pointer(address); }

 private:
  hw::Gpu& gpu_;
};

}  // namespace

RadeonDevice::RadeonDevice(PhysicalDevice& p, const DeviceExtensions& enabled) : Device(p, enabled) {}

RadeonDevice::~RadeonDevice() {
  stop();
  if (gpu && environment().on(Debug::stats))
    std::fprintf(stderr, "pumice: pixels drawn by rows: %llu\n", static_cast<unsigned long long>(hw::statistics(*gpu).stretched_pixels));
  meta.reset();
  // The chip goes last of those that give memory back to it.
  ring.reset();
  chunks.reset();
  for (GpuRange& r : identity_) r.reset();
  constants_.reset();
  heap.reset();
  gpu.reset();
}

VkResult RadeonDevice::start_chip(const VkDeviceCreateInfo&) {
  hw::GpuConfig config(*chip.profile);
  config.on_report = [this](const hw::Report& r) { on_report(r); };
  config.on_interrupt = [this] { progress(); };
  // Some minutes on the reference executor; sixteen times what 512 instructions on every quad of 1920x1080 need.
  config.instruction_limit = environment().on(Debug::watchdog) ? 1u << 24 : 1ull << 32;
  const Environment& env = environment();
  config.executor = env.exec;
  config.threads = env.threads;
  config.cpu = env.cpu;
  if (!hw::available(env.cpu)) {
    config.cpu = hw::CpuChoice::best;
    for (const auto& row : hw::kCpuWords)
      if (row.value == env.cpu) warn_once(this, "PUMICE_CPU=%s: this processor or this build lacks it; using the best there is", row.word);
  }
  config.names_for_perf = env.perf_map;
  config.names_for_gdb = env.gdb_jit;
  if (!env.trace.empty()) {
    config.trace = env.trace;
    config.trace_number = next_recording();
    config.trace_limit = env.trace_limit;
    module_notes = std::make_unique<ModuleNotes>();
  }
  gpu = hw::Gpu::create(config);
  if (!gpu) return report(this, VK_ERROR_OUT_OF_HOST_MEMORY, "vkCreateDevice: the chip's address space cannot be reserved");
  // The first page is never backed; a whole low megabyte stays free so that small wrong addresses fault.
  constexpr uint64_t kSpare = 1ull << 20;
  // Packets and registers of strict chips, which all of them use for streams, copies and presents, hold 32 bits of an address.
  constexpr uint64_t kReach = 1ull << 32;
  heap = std::make_unique<GpuHeap>(std::make_unique<GpuPages>(*gpu),
                                   HeapShape{kSpare, std::min(uint64_t{1} << hw::capabilities(*chip.profile).address_bits, kReach) - kSpare,
                                             hw::Gpu::page_size(), chip.heap_bytes, &physical.heap_used});
  chunks = std::make_unique<ChunkPool>(*heap, hw::capabilities(*chip.profile));
  constants_ = GpuRange(*heap, hw::Gpu::page_size());
  const uint32_t one = 1;
  std::memcpy(constants_.host, &one, sizeof one);
  ring = std::make_unique<Ring>(*this);
  meta = std::make_unique<Meta>(*this);
  return VK_SUCCESS;
}

void RadeonDevice::on_report(const hw::Report& r) {
  chip_says(std::string(kind_name(r.kind)) + ": " + r.text, r.kind == hw::ReportKind::lockup);
  if (r.kind == hw::ReportKind::lockup) set_lost(r.text.c_str());
}

hw::GpuAddress RadeonDevice::identity_floats(uint32_t count) {
  // Two sizes, each made once and kept: recorded command buffers hold its address.
  std::lock_guard lock(identity_mutex_);
  const int which = count <= kSmallIdentity ? 0 : 1;
  GpuRange& r = identity_[which];
  if (!r.address) {
    const uint32_t n = which ? kLargeIdentity : kSmallIdentity;
    r = GpuRange(*heap, uint64_t{n} * 4);
    auto* out = reinterpret_cast<float*>(r.host);
    for (uint32_t i = 0; i < n; ++i) out[i] = static_cast<float>(i);
  }
  return r.address;
}

void RadeonDevice::execute(std::span<const Commands* const> buffers) {
  std::vector<std::unique_ptr<Cs>> transient;
  bool pending = false;
  if (const Step* first = before_streams()) ring->execute(first->address, first->dwords);
  for (const Commands* c : buffers)
    if (!run(static_cast<const RadeonCommands*>(c)->cs.steps(), transient, pending)) return;
  pending ? ring->finish() : ring->wait();
}

bool RadeonDevice::begin(std::span<const Commands* const> buffers, uint32_t& ticket) {
  if (const Environment& env = environment(); env.on(Debug::packets) || env.on(Debug::submit)) return false;
  if (module_notes && module_notes->any()) return false;
  size_t steps = 0;
  for (const Commands* c : buffers)
    for (const Step& step : static_cast<const RadeonCommands*>(c)->cs.steps()) {
      if (step.host) return false;
      ++steps;
    }
  if (!ring->has_room(steps + 1)) return false;
  if (const Step* first = before_streams()) ring->execute(first->address, first->dwords);
  for (const Commands* c : buffers)
    for (const Step& step : static_cast<const RadeonCommands*>(c)->cs.steps()) ring->execute(step.address, step.dwords);
  ticket = steps ? ring->fence() : ring->last();
  return true;
}

bool RadeonDevice::listens_to_shows() const { return !environment().trace.empty(); }

void RadeonDevice::shows(const Plane& plane, bool red_first) {
  if (!listens_to_shows()) return;
  ring->label({.address = address32(plane.address),
               .pitch_bytes = plane.pitch_bytes,
               .width_height = plane.width | plane.height << 16,
               .order = red_first ? 1u : 0u});
  // The label is in the file when the present is done: the application may destroy the device or exit next, with the label still in the
  // ring.
  ring->finish();
}

bool RadeonDevice::passed(uint32_t ticket) const { return ring->reached(ticket); }

bool RadeonDevice::run(const std::vector<Step>& steps, std::vector<std::unique_ptr<Cs>>& transient, bool& pending) {
  for (const Step& step : steps) {
    if (lost) return false;
    declare_modules(transient, pending);
    if (!step.host) {
      if (environment().on(Debug::packets)) dump(step);
      ring->execute(step.address, step.dwords);
      pending = true;
      continue;
    }
    if (!(pending ? ring->finish() : ring->wait())) return false;
    pending = false;
    transient.clear();  // what they fed has finished
    if (environment().on(Debug::submit)) std::fprintf(stderr, "pumice: submit: host step\n");
    transient.push_back(std::make_unique<Cs>(*chunks));
    Cs& cs = *transient.back();
    HostContext context{*this, cs};
    step.host(context);
    declare_modules(transient, pending);  // programs may have been compiled just now
    cs.close();
    for (const Step& made : cs.steps()) {
      if (environment().on(Debug::packets)) dump(made);
      ring->execute(made.address, made.dwords);
      pending = true;
    }
    if (lost) return false;
  }
  return true;
}

void RadeonDevice::declare_modules(std::vector<std::unique_ptr<Cs>>& transient, bool& pending) {
  if (!module_notes || !module_notes->any()) return;
  Cs& cs = *transient.emplace_back(std::make_unique<Cs>(*chunks));
  module_notes->write(cs);
  cs.close();
  for (const Step& step : cs.steps()) ring->execute(step.address, step.dwords);
  pending = true;
}

void RadeonDevice::dump(const Step& step) const {
  const std::span words(reinterpret_cast<const uint32_t*>(host(step.address)), step.dwords);
  std::fprintf(stderr, "pumice: stream at 0x%08llX, %u dwords\n%s", static_cast<unsigned long long>(step.address), step.dwords,
               hw::dump_stream(*chip.profile, words).c_str());
}

}  // namespace pumice::icd
