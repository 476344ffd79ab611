// SPDX-License-Identifier: MIT
/// The chip as a whole: address space and command processor behind the facade of gpu.h.
#include "hw/radeon/gpu.h"

#include <charconv>
#include <utility>

#include "hw/common/simd/cpu.h"
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
  bool map_file(GpuAddress address, uint64_t size, int fd) override {
    return recorder_ ? recorder_->map_file(address, size, fd) : memory_->map_file(address, size, fd);
  }
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
  Cp cp_;  // last: its thread ends before the memory is destroyed
};

}  // namespace

// There is no other Gpu.
bool help_until(Gpu& gpu, const std::function<bool()>& done, std::chrono::nanoseconds patience) {
  return static_cast<Chip&>(gpu).team().help_until(done, patience);
}

Statistics statistics(Gpu& gpu) { return {static_cast<Chip&>(gpu).draws().stretched_pixels()}; }

bool available(CpuChoice cpu) {
  switch (cpu) {
    case CpuChoice::best: return fast::runs(fast::best_cpu());
    case CpuChoice::portable: return fast::runs(fast::Cpu::portable);
    case CpuChoice::avx2: return fast::runs(fast::Cpu::avx2);
    case CpuChoice::avx512: return fast::runs(fast::Cpu::avx512);
  }
  return false;
}

std::string set_execution(Execution& config, const std::string& executor, const std::string& threads, const std::string& cpu,
                          bool* lacking) {
  std::string wrong;
  const auto choose = [&](const char* what, const std::string& word, auto& value, const auto& table) {
    if (word.empty()) return;
    std::string words;
    for (const auto& row : table) {
      if (word == row.word) {
        value = row.value;
        return;
      }
      words += ' ';
      words += row.word;
    }
    wrong.append(what).append(" '").append(word).append("' is none of ").append(words).append("; ");
  };
  choose("executor", executor, config.executor, kExecutorWords);
  CpuChoice chosen = config.cpu;
  choose("instruction set", cpu, chosen, kCpuWords);
  if (available(chosen)) config.cpu = chosen;
  if (!threads.empty()) {
    uint32_t n = 0;
    const auto [end, status] = std::from_chars(threads.data(), threads.data() + threads.size(), n);
    if (status == std::errc() && end == threads.data() + threads.size() && n >= 1 && n <= kMaxThreads)
      config.threads = n;
    else
      wrong += "'" + threads + "' is no number of threads from 1 to " + std::to_string(kMaxThreads) + "; ";
  }
  if (lacking) *lacking = wrong.empty() && !available(chosen);
  if (!available(chosen)) wrong.append("this processor cannot run '").append(cpu).append("'; ");
  return wrong;
}

std::unique_ptr<Gpu> Gpu::create(const GpuConfig& config) {
  if (!is_chip(config.profile)) {
    std::string text = "GpuConfig::profile: there is no chip number ";
    text += std::to_string(static_cast<unsigned>(config.profile));
    if (config.on_report) config.on_report({ReportKind::bad_chip, std::move(text)});
    return nullptr;
  }
  if (!available(config.cpu)) return nullptr;
  auto memory = Memory::create(capabilities(config.profile).address_bits);
  if (!memory) return nullptr;
  return std::make_unique<Chip>(config, std::move(memory));
}

}  // namespace pumice::hw
