// SPDX-License-Identifier: MIT
/// Executable memory: pages that are written first and then made executable and read-only, a mapping per routine.
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

class Mapped : public Code {
 public:
  Mapped(void* memory, size_t length, size_t size, const std::string& name, CodeNames names) : memory_(memory), length_(length) {
    function_ = reinterpret_cast<Function>(memory);
    size_ = size;
    if (names.perf) tell_perf(memory, size, name);
    if (names.gdb) symbol_.emplace(memory, size, name);
  }
  ~Mapped() override { munmap(memory_, length_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

 private:
  void* memory_;
  size_t length_;
  std::optional<GdbSymbol> symbol_;
};

struct Errors : asmjit::ErrorHandler {
  bool any = false;
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
};

}  // namespace

std::shared_ptr<const Code> assemble(const Program& program, Cpu cpu, const std::string& name, CodeNames names, CpuExtras extras) {
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
  void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const bool ok = !holder.relocateToBase(uint64_t(reinterpret_cast<uintptr_t>(memory))) && !holder.copyFlattenedData(memory, length) &&
                  !errors.any && mprotect(memory, length, PROT_READ | PROT_EXEC) == 0;
  if (!ok) {
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
std::shared_ptr<const Code> assemble(const Program&, Cpu, const std::string&, CodeNames) { return nullptr; }
}  // namespace pumice::hw::fast::lane

#endif
