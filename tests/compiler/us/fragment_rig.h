// SPDX-License-Identifier: MIT
/// Runs a fragment program on quads of random inputs: the evaluator on one module, the chip's US on microcode compiled from another
/// (the same, or the same after passes), and compares what they write.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "compiler/isa/error.h"
#include "tests/compiler/chip.h"

namespace pumice::compiler::testing {

/// Compiles `chip` and compares with the evaluation of `reference`. tolerance 0: to the bit. A failure prints `text` and the microcode.
void expect_same_fragment(const ir::Module& reference, const ir::Module& chip, const std::string& text, float tolerance, uint32_t seed,
                          unsigned quads, const ChipLimits& limits = kR500);

}  // namespace pumice::compiler::testing
