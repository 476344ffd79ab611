// SPDX-License-Identifier: MIT
/// The chip as a whole: address space and command processor behind the facade of gpu.h.
#include "hw/gpu.h"

#include "hw/cp/cp.h"
#include "hw/memory/memory.h"

namespace pumice::hw {

namespace {

class Chip final : public Gpu {
 public:
  Chip(const GpuConfig& config, std::unique_ptr<Memory> memory)
      : config_(config), memory_(std::move(memory)), cp_(config_, *memory_, execute_draw) {}

  bool map(GpuAddress address, uint64_t size) override { return memory_->map(address, size); }
  void unmap(GpuAddress address, uint64_t size) override { memory_->unmap(address, size); }
  std::byte* host_pointer(GpuAddress address) override { return memory_->host_pointer(address); }
  uint32_t mmio_read(uint32_t offset) override { return cp_.mmio_read(offset); }
  void mmio_write(uint32_t offset, uint32_t value) override { cp_.mmio_write(offset, value); }
  bool hung() const override { return cp_.hung(); }
  void soft_reset() override { cp_.soft_reset(); }

 private:
  const GpuConfig config_;
  std::unique_ptr<Memory> memory_;
  Cp cp_;  // last: its thread ends before the memory goes
};

}  // namespace

std::unique_ptr<Gpu> Gpu::create(const GpuConfig& config) {
  auto memory = Memory::create();
  if (!memory) return nullptr;
  return std::make_unique<Chip>(config, std::move(memory));
}

}  // namespace pumice::hw
