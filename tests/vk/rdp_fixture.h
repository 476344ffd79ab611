// SPDX-License-Identifier: MIT
/// An RDP device through the loader, and the same chip without Vulkan to compare with.
#pragma once
#include <pumice/vulkan_pumice_rdp.h>

#include <span>

#include "hw/rdp/rdp.h"
#include "hw/rdp/ref/triangle_setup.h"
#include "tests/vk/fixture.h"

namespace vktest {

namespace rdp = pumice::hw::rdp;

/// Words of a list, as the chip reads them from memory.
class List {
 public:
  template <class Command>
  requires requires(Command c) { c.raw; }
  void put(const Command& c) { put(std::span<const uint64_t>(c.raw)); }
  void put(std::span<const uint64_t> words) { words_.insert(words_.end(), words.begin(), words.end()); }
  const std::vector<uint64_t>& words() const { return words_; }
  VkDeviceSize bytes() const { return words_.size() * 8; }
  /// Big-endian.
  static void store(std::span<const uint64_t> words, uint8_t* to) {
    for (uint64_t w : words)
      for (int shift = 56; shift >= 0; shift -= 8) *to++ = static_cast<uint8_t>(w >> shift);
  }

 private:
  std::vector<uint64_t> words_;
};

class RdpVk : public Vk {
 protected:
  RdpVk();
  void SetUp() override;

  uint32_t address(const Buffer& b) const { return get_buffer_address(device, b.handle); }
  /// A buffer that holds the list.
  Buffer list_buffer(const List& list);
  void execute(const List& list);
  /// Words that fill a 16-bit picture with a colour.
  static void clear16(List& list, uint32_t image, uint32_t width, uint32_t height, uint16_t color);

  /// What VK_EXT_debug_utils said, joined.
  std::string said;

  PFN_vkGetBufferRdpAddressPUMICE get_buffer_address = nullptr;
  PFN_vkGetImageRdpAddressPUMICE get_image_address = nullptr;
  PFN_vkCmdExecuteRdpListPUMICE cmd_execute = nullptr;
  PFN_vkCmdScanOutRdpPUMICE cmd_scan_out = nullptr;
};

}  // namespace vktest
