// SPDX-License-Identifier: MIT
/// What an extended draw or a dispatch (docs/r5x.md) reads besides registers: programs in memory, push constants, buffers and images of its
/// descriptors.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/trace/inspect/names.h"

namespace pumice::hw::trace {

/// The program of a stage; never null.
std::shared_ptr<const x::Program> program_of(const DrawContext& ctx, x::Stage stage);

using Stages = std::span<const x::Stage>;
inline constexpr x::Stage kDrawStages[] = {x::Stage::vertex, x::Stage::fragment}, kDispatchStages[] = {x::Stage::compute};

/// The programs disassembled, each followed by its literals. `names` may be null here and below.
std::vector<std::string> extended_program_lines(const DrawContext& ctx, const ProgramNames* names, Stages stages = kDrawStages);
/// Push constants, and the first bytes of the buffers whose descriptors the programs name: rows of four dwords.
std::vector<std::string> extended_constant_lines(const DrawContext& ctx, const ProgramNames* names, Stages stages = kDrawStages);

/// An image that a program reads or writes; descriptors that a register chooses are left out.
struct BoundImage {
  std::string name;  ///< "set 0 + 64", "set 0 + 64, albedo"
  xt::Image image;
};
std::vector<BoundImage> bound_images(const DrawContext& ctx, const ProgramNames* names, Stages stages = kDrawStages);

/// Changes with programs, literals, push constants and what descriptors name but for addresses.
uint64_t extended_digest(const DrawContext& ctx);

}  // namespace pumice::hw::trace
