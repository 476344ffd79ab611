// SPDX-License-Identifier: MIT
/// State flush before each draw: selects the program variant for the bound textures, then runs the atoms whose inputs are dirty.
#include <algorithm>

#include "icd/atoms.h"
#include "icd/texture_state.h"

namespace pumice::icd {
namespace {

struct Atom {
  uint32_t reads;
  void (*emit)(Cs&, const GfxState&);
};

/// What the atoms that read kPipeline read besides pipeline and program.
constexpr uint32_t kAround = kViewport | kScissor | kLineWidth | kDepthBias | kBlendConstants | kStencilState | kTargets;

constexpr Atom kAtoms[] = {
    {kProgram, atom_program},
    {kPipeline | kProgram | kViewport, atom_vap},
    {kPipeline | kProgram | kLineWidth, atom_ga},
    {kPipeline | kDepthBias | kTargets, atom_su},
    {kPipeline | kScissor | kViewport, atom_sc},
    {kProgram, atom_rs},
    {kProgram | kTargets, atom_us},
    {kPipeline | kProgram, atom_fg},
    {kPipeline | kProgram | kStencilState | kTargets, atom_zb},
    {kPipeline | kBlendConstants | kTargets, atom_rb3d},
    {kProgram | kDescriptors | kMemory, atom_tx},
    {kProgram | kDescriptors | kMemory | kPushConstants | kViewport, atom_constants},
};
static_assert(std::ranges::all_of(kAtoms,
                                  [](const Atom& a) { return !(a.reads & kPipeline) || !(a.reads & ~(kPipeline | kProgram | kAround)); }));

/// The atoms that read kPipeline, when nothing around the pipeline changed: they state what they stated the last time.
void change_pipeline(CommandBuffer& c) {
  RecordedPipeline& p = c.pipelines.find(c.gfx.pipeline, c.gfx.program);
  if (p.stated) return c.cs.state_all(p.registers, p.epoch);
  p.registers.clear();
  p.epoch = 0;
  c.cs.note(&p.registers);
  for (const Atom& a : kAtoms)
    if (a.reads & kPipeline) a.emit(c.cs, c.gfx);
  c.cs.note(nullptr);
  p.stated = true;
}

bool choose_program(GfxState& g) {
  const compiler::Program* base = g.pipeline->variant({});
  if (!base) return false;
  TextureVariant& key = g.variant;
  key.clear();
  for (const compiler::TextureUse& use : base->fragment.textures) {
    const compiler::TextureFacts facts = texture_facts(g, use);
    if (!(facts == compiler::TextureFacts{})) key.emplace_back(use.pair, facts);
  }
  const compiler::Program* program = key.empty() ? base : g.pipeline->variant(key);
  if (!program) return false;
  if (program != g.program) {
    g.program = program;
    g.set_dirty(kProgram);
  }
  return true;
}

/// Chips with one set of stencil values for both faces (R3xx) draw where both are the same.
bool stencil_fits(CommandBuffer& c) {
  const GfxState& g = c.gfx;
  if (c.cs.chip().has_stencil_refmask_per_face || !g.pipeline->fixed.stencil_test) return true;
  if (g.stencil_reference[0] == g.stencil_reference[1] && g.stencil_compare[0] == g.stencil_compare[1] &&
      g.stencil_write[0] == g.stencil_write[1])
    return true;
  report_once(
      &c.device, VK_ERROR_FEATURE_NOT_PRESENT,
      "a draw with stencil reference %u and %u, compare mask 0x%X and 0x%X, write mask 0x%X and 0x%X of front and back faces: it is left "
      "out; the chip of this device (%s) has one of each",
      g.stencil_reference[0], g.stencil_reference[1], g.stencil_compare[0], g.stencil_compare[1], g.stencil_write[0], g.stencil_write[1],
      c.device.chip.name);
  return false;
}

}  // namespace

bool flush_state(CommandBuffer& c) {
  GfxState& g = c.gfx;
  if (!g.pipeline || !stencil_fits(c)) return false;
  if ((g.dirty & (kPipeline | kDescriptors)) && !choose_program(g)) return false;
  if (!g.program) return false;
  if (g.pass && !g.pass->subpasses[g.subpass].samples && g.samples != g.pipeline->fixed.samples) {
    g.samples = g.pipeline->fixed.samples;
    g.set_dirty(kTargets);
  }
  if (g.dirty == kAllDirty) emit_fixed_registers(c.cs);
  if (g.dirty & kTargets) emit_targets(c);
  if (g.dirty & kAround) c.pipelines.forget_registers();
  if (g.dirty & kVertexBuffers) c.pipelines.forget_draws();
  const bool changes = (g.dirty & (kPipeline | kAround)) == kPipeline;
  if (changes) change_pipeline(c);
  for (const Atom& a : kAtoms)
    if (g.dirty & a.reads && !(changes && a.reads & kPipeline)) a.emit(c.cs, g);
  if (g.dirty & (kPipeline | kProgram | kVertexBuffers)) c.draw_state_stale = true;
  g.dirty = 0;
  return true;
}

}  // namespace pumice::icd
