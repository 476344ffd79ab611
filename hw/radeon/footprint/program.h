// SPDX-License-Identifier: MIT
/// What an extended program does to memory (docs/r5x.md, sections 3 and 4), from its code: the descriptors that it names.
#pragma once
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/footprint/rows.h"

namespace pumice::hw::footprint {

/// Bytes from address 0 that extended programs may reach through descriptors.
inline constexpr uint64_t kEverything = 1ull << 40;

/// What a program does to memory, from its code.
struct ProgramUses {
  static constexpr x::Derived kDerived = x::Derived::footprint;
  struct Descriptor {
    isa::us_r500::Selector at;
    bool image = false;
    bool reads = true;       ///< else only the descriptor itself
    bool stores = false;     ///< what it describes may be read too
    bool own_pixel = false;  ///< texels are read at the fragment's own pixel only (own_pixel.h)
  };
  std::vector<Descriptor> descriptors;  ///< those that the code names, each once
  bool indirect = false;                ///< it accesses memory through descriptors that registers choose,
  bool indirect_stores = false;         ///< and stores to it
  bool stores = false, push = false, strict_lookups = false;
  uint32_t attributes = 0;  ///< mask
  uint32_t sets = 0;        ///< of descriptors, those that a register chooses included: mask
  explicit ProgramUses(const x::Program& program);
};

/// The descriptor itself; empty of a null descriptor.
ByteRange descriptor_range(const ProgramUses::Descriptor& d, const x::Resources& needs);
/// The image that it describes; null where that is not backed.
xt::Image described_image(const ProgramUses::Descriptor& d, const x::Resources& needs, const Memory& memory);
/// What it describes: of an image with one layer the levels of the view, or, `whole`, all from its base on, which recordings have
/// digests of. Empty where the descriptor is not backed: programs read a null descriptor there.
ByteRange described_range(const ProgramUses::Descriptor& d, const x::Resources& needs, const Memory& memory, bool whole = false);

}  // namespace pumice::hw::footprint
