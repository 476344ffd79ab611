// SPDX-License-Identifier: MIT
/// The chip as a whole: address space and command processor behind the facade of gpu.h.
#include "hw/radeon/gpu.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "hw/common/threads/team.h"
#include "hw/radeon/cp/cp.h"
#include "hw/radeon/fast/make.h"
#include "hw/radeon/help.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/statistics.h"
#include "hw/radeon/trace/recorder.h"

namespace pumice::hw {

namespace {

class Chip final : public Gpu {
 public:
  Chip(const GpuConfig& config, std::unique_ptr<Memory> memory)
      : config_(config),
        memory_(std::move(memory)),
        team_(config_.threads),
        draws_(make_executor(config_, *memory_, team_)),
        recorder_(config_.trace.empty() ? nullptr : trace::Recorder::create(config_, *memory_)),
        cp_(config_, *memory_, *draws_, team_, recorder_.get()) {}

  bool map(GpuAddress address, uint64_t size) override { return recorder_ ? recorder_->map(address, size) : memory_->map(address, size); }
  void unmap(GpuAddress address, uint64_t size) override { recorder_ ? recorder_->unmap(address, size) : memory_->unmap(address, size); }
  std::byte* host_pointer(GpuAddress address) override { return memory_->host_pointer(address); }
  uint32_t mmio_read(uint32_t offset) override { return cp_.mmio_read(offset); }
  void mmio_write(uint32_t offset, uint32_t value) override { cp_.mmio_write(offset, value); }
  bool hung() const override { return cp_.hung(); }
  void soft_reset() override { cp_.soft_reset(); }
  Team& team() { return team_; }
  const DrawExecutor& draws() const { return *draws_; }

 private:
  const GpuConfig config_;
  std::unique_ptr<Memory> memory_;
  Team team_;
  std::unique_ptr<DrawExecutor> draws_;
  std::unique_ptr<trace::Recorder> recorder_;
  Cp cp_;  // last: its thread ends before the memory goes
};

}  // namespace

// There is no other Gpu.
bool help_until(Gpu& gpu, const std::function<bool()>& done, std::chrono::nanoseconds patience) {
  return static_cast<Chip&>(gpu).team().help_until(done, patience);
}

Statistics statistics(Gpu& gpu) { return {static_cast<Chip&>(gpu).draws().stretched_pixels()}; }

std::string set_execution(GpuConfig& config, const std::string& executor, const std::string& threads, const std::string& cpu) {
  std::string wrong;
  const auto choose = [&](const std::string& word, auto& value, auto names) {
    if (word.empty()) return;
    for (const auto& [name, code] : names)
      if (word == name) {
        value = code;
        return;
      }
    wrong += "'" + word + "' is none of";
    for (const auto& [name, code] : names) wrong += std::string(" ") + name;
    wrong += "; ";
  };
  using Kind = std::pair<const char*, ExecutorKind>;
  choose(executor, config.executor,
         std::array{Kind{"fast", ExecutorKind::fast}, Kind{"ref", ExecutorKind::ref}, Kind{"check", ExecutorKind::check}});
  using Set = std::pair<const char*, CpuChoice>;
  choose(cpu, config.cpu, std::array{Set{"portable", CpuChoice::portable}, Set{"avx2", CpuChoice::avx2}, Set{"avx512", CpuChoice::avx512}});
  if (!threads.empty()) {
    char* end = nullptr;
    const unsigned long n = std::strtoul(threads.c_str(), &end, 10);
    if (*end == 0 && n <= 256)
      config.threads = static_cast<uint32_t>(n);
    else
      wrong += "'" + threads + "' is no number of threads up to 256; ";
  }
  return wrong;
}

std::unique_ptr<Gpu> Gpu::create(const GpuConfig& config) {
  auto memory = Memory::create(address_bits(config.profile));
  if (!memory) return nullptr;
  return std::make_unique<Chip>(config, std::move(memory));
}

}  // namespace pumice::hw
