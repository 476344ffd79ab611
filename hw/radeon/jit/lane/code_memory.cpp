// SPDX-License-Identifier: MIT
/// See code_memory.h.
#include "hw/radeon/jit/lane/code_memory.h"

#if defined(__x86_64__)
#include <asmjit/core.h>

namespace pumice::hw::fast::lane {

namespace {
asmjit::JitAllocator::CreateParams mapped_twice() {
  asmjit::JitAllocator::CreateParams how;
  how.options = asmjit::JitAllocatorOptions::kUseDualMapping;
  return how;
}
}  // namespace

struct CodeMemory::Impl {
  const asmjit::JitAllocator::CreateParams how = mapped_twice();
  asmjit::JitAllocator allocator{&how};
};

CodeMemory::CodeMemory() = default;
CodeMemory::~CodeMemory() = default;

CodeMemory::Place CodeMemory::allocate(size_t size) {
  std::call_once(used_, [this] { impl_ = std::make_unique<Impl>(); });  // many devices never make a routine
  Place p;
  if (impl_->allocator.alloc(&p.run, &p.write, size) != asmjit::kErrorOk) return {};
  return p;
}

void CodeMemory::release(void* run) { impl_->allocator.release(run); }

}  // namespace pumice::hw::fast::lane

#else

namespace pumice::hw::fast::lane {
struct CodeMemory::Impl {};
CodeMemory::CodeMemory() = default;
CodeMemory::~CodeMemory() = default;
CodeMemory::Place CodeMemory::allocate(size_t) { return {}; }
void CodeMemory::release(void*) {}
}  // namespace pumice::hw::fast::lane

#endif
