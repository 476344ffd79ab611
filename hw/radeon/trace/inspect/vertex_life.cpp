// SPDX-License-Identifier: MIT
/// See vertex_life.h.
#include "hw/radeon/trace/inspect/vertex_life.h"

#include "compiler/pvs/machine.h"
#include "compiler/us/machine.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/vap/outputs.h"
#include "hw/radeon/ref/vap/viewport.h"
#include "hw/radeon/ref/xv/shade.h"
#include "hw/radeon/trace/inspect/slot_text.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

constexpr char kComponents[] = "xyzw";

std::string register_name(uint32_t file, int32_t index) {
  static constexpr const char* kFiles[] = {"r", "a", "o", "o", "x", "in"};
  if (file >= std::size(kFiles)) return "reserved file";
  return file == regs::PVS_INST_DST::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0 ? "a0" : kFiles[file] + std::to_string(index);
}

}  // namespace

void VertexLife::vertex(const DrawContext& ctx, uint32_t number, std::span<const uint32_t> stream, std::span<const Vec4> inputs) {
  ++shaded_;
  state_ = nullptr;
  if (number != number_ || !lines_.empty()) return;
  state_ = &ctx.state;
  line(0, "vertex " + std::to_string(number));
  std::string words;
  for (const uint32_t w : stream) words += format(" %08x", w);
  line(1, "fetched:" + words);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != vap::kDefaultVector)
      line(1, "in" + std::to_string(i) + " = " + numbers(inputs[i]) + (names_ ? name_remark(names_->inputs, uint32_t(i)) : ""));
  line(1, ctx.state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS() ? "no program (VAP_CNTL_STATUS.PVS_BYPASS)" : "PVS");
}

void VertexLife::vertex_step(const PvsStep& s) {
  if (!state_) return;
  const compiler::pvs::Instruction x = isa::pvs::unpack(state_->pvs[s.pc]);
  line(2, format("%4u: ", s.pc) + compiler::pvs::disassemble(x) + slot_remark(names_, x, s.pc) + (s.skipped ? "  -- not executed" : ""));
  if (s.skipped) return;
  const auto op = op_info(x);
  std::string text;
  for (size_t n = 0; n < op.sources && n < s.operand.size() && !(x.dual_math && n == 2); ++n)
    text += (text.empty() ? "" : "  ") + std::string(1, "ABC"[n]) + " " + numbers(s.operand[n]);
  if (s.dual) text += "  math " + numbers(s.dual_operand);
  if (!text.empty()) line(4, text);
  std::string result = s.mask ? masked(register_name(s.file, s.index), kComponents, s.mask, s.value) : "";
  if (s.dual) result += (result.empty() ? "x" : ", x") + std::to_string(x.dual.dst) + " = " + numbers(s.dual_value);
  if (!result.empty()) line(4, "-> " + result);
}

void VertexLife::vertex_done(const DrawContext& ctx, std::span<const Vec4> outputs) {
  if (!state_) return;
  state_ = nullptr;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (i == 0 || outputs[i] != vap::kDefaultVector)
      line(1, "o" + std::to_string(i) + " = " + numbers(outputs[i]) + (names_ ? name_remark(names_->outputs, uint32_t(i)) : ""));
  std::array<Vec4, vap::kPvsOutputs> registers{};
  std::copy_n(outputs.begin(), std::min(outputs.size(), registers.size()), registers.begin());
  vap::ClipVertex v = vap::map_outputs(vap::decode_output_map(ctx.state), registers);
  line(1, "clip position " + numbers(v.position));
  if (vap::Viewport(ctx.state).transform(v))
    line(1, "window x " + number(double{v.window.x}) + "  y " + number(double{v.window.y}) + "  z " + number(double{v.window.z}) +
                "  1/w " + number(double{v.window.inv_w}));
  else
    line(1, "no finite window position: primitives with it are dropped");
}

void VertexLife::vertex(const DrawContext& ctx, const xv::VertexId& id) {
  ++shaded_;
  state_ = nullptr;
  if (id.index != number_ || !lines_.empty()) return;
  state_ = &ctx.state;
  line(0, format("vertex %u, instance %u", id.index, id.instance));
  line(1, "US");
}

void VertexLife::instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) {
  if (!state_) return;
  line(2, format("%4u: ", t.pc) + compiler::us::disassemble(x) + slot_remark(names_, x, t.pc) + (t.active & 1 ? "" : "  -- not active"));
  if (!(t.active & 1)) return;
  if (const std::string text = slot_operands(t, x, 0); !text.empty()) line(4, text);
  if (const std::string text = slot_memory(t, x, 0); !text.empty()) line(4, text);
}

void VertexLife::executed(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) {
  if (!state_) return;
  if (const std::string text = slot_results(t, x, 0); !text.empty()) line(4, text);
}

void VertexLife::vertex_done(const DrawContext& ctx, const xv::VertexId&, const xv::Shaded& out) {
  if (!state_) return;
  state_ = nullptr;
  line(1, "clip position " + numbers(out.position));
  const auto vs = ctx.state.get<regs::r5x::X_VS_CTRL>();
  if (vs.POINT_SIZE()) line(1, "point size " + number(double{out.point_size}));
  if (vs.LAYER()) line(1, format("layer %u", out.vertex.layer));
  if (vs.VIEWPORT()) line(1, format("viewport %u", out.vertex.viewport));
  for (uint32_t i = 0; i < vs.VARYINGS() && i < x::kVaryings; ++i)
    line(1, format("varying %u = ", i) + bits_text(std::bit_cast<x::Bits4>(out.vertex.varying[i])) +
                (names_ ? name_remark(names_->outputs, x::slot::varying + i) : ""));
  const uint32_t n = vs.VIEWPORT() ? out.vertex.viewport % 16 : 0;
  const auto window = [&](float p, float scale, float offset) { return number(double{p / out.position[3] * scale + offset}); };
  using namespace regs::r5x;
  const ChipState& s = ctx.state;
  line(1, "window, about: x " + window(out.position[0], s.get_float<X_VIEWPORT_XSCALE>(n), s.get_float<X_VIEWPORT_XOFFSET>(n)) + "  y " +
              window(out.position[1], s.get_float<X_VIEWPORT_YSCALE>(n), s.get_float<X_VIEWPORT_YOFFSET>(n)) + "  z " +
              window(out.position[2], s.get_float<X_VIEWPORT_ZSCALE>(n), s.get_float<X_VIEWPORT_ZOFFSET>(n)));
}

}  // namespace pumice::hw::trace
