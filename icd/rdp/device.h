// SPDX-License-Identifier: MIT
/// The device of an RDP: a card (hw/rdp/card.h) with its RDRAM. Recorded steps call the functions below on the queue's thread; each has
/// everything in memory when it returns, so barriers have nothing to do.
#pragma once
#include <unordered_set>

#include "hw/rdp/card.h"
#include "icd/device.h"

namespace pumice::icd {

/// Rows of bytes for the card's DMA engine.
struct RdpRows {
  hw::GpuAddress from = 0;
  uint32_t from_pitch = 0;
  hw::GpuAddress to = 0;
  uint32_t to_pitch = 0;
  uint32_t bytes = 0, rows = 1;
};

/// The scan-out's registers in the driver's words.
struct RdpScanOut {
  hw::GpuAddress from = 0;
  uint32_t stride = 0, width = 0, height = 0, pixel_size = 0;
  hw::GpuAddress to = 0;
  uint32_t to_pitch = 0, to_width = 0, to_height = 0;
  bool bilinear = false, bgra = false;
};

class RdpDevice : public Device {
 public:
  RdpDevice(PhysicalDevice& p, const DeviceExtensions& enabled) : Device(p, enabled) {}
  ~RdpDevice() override;

  void execute(std::span<const Commands* const> buffers) override;
  void host_wrote(hw::GpuAddress address, uint64_t size) override;
  void object_made(const DeviceObject& o) override;
  void object_gone(const DeviceObject& o) override;

  /// Whether the handle is an object of this device and of the type. Layers that wrap handles do not unwrap them for unknown extensions.
  bool knows(uint64_t handle, VkObjectType wanted, const char* function);

  void run_list(hw::GpuAddress address, uint32_t bytes);
  void copy(const RdpRows& rows);
  /// The host's bytes, through DMEM.
  void upload(hw::GpuAddress to, std::span<const uint8_t> bytes);
  /// Rows of a repeated pattern of 1, 2, 4, 8 or 16 bytes.
  void fill(const RdpRows& rows, std::span<const uint8_t> pattern);
  void scan_out(const RdpScanOut& s);

 protected:
  VkResult start_chip(const VkDeviceCreateInfo& info) override;

 private:
  template <class R>
  void set(R value) {
    card_->write(R::offset, value.raw);
  }
  void set_rows(const RdpRows& rows);

  std::unique_ptr<hw::rdp::Card> card_;
  uint32_t interrupts_ = 0;  ///< under sync_mutex
  bool hang_loses_device_ = false;
  std::mutex objects_mutex_;
  std::unordered_set<uint64_t> objects_;
};

inline RdpDevice& rdp(Device& d) { return static_cast<RdpDevice&>(d); }

}  // namespace pumice::icd
