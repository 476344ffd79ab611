// SPDX-License-Identifier: MIT
/// The front end's work of one draw, of several draws together, or of pieces of a large one. Primitives collect the slots of their vertices
/// in the pool; vertices that are not there yet wait until 16 are shaded together. Before the pool could overwrite pending vertices, a
/// segment ends: everything is shaded, and the primitives are passed on in order. Private to vertex.cpp.
#pragma once
#include "hw/radeon/fast/extended/front_state.h"

namespace pumice::hw::fast::extended {

PrimitiveKind kind_of(uint32_t prim_type);
/// Whether there is code for the type: it is one that Vulkan has.
bool is_common(uint32_t prim_type);

/// One draw, whose sequence `s` has read, or several with one instance each. Returns how many are drawn (VertexFront::run_more()).
size_t draw_front(DrawContext& ctx, regs::VAP_VF_CNTL vf, VertexFront::State& s, TriangleSink* sink, std::span<const NextDraw> draws,
                  DrawBinder* binder);
/// Consecutive pieces of one draw, others of which other threads may be making, each with a state of its own. What they share was prepared
/// by VertexFront.
void draw_pieces(DrawContext& ctx, regs::VAP_VF_CNTL vf, VertexFront::State& s, TriangleSink& sink, std::span<const Piece> pieces,
                 uint32_t base_vertex);

}  // namespace pumice::hw::fast::extended
