// SPDX-License-Identifier: MIT
/// The constructs of flow control that nests (us-isa A9, docs/r5x.md s.2.1), for strict and extended programs.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::fast::us {

/// By slot. A loop is LOOP and REP, or XLOOP.
struct Structure {
  std::vector<uint32_t> partner;        ///< IF: its ELSE or ENDIF; ELSE: its ENDIF; loop: its end
  std::vector<bool> has_else;           ///< of IF
  std::vector<bool> leaves;             ///< IF: a break or continue inside leaves a loop around it
  std::vector<bool> breaks, continues;  ///< of loops
};

/// Which programs nest.
struct NestingRules {
  bool counted = true;          ///< loops are LOOP and REP; else XLOOP
  uint32_t ifs = 0, loops = 0;  ///< the most within each other
  uint32_t first = 0, end = 0;  ///< slots of the program, without `end`
  uint32_t offset = 0;          ///< of jump targets: US_CODE_OFFSET
};

/// Why a program's flow control does not nest, and where.
struct NestingProblem {
  uint32_t pc;
  const char* text;
};

/// Finds matching instructions; a problem if flow control is of another form than compilers emit.
std::optional<NestingProblem> find_structure(std::span<const isa::us_r500::Instruction> code, const NestingRules& rules, Structure& out);

}  // namespace pumice::hw::fast::us
