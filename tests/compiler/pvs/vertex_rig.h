// SPDX-License-Identifier: MIT
/// Runs a vertex program on random inputs: the evaluator on one module, the chip's PVS on microcode compiled from another (the same, or
/// the same after passes), and compares what they write.
#pragma once
#include <gtest/gtest.h>

#include "compiler/ir/ir.h"

namespace pumice::compiler::testing {

/// Position goes to output register 0, location k to register 1 + k. tolerance 0: to the bit. A failure prints `text` and the microcode.
void expect_same_vertex(const ir::Module& reference, const ir::Module& chip, const std::string& text, float tolerance, uint32_t seed,
                        unsigned vertices);

}  // namespace pumice::compiler::testing
