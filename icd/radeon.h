// SPDX-License-Identifier: MIT
/// The device of a Radeon: its chip, address space and ring.
#pragma once
#include "hw/radeon/gpu.h"
#include "hw/radeon/help.h"
#include "icd/commands.h"
#include "icd/cs.h"
#include "icd/device.h"
#include "icd/module_notes.h"
#include "icd/recent_programs.h"

namespace pumice::icd {

class Ring;
class Meta;

class RadeonDevice : public Device {
 public:
  RadeonDevice(PhysicalDevice& physical, const DeviceExtensions& enabled);
  ~RadeonDevice() override;

  void execute(std::span<const Commands* const> buffers) override;
  bool begin(std::span<const Commands* const> buffers, uint32_t& ticket) override;
  bool passed(uint32_t ticket) const override;
  bool hung() const override { return gpu->hung(); }
  bool help_until(const std::function<bool()>& ready, std::chrono::nanoseconds patience) override {
    return hw::help_until(*gpu, ready, patience);
  }
  void shows(const Plane& plane, bool red_first) override;
  bool listens_to_shows() const override;

  std::unique_ptr<hw::Gpu> gpu;
  std::unique_ptr<ChunkPool> chunks;
  std::unique_ptr<Ring> ring;
  std::unique_ptr<Meta> meta;
  /// Programs of this device's pipelines, dead ones too, so that making a pipeline again is cheap without an application's cache.
  RecentPrograms programs{512, 4 << 20};
  /// Null: nothing is recorded.
  std::unique_ptr<ModuleNotes> module_notes;

  /// Floats 0, 1, 2, ...: gl_VertexIndex and gl_InstanceIndex are attributes read from here. Holds at least `count`.
  hw::GpuAddress identity_floats(uint32_t count);
  /// A constant page: dwords 1, 0 at 0; zeros from byte 64 on.
  hw::GpuAddress constants_page() const { return constants_.address; }

 protected:
  VkResult start_chip(const VkDeviceCreateInfo& info) override;
  /// What has to run before the command buffers of a submission; null: nothing.
  virtual const Step* before_streams() { return nullptr; }

 private:
  void on_report(const hw::Report& r);
  bool run(const std::vector<Step>& steps, std::vector<std::unique_ptr<Cs>>& transient, bool& pending);
  /// Before streams that use what waits in module_notes.
  void declare_modules(std::vector<std::unique_ptr<Cs>>& transient, bool& pending);
  void dump(const Step& step) const;

  std::mutex identity_mutex_;
  GpuRange identity_[2];
  GpuRange constants_;
};

/// A command buffer of any Radeon: what it is to the queue.
class RadeonCommands : public Commands {
 public:
  RadeonCommands(RadeonDevice& d, CommandPool& p, VkCommandBufferLevel l) : Commands(d, p, l), cs(*d.chunks) {}
  Cs cs;
};

/// Objects that only Radeon functions make belong to a Radeon.
inline RadeonDevice& radeon(Device& d) { return static_cast<RadeonDevice&>(d); }

}  // namespace pumice::icd
