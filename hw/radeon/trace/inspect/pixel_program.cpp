// SPDX-License-Identifier: MIT
/// The fragment program in the life of a pixel: each instruction with its operands, fetches and results.
#include "compiler/us/machine.h"
#include "hw/radeon/ref/us/operands.h"
#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/texel_text.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

using isa::us_r500::Instruction;
using isa::us_r500::TexOp;
using isa::us_r500::Type;

namespace {

constexpr char kChannels[] = "rgba";

/// The temp that an instruction names, or -1 outside of the frame.
int32_t temp_of(const us::Thread& t, uint32_t address, bool relative) {
  const int32_t i = int32_t(address) + (relative ? t.al : 0);
  return i >= 0 && i < int32_t(t.frame_size) ? i : -1;
}

}  // namespace

void PixelLife::instruction(us::Thread& t, const Instruction& x) {
  if (!inside_) return;
  pc_ = t.pc;
  fetching_ = false;
  const bool active = t.active >> pixel_ & 1;
  line(2, format("%3u: ", pc_) + compiler::us::disassemble(x) + slot_remark(names_, x, pc_) + (active ? "" : "  -- not active"));
  if (x.type == Type::ALU || x.type == Type::OUTPUT) operands(t, x);
}

void PixelLife::operands(us::Thread& t, const Instruction& x) {
  const us::AluOperands in = us::alu_operands(t, x, pixel_);
  const auto &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
  std::string text;
  const auto add = [&](char name, const std::string& value) { text += (text.empty() ? "" : "  ") + std::string(1, name) + " " + value; };
  const bool uses_rgb = x.rgb.write || x.rgb.output || alpha.takes_dot || (x.result_write && !x.result_alpha);
  const bool uses_alpha =
      x.alpha.write || x.alpha.output || x.depth_write || rgb.takes_scalar || rgb.reads[0] >> 3 || (x.result_write && x.result_alpha);
  for (uint32_t n = 0; uses_rgb && n < rgb.sources; ++n) add("ABC"[n], numbers(in.rgb[n]));
  const uint32_t alpha_sources = rgb.reads[0] >> 3 ? rgb.sources : alpha.sources;  // DP4 reads alpha's operands
  if (uses_alpha && alpha_sources) text += text.empty() ? "alpha" : "  alpha";
  for (uint32_t n = 0; uses_alpha && n < alpha_sources; ++n) add("ABC"[n], number(double{in.alpha[n]}));
  if (!text.empty()) line(4, text);
}

void PixelLife::executed(us::Thread& t, const Instruction& x) {
  if (!inside_) return;
  fetching_ = false;
  results(t, x);
  if ((t.quad.killed & ~killed_) >> pixel_ & 1) line(4, "-> the pixel is killed");
  killed_ = t.quad.killed;
}

void PixelLife::results(us::Thread& t, const Instruction& x) {
  const bool active = t.active >> pixel_ & 1;
  if (x.type == Type::FLOW_CONTROL) {
    std::string stacks;
    if (t.loop_depth) stacks = format(", loops %u, aL %d", t.loop_depth, t.al);
    return line(4, format("-> goes on at %u; the pixel is %s%s", t.pc, active ? "active" : "not active", stacks.c_str()));
  }
  if (!active && !x.write_inactive) return;
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const auto temp = [&](uint32_t address, bool relative, uint32_t mask) {
    const int32_t i = temp_of(t, address, relative);
    if (!mask) return;
    add(i < 0 ? "dropped: outside of the frame" : masked("r" + std::to_string(i), kChannels, mask, t.quad.temp[size_t(i)][pixel_]));
  };
  if (x.type == Type::TEXTURE) {
    if (x.tex.inst != TexOp::NOP && x.tex.inst != TexOp::TEXKILL)
      temp(x.tex.dest.temp, x.tex.dest.relative, x.rgb.write | uint32_t(x.alpha.write) << 3);
  } else {
    temp(x.rgb.dest, x.rgb.dest_relative, x.rgb.write);
    temp(x.alpha.dest, x.alpha.dest_relative, uint32_t(x.alpha.write) << 3);
    for (const auto* u : {&x.rgb, &x.alpha}) {
      const uint32_t mask = u == &x.rgb ? u->output : uint32_t(u->output) << 3;
      if (!mask) continue;
      if (x.type == Type::OUTPUT) {
        add(masked("out" + std::to_string(u->target), kChannels, mask, t.quad.color[u->target][pixel_]));
        continue;
      }
      std::array<float, 4> predicate;
      for (uint32_t c = 0; c < 4; ++c) predicate[c] = float(t.predicate[c] >> pixel_ & 1);
      add(masked("predicate", kChannels, mask, predicate));
    }
    if (x.type == Type::OUTPUT && x.depth_write) add("depth = " + number(double{t.quad.depth[pixel_]}));
    if (x.result_write) add(format("ALU result = %u", t.alu_result >> pixel_ & 1u));
  }
  if (!text.empty()) line(4, "-> " + text);
}

void PixelLife::lookup(const LookupStep& s) {
  fetching_ = inside_ && s.pixel == pixel_ && (shaded_ || running_);
  if (fetching_) line(4, lookup_text(s));
}

void PixelLife::texel(const TexelStep& s) {
  if (fetching_) line(5, texel_text(s));
}

}  // namespace pumice::hw::trace
