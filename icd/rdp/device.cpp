// SPDX-License-Identifier: MIT
#include "icd/rdp/device.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "icd/debug.h"
#include "icd/queue.h"
#include "icd/rdp/chip.h"
#include "icd/rdp/command_buffer.h"

namespace pumice::icd {
namespace {

using namespace hw::rdp;  // registers

/// The unit of allocation: the alignment of colour and z images, and so of every buffer and image.
constexpr uint32_t kGranule = 64;

/// In DMEM: the list that ends every list of the application, and room for bytes of the host.
/// No command is longer than 22 words. Twenty-one zero words complete one that the application cut off and are No Ops otherwise; then Sync
/// Full. RDRAM would not do: a damaged list may draw anywhere in it.
constexpr uint32_t kTailBytes = 22 * 8, kStaging = 256, kStagingBytes = Card::kDmemBytes - kStaging;
constexpr auto kPatience = std::chrono::seconds(10);

/// An address as the card's registers hold it: the heap ends with RDRAM.
uint32_t dram_address(hw::GpuAddress address) { return static_cast<uint32_t>(address); }

class RdramBacking final : public Backing {
 public:
  explicit RdramBacking(Card& card) : card_(card) {}
  bool map(hw::GpuAddress address, uint64_t size) override {
    std::memset(host_pointer(address), 0, size);
    card_.cpu_wrote(dram_address(address), static_cast<uint32_t>(size));
    return true;
  }
  void unmap(hw::GpuAddress, uint64_t) override {}
  std::byte* host_pointer(hw::GpuAddress address) override { return card_.rdram().data() + address; }

 private:
  Card& card_;
};

/// One unless set by the user: images of the console's size do not benefit from more.
unsigned thread_count(uint32_t wanted) { return std::clamp(wanted, 1u, 16u); }

}  // namespace

RdpDevice::~RdpDevice() {
  stop();
  heap.reset();
}

VkResult RdpDevice::start_chip(const VkDeviceCreateInfo& info) {
  CardConfig config;
  config.rdram_size = static_cast<uint32_t>(chip.heap_bytes);
  if (const auto* own = find_next<VkDeviceRdpCreateInfoPUMICE>(info.pNext, VK_STRUCTURE_TYPE_DEVICE_RDP_CREATE_INFO_PUMICE)) {
    hang_loses_device_ = own->flags & VK_DEVICE_RDP_CREATE_HANG_LOSES_DEVICE_BIT_PUMICE;
    if (own->rdramSize) config.rdram_size = own->rdramSize;
  }
  if (config.rdram_size % kRdramUnit || config.rdram_size > Card::kMaxRdram)
    return report(this, VK_ERROR_INITIALIZATION_FAILED, "vkCreateDevice: rdramSize %u is not 1 to 16 MiB", config.rdram_size);
  const Environment& env = environment();
  config.threads = thread_count(env.threads);
  config.reference = env.exec == hw::ExecutorKind::ref;
  if (env.exec == hw::ExecutorKind::check)
    warn_once(this, "%s", bad_value("PUMICE_EXEC", "check", "fast or ref for an RDP", "using fast").c_str());
  config.on_interrupt = [this] {
    std::lock_guard lock(sync_mutex);
    ++interrupts_;
    sync_changed.notify_all();
  };
  config.on_hang = [this](const std::string& text) {
    chip_says("RDP hangs: " + text, hang_loses_device_);
    if (hang_loses_device_) set_lost("the RDP hangs");
  };
  if (!env.trace.empty()) {
    config.trace = env.trace;
    if (const uint32_t number = next_recording()) config.trace += "." + std::to_string(number);
    config.trace_limit = env.trace_limit;
    config.on_trace = [this](const std::string& text) { warn_once(this, "PUMICE_TRACE: %s", text.c_str()); };
  }
  card_ = Card::create(config);
  if (!card_) return report(this, VK_ERROR_INITIALIZATION_FAILED, "vkCreateDevice: no card with %u bytes of RDRAM", config.rdram_size);
  // Address 0 means nothing to the heap, and a list must end below 16 MiB: DPC_END has 24 bits.
  heap = std::make_unique<GpuHeap>(std::make_unique<RdramBacking>(*card_),
                                   HeapShape{kGranule, config.rdram_size - kGranule, kGranule, config.rdram_size});
  const uint64_t sync_full = uint64_t{static_cast<uint8_t>(Op::sync_full)} << 56;
  for (uint32_t i = 0; i < 8; ++i) card_->dmem()[kTailBytes - 8 + i] = static_cast<std::byte>(sync_full >> (56 - 8 * i));
  return VK_SUCCESS;
}

void RdpDevice::execute(std::span<const Commands* const> buffers) {
  for (const Commands* c : buffers)
    for (const auto& step : static_cast<const RdpCommandBuffer*>(c)->steps) {
      if (lost) return;
      step(*this);
    }
}

void RdpDevice::host_wrote(hw::GpuAddress address, uint64_t size) { card_->cpu_wrote(dram_address(address), static_cast<uint32_t>(size)); }

void RdpDevice::object_made(const DeviceObject& o) {
  std::lock_guard lock(objects_mutex_);
  objects_.insert(reinterpret_cast<uint64_t>(static_cast<const Object*>(&o)));
}
void RdpDevice::object_gone(const DeviceObject& o) {
  std::lock_guard lock(objects_mutex_);
  objects_.erase(reinterpret_cast<uint64_t>(static_cast<const Object*>(&o)));
}

bool RdpDevice::knows(uint64_t handle, VkObjectType wanted, const char* function) {
  {
    std::lock_guard lock(objects_mutex_);
    if (objects_.contains(handle) && reinterpret_cast<const Object*>(handle)->type == wanted) return true;
  }
  report(this, VK_ERROR_VALIDATION_FAILED_EXT,
         "%s: 0x%llX is no handle of this device. A layer that wraps handles? For VK_LAYER_KHRONOS_validation disable "
         "VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT",
         function, static_cast<unsigned long long>(handle));
  return false;
}

void RdpDevice::run_list(hw::GpuAddress list, uint32_t bytes) {
  const uint32_t address = dram_address(list);
  if (environment().on(Debug::submit)) std::fprintf(stderr, "pumice: submit: RDP list of %u words at %06X\n", bytes / 8, address);
  if (environment().on(Debug::packets)) std::fputs(card_->listing(address, bytes).c_str(), stderr);
  card_->write(DPC_START::offset, address);
  card_->write(DPC_END::offset, address + bytes);
  if (card_->read(DPC_CURRENT::offset) != address + bytes) {
    set_lost("the DP does not fetch its list");
    return;
  }
  uint32_t before = 0;
  {
    std::lock_guard lock(sync_mutex);
    before = interrupts_;
  }
  set(DPC_STATUS_W{}.SET_XBUS(1));
  card_->write(DPC_START::offset, 0);
  card_->write(DPC_END::offset, kTailBytes);
  set(DPC_STATUS_W{}.CLR_XBUS(1));
  std::unique_lock lock(sync_mutex);
  const bool came = sync_changed.wait_for(lock, kPatience, [&] { return lost || interrupts_ != before; });
  lock.unlock();
  if (!came) set_lost("no DP interrupt");
}

void RdpDevice::set_rows(const RdpRows& r) {
  set(DMA_SRC_PITCH{}.BYTES(r.from_pitch));
  set(DMA_DST{}.ADDRESS(dram_address(r.to)));
  set(DMA_DST_PITCH{}.BYTES(r.to_pitch));
  set(DMA_ROW{}.BYTES(r.bytes));
  set(DMA_ROWS{}.COUNT(r.rows));
}

void RdpDevice::copy(const RdpRows& r) {
  set(DMA_SRC{}.ADDRESS(dram_address(r.from)));
  set_rows(r);
}

void RdpDevice::upload(hw::GpuAddress to, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto n = static_cast<uint32_t>(std::min<size_t>(bytes.size(), kStagingBytes));
    std::memcpy(card_->dmem().data() + kStaging, bytes.data(), n);
    set(DMA_SRC{}.ADDRESS(kStaging).DMEM(1));
    set_rows({.to = to, .bytes = n});
    to += n;
    bytes = bytes.subspan(n);
  }
}

