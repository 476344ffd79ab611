// SPDX-License-Identifier: MIT
/// Names and operand counts of the PVS operations, in code order (pvs-isa 4, 5, 6).
#pragma once
#include <array>

namespace pumice::compiler::pvs {

struct OpName {
  const char* name;
  unsigned sources;
};

inline constexpr std::array<OpName, 29> kVectorOps{{{"NOP", 0},
                                                    {"DP4", 2},
                                                    {"MUL", 2},
                                                    {"ADD", 2},
                                                    {"MAD", 3},
                                                    {"DST", 2},
                                                    {"FRC", 1},
                                                    {"MAX", 2},
                                                    {"MIN", 2},
                                                    {"SGE", 2},
                                                    {"SLT", 2},
                                                    {"MUL2_ADD", 3},
                                                    {"MUL_CLAMP", 3},
                                                    {"FLT2FIX", 1},
                                                    {"FLT2FIX_RND", 1},
                                                    {"PRED_EQ_PUSH", 2},
                                                    {"PRED_GT_PUSH", 2},
                                                    {"PRED_GTE_PUSH", 2},
                                                    {"PRED_NEQ_PUSH", 2},
                                                    {"COND_WRITE_EQ", 2},
                                                    {"COND_WRITE_GT", 2},
                                                    {"COND_WRITE_GTE", 2},
                                                    {"COND_WRITE_NEQ", 2},
                                                    {"COND_MUX_EQ", 3},
                                                    {"COND_MUX_GT", 3},
                                                    {"COND_MUX_GTE", 3},
                                                    {"SGT", 2},
                                                    {"SEQ", 2},
                                                    {"SNE", 2}}};

inline constexpr std::array<OpName, 29> kMathOps{
    {{"NOP", 0},      {"EXP_DX", 1},      {"LOG_DX", 1},       {"EXP_E", 1},        {"LIGHT", 3},       {"POW", 3},
     {"RCP_DX", 1},   {"RCP_FF", 1},      {"RSQ_DX", 1},       {"RSQ_FF", 1},       {"MUL", 2},         {"EX2", 1},
     {"LG2", 1},      {"POW_CLAMP_B", 3}, {"POW_CLAMP_B1", 3}, {"POW_CLAMP_01", 3}, {"SIN", 1},         {"COS", 1},
     {"LG2_IEEE", 1}, {"RCP", 1},         {"RSQ", 1},          {"PRED_EQ", 1},      {"PRED_GT", 1},     {"PRED_GTE", 1},
     {"PRED_NEQ", 1}, {"PRED_CLR", 0},    {"PRED_INV", 1},     {"PRED_POP", 1},     {"PRED_RESTORE", 1}}};

inline constexpr std::array<OpName, 2> kMacroOps{{{"MAD_2CLK", 3}, {"MUL2_ADD_2CLK", 3}}};

}  // namespace pumice::compiler::pvs
