// SPDX-License-Identifier: MIT
/// What every componentwise IR operation computes on one lane: shared by the constant folder and the evaluator so that both mean
/// the same. Core operations use + * / fma sqrt floor only, so results do not depend on the C library or the CPU.
#pragma once
#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

/// Denormals count as zero of the same sign (us-isa A5).
float flush(float x);
/// |.|, then negation, of one lane.
float modify(float x, const Source& source);
/// Clamp of the saturate flag.
float saturate(float x);
/// One lane of a componentwise operation. High operations that are transcendental (tan .. atanh, pow, exp, log) use the C library:
/// they are the evaluator's yardstick for the passes that replace them and are never folded.
float eval_scalar(Op op, float a, float b, float c);
/// The operation's result is the same on every host (so it may be folded).
bool is_exactly_foldable(Op op);
/// One lane of a typed operation, each source and the result as the word that lies in a register; of inot of a boolean bit 0 counts.
uint32_t eval_word(Op op, const std::array<uint32_t, 4>& sources);
/// pack_*: the word of 4 or 2 lanes; unpack_*: the lanes of a word.
uint32_t eval_pack(Op op, const std::array<uint32_t, 4>& lanes);
std::array<uint32_t, 4> eval_unpack(Op op, uint32_t word);
inline bool packs(Op op) { return op >= Op::pack_snorm4x8 && op <= Op::pack_half2x16; }
inline bool unpacks(Op op) { return op >= Op::unpack_snorm4x8 && op <= Op::unpack_half2x16; }
/// Dot product of n lanes, summed from lane 0 with fused steps.
float eval_dot(const float* a, const float* b, unsigned n);

}  // namespace pumice::compiler::ir