void RdpDevice::fill(const RdpRows& r, std::span<const uint8_t> pattern) {
  // A multiple of every pattern's length, so that the next piece goes on where this one ends.
  constexpr uint32_t kPiece = kStagingBytes / 16 * 16;
  for (uint32_t i = 0; i < kPiece; ++i) card_->dmem()[kStaging + i] = static_cast<std::byte>(pattern[i % pattern.size()]);
  for (uint32_t at = 0; at < r.bytes; at += kPiece) {
    set(DMA_SRC{}.ADDRESS(kStaging).DMEM(1));
    set_rows({.to = r.to + at, .to_pitch = r.to_pitch, .bytes = std::min(kPiece, r.bytes - at), .rows = r.rows});
  }
}

void RdpDevice::scan_out(const RdpScanOut& s) {
  set(SCAN_ORIGIN{}.ADDRESS(s.from));
  set(SCAN_STRIDE{}.PIXELS(s.stride));
  set(SCAN_SIZE{}.WIDTH(s.width).HEIGHT(s.height));
  set(SCAN_DST{}.ADDRESS(s.to));
  set(SCAN_DST_PITCH{}.BYTES(s.to_pitch));
  set(SCAN_DST_SIZE{}.WIDTH(s.to_width).HEIGHT(s.to_height));
  set(SCAN_X_SCALE{}.STEP(s.width * 1024 / s.to_width));
  set(SCAN_Y_SCALE{}.STEP(s.height * 1024 / s.to_height));
  set(SCAN_CNTL{}.SIZE(s.pixel_size).BILINEAR(s.bilinear).BGRA(s.bgra));
}

}  // namespace pumice::icd
