// SPDX-License-Identifier: MIT
/// What an extended draw (docs/r5x.md) reads besides registers: programs in memory, push constants, buffers and images of its descriptors.
#pragma once
#include <string>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/xt/descriptor.h"

namespace pumice::hw::trace {

/// The program of a stage; never null.
std::shared_ptr<const x::Program> program_of(const DrawContext& ctx, x::Stage stage);

/// Both programs disassembled, each followed by its literals.
std::vector<std::string> extended_program_lines(const DrawContext& ctx);
/// Push constants, and the first bytes of the buffers whose descriptors the programs name: rows of four dwords.
std::vector<std::string> extended_constant_lines(const DrawContext& ctx);

/// An image that a program reads or writes; descriptors that a register chooses are left out.
struct BoundImage {
  std::string name;  ///< "set 0 + 64"
  xt::Image image;
};
std::vector<BoundImage> bound_images(const DrawContext& ctx);

/// Changes with programs, literals, push constants and what descriptors name but for addresses.
uint64_t extended_digest(const DrawContext& ctx);

}  // namespace pumice::hw::trace
