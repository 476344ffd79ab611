// SPDX-License-Identifier: MIT
/// From a lane program to machine code in executable memory (code_memory.h); where pages cannot be mapped twice, pages of its own that are
/// written first and then made executable and read-only.
#include "hw/radeon/jit/lane/routine.h"

#if defined(__x86_64__)
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "hw/radeon/jit/lane/debugger.h"
#include "hw/radeon/jit/lane/emitter.h"
#include "hw/radeon/jit/lane/schedule.h"

namespace pumice::hw::fast::lane {
namespace {

/// Names for perf and gdb.
class Named : public Code {
 public:
  Named(void* memory, size_t size, const std::string& name, CodeNames names) {
    function_ = reinterpret_cast<Function>(memory);
    size_ = size;
    if (names.perf) tell_perf(memory, size, name);
    if (names.gdb) symbol_.emplace(memory, size, name);
  }

 private:
  std::optional<GdbSymbol> symbol_;
};

class Shared : public Named {
 public:
  Shared(std::shared_ptr<CodeMemory> memory, void* run, size_t size, const std::string& name, CodeNames names)
      : Named(run, size, name, names), memory_(std::move(memory)), run_(run) {}
  ~Shared() override { memory_->release(run_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

 private:
  const std::shared_ptr<CodeMemory> memory_;
  void* const run_;
};

class Mapped : public Named {
 public:
  Mapped(void* memory, size_t length, size_t size, const std::string& name, CodeNames names)
      : Named(memory, size, name, names), memory_(memory), length_(length) {}
  ~Mapped() override { munmap(memory_, length_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

 private:
  void* const memory_;
  const size_t length_;
};

struct Errors : asmjit::ErrorHandler {
  bool any = false;
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
};

}  // namespace

std::shared_ptr<const Code> assemble(const Program& program, Cpu cpu, const std::string& name, CodeNames names, CpuExtras extras,
                                     const std::shared_ptr<CodeMemory>& shared) {
#if !defined(__OPTIMIZE__)
  if (const std::string wrong = validate(program); !wrong.empty()) {
    std::fprintf(stderr, "lane program %s:\n%s%s", name.c_str(), print(program).c_str(), wrong.c_str());
    std::abort();
  }
#endif
  if (cpu == Cpu::portable) return nullptr;
  Errors errors;
  asmjit::CodeHolder holder;
  if (holder.init(asmjit::Environment::host())) return nullptr;
  holder.setErrorHandler(&errors);
  const Pins pins = choose_pins(program, cpu);
  ScheduleLimits limits = schedule_limits(cpu);
  limits.values -= pins.values * (cpu == Cpu::avx512 ? 1 : 2), limits.masks -= pins.masks;
  Emitter(scheduled(program, limits), pins, cpu, extras, holder).run();
  if (errors.any || holder.flatten() || holder.resolveUnresolvedLinks()) return nullptr;

  const size_t page = size_t(sysconf(_SC_PAGESIZE)), size = holder.codeSize(), length = (size + page - 1) / page * page;
  const auto place = [&](void* run, void* write) {
    return !holder.relocateToBase(uint64_t(reinterpret_cast<uintptr_t>(run))) && !holder.copyFlattenedData(write, size) && !errors.any;
  };
  if (const CodeMemory::Place at = shared ? shared->allocate(size) : CodeMemory::Place(); at.run) {
    if (place(at.run, at.write)) return std::make_shared<Shared>(shared, at.run, size, name, names);
    shared->release(at.run);
    return nullptr;
  }
  void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (!place(memory, memory) || mprotect(memory, length, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, length);
    return nullptr;
  }
  return std::make_shared<Mapped>(memory, length, size, name, names);
}

}  // namespace pumice::hw::fast::lane

/// asmjit's file globals.cpp, replaced: Debian compiles the static library for executables, and that file alone refers to stderr in a way
/// a shared object cannot. These definitions come first, so the linker leaves the archive's member out. They must stay in an object that
/// is always linked.
namespace asmjit {
const char* DebugUtils::errorAsString(Error code) noexcept { return code == kErrorOk ? "ok" : "asmjit error"; }
void DebugUtils::debugOutput(const char* text) noexcept { std::fputs(text, stderr); }
void DebugUtils::assertionFailed(const char* file, int line, const char* text) noexcept {
  std::fprintf(stderr, "asmjit: %s:%d: %s\n", file, line, text);
  std::abort();
}
}  // namespace asmjit

#else
namespace pumice::hw::fast::lane {
std::shared_ptr<const Code> assemble(const Program&, Cpu, const std::string&, CodeNames, CpuExtras, const std::shared_ptr<CodeMemory>&) {
  return nullptr;
}
}  // namespace pumice::hw::fast::lane

#endif
