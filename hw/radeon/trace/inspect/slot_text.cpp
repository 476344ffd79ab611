// SPDX-License-Identifier: MIT
/// See slot_text.h.
#include "hw/radeon/trace/inspect/slot_text.h"

#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/us/operands.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

using isa::us_r500::AluOp;
using isa::us_r500::Instruction;
using isa::us_r500::OperandClass;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::Unit;
using isa::us_r500::XOp;
template <size_t N>
using Group = us::GroupThread<N>;

namespace {

constexpr char kChannels[] = "rgba";

std::string word(float v, bool integer) {
  const auto bits = std::bit_cast<uint32_t>(v);
  return integer ? format("%d", int32_t(bits)) : bits_text(bits);
}
template <size_t N>
std::string words(const std::array<float, N>& v, bool integer) {
  std::string text = "(";
  for (size_t i = 0; i < N; ++i) text += (i ? ", " : "") + word(v[i], integer);
  return text + ")";
}

/// Operands of a unit that it has, and whether operand n is an integer.
uint32_t sources(const Unit& u) { return u.op == AluOp::XI ? info(u.xi()).sources : info(u.op).sources; }
/// MOV takes anything.
bool is_integer(const Unit& u, uint32_t n) {
  return u.op == AluOp::XI && u.xi() != isa::us_r500::XiOp::MOV && info(u.xi()).classes[n] == OperandClass::integer;
}

template <size_t N>
std::string alu_text(Group<N>& t, const Instruction& x, uint32_t lane) {
  const us::AluOperands in = us::alu_operands(t, x, lane);
  const auto &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
  std::string text;
  const auto add = [&](char name, const std::string& value) { text += (text.empty() ? "" : "  ") + std::string(1, name) + " " + value; };
  const bool uses_rgb = x.rgb.write || x.rgb.output || alpha.takes_dot || (x.result_write && !x.result_alpha);
  const bool uses_alpha =
      x.alpha.write || x.alpha.output || x.depth_write || rgb.takes_scalar || rgb.reads[0] >> 3 || (x.result_write && x.result_alpha);
  for (uint32_t n = 0; uses_rgb && n < sources(x.rgb); ++n) add("ABC"[n], words(in.rgb[n], is_integer(x.rgb, n)));
  const uint32_t count = rgb.reads[0] >> 3 ? sources(x.rgb) : sources(x.alpha);
  if (uses_alpha && count) text += text.empty() ? "alpha" : "  alpha";
  for (uint32_t n = 0; uses_alpha && n < count; ++n) add("ABC"[n], word(in.alpha[n], is_integer(x.alpha, n)));
  return text;
}

bool has_descriptor(XOp op) {
  switch (op) {
    case XOp::LDB:
    case XOp::LDC:
    case XOp::STB:
    case XOp::ATB:
    case XOp::LDI:
    case XOp::STI:
    case XOp::ATI:
    case XOp::LENB:
    case XOp::SAMPLE:
    case XOp::SAMPLEB:
    case XOp::SAMPLEL:
    case XOp::SAMPLEG:
    case XOp::FETCH:
    case XOp::GATHER:
    case XOp::QSIZE:
    case XOp::QLEVELS:
    case XOp::QLOD: return true;
    default: return false;
  }
}
bool is_buffer(XOp op) { return op == XOp::LDB || op == XOp::LDC || op == XOp::STB || op == XOp::ATB || op == XOp::LENB; }

/// What an access reaches beside descriptors.
const char* chip_memory(XOp op) {
  switch (op) {
    case XOp::LDL:
    case XOp::STL:
    case XOp::ATL: return "local memory";
    case XOp::LDP:
    case XOp::STP: return "scratch memory of the lane";
    case XOp::LDK: return "literals";
    default: return nullptr;
  }
}
bool is_store(XOp op) { return op == XOp::STB || op == XOp::STL || op == XOp::STP || op == XOp::STI; }

/// ", from byte 48": where an access of bytes begins (docs/r5x.md s.4).
template <size_t N>
std::string place_text(Group<N>& t, const Instruction& x, uint32_t lane) {
  if (x.tex.x.op == XOp::LENB) return {};
  using isa::us_r500::XWidth;
  const auto width = XWidth(x.tex.x.width);
  const uint32_t align = width == XWidth::BYTE ? 1 : width == XWidth::HALF ? 2 : 4;
  return format(", from byte %u", (t.read(x.tex.source)[lane][0] + x.tex.x.immediate) & ~(align - 1));
}

}  // namespace

template <size_t N>
std::string slot_operands(Group<N>& t, const Instruction& x, uint32_t lane) {
  if (x.type == Type::ALU || x.type == Type::OUTPUT) return alu_text(t, x, lane);
  if (x.type != Type::TEXTURE || x.tex.inst == TexOp::NOP) return {};
  const auto port = [&](const char* name, const isa::us_r500::Port& p) { return std::string(name) + " " + bits_text(t.read(p)[lane]); };
  if (x.tex.inst != TexOp::X) return port("coordinates", x.tex.source);
  const XOp op = x.tex.x.op;
  if (op == XOp::LDA || op == XOp::BARRIER || op == XOp::FENCE || op == XOp::SYS || (op == XOp::LDV && x.tex.x.sub < 3)) return {};
  const uint32_t count = info(op).sources;
  const auto& e = x.tex.x;
  const bool lookup = info(op).fetches, gradients = op == XOp::SAMPLEG, level = op != XOp::SAMPLE && op != XOp::GATHER;
  std::string text = count ? port("src", x.tex.source) : "";
  if (count > 1 && (!lookup || level || e.compare)) text += port("  src2", x.tex.dx);
  if (count > 2 && (!lookup || gradients || e.offset)) text += port("  src3", x.tex.dy);
  return text;
}

template <size_t N>
std::string slot_memory(Group<N>& t, const Instruction& x, uint32_t lane) {
  if (x.type != Type::TEXTURE || x.tex.inst != TexOp::X) return {};
  const auto& e = x.tex.x;
  if (const char* name = chip_memory(e.op)) return name + place_text(t, x, lane);
  if (e.op == XOp::LDU)
    return format("push constants at 0x%llx, %u bytes", static_cast<unsigned long long>(t.resources.push), t.resources.push_size) +
           place_text(t, x, lane);
  if (!has_descriptor(e.op) || e.descriptor.set >= t.resources.set.size()) return {};
  uint64_t at = t.resources.descriptor(e.descriptor);
  if (e.descriptor.indirect) {
    if (e.descriptor.temp >= t.frame_size) return {};
    at += std::bit_cast<uint32_t>(t.temp(e.descriptor.temp)[lane][e.descriptor.component]);
  }
  const std::string where = format("set %u, descriptor at 0x%llx: ", e.descriptor.set, static_cast<unsigned long long>(at));
  std::array<uint32_t, xt::kImageDwords> dwords{};
  const bool whole = t.ctx.memory.backed(at, sizeof dwords);
  if (!whole && !t.ctx.memory.backed(at, 4 * xt::kBufferDwords)) return where + "no memory there";
  t.ctx.memory.read(at, dwords.data(), whole ? sizeof dwords : 4 * xt::kBufferDwords);
  if (is_buffer(e.op)) {
    const xt::BufferDescriptor b = xt::decode_buffer(std::span<const uint32_t, xt::kImageDwords>(dwords).first<xt::kBufferDwords>());
    return where + format("buffer at 0x%llx, %u bytes", static_cast<unsigned long long>(b.address), b.size) + place_text(t, x, lane);
  }
  const xt::Image image = xt::decode_image(dwords);
  if (image.is_null()) return where + "null";
  return where + format("image at 0x%llx, %s, %ux%ux%u", static_cast<unsigned long long>(image.base),
                        std::string(formats::info(image.format).name).c_str(), image.width, image.height, image.depth);
}

template <size_t N>
std::string slot_results(Group<N>& t, const Instruction& x, uint32_t lane) {
  const bool active = t.active >> lane & 1;
  if (x.type == Type::FLOW_CONTROL) {
    const std::string stacks = t.loop_depth ? format(", loops %u, aL %d", t.loop_depth, t.al) : "";
    return format("-> goes on at %u; the lane is %s%s", t.pc, active ? "active" : "not active", stacks.c_str());
  }
  if (!active && !x.write_inactive) return {};
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "-> " : ", ") + what; };
  const auto temp = [&](uint32_t address, bool relative, uint32_t mask, const Unit* unit) {
    const int32_t i = int32_t(address) + (relative ? t.al : 0);
    if (!mask) return;
    if (i < 0 || i >= int32_t(t.frame_size)) return add("dropped: outside of the frame");
    const bool integer = unit && unit->op == AluOp::XI && is_integer(*unit, 0);
    const auto value = [&](float v) {
      const auto bits = std::bit_cast<uint32_t>(v);
      return integer && bits >> 23 == 0 ? format("%u", bits) : bits_text(bits);
    };
    add(masked_as("r" + std::to_string(i), kChannels, mask, t.temp(size_t(i))[lane], value));
  };
  if (x.type == Type::TEXTURE) {
    const bool strict = x.tex.inst != TexOp::X;
    const XOp op = x.tex.x.op;
    const bool writes = strict ? x.tex.inst != TexOp::NOP && x.tex.inst != TexOp::TEXKILL : info(op).loads || info(op).across;
    if (writes) temp(x.tex.dest.temp, x.tex.dest.relative, x.rgb.write | uint32_t(x.alpha.write) << 3, nullptr);
    if (!strict && is_store(op)) {
      const bool kept = !(t.acting(x) >> lane & 1u), helps = op != XOp::STP && (t.helpers >> lane & 1u);
      const auto value = t.read(x.tex.dx)[lane];
      const uint32_t count = op == XOp::STI ? 4 : x.tex.x.components + 1u;
      add(kept ? "not stored: its predicate is 0" : helps ? "not stored: a helper" : "stored " + bits_text(std::span(value).first(count)));
    }
    return text;
  }
  temp(x.rgb.dest, x.rgb.dest_relative, x.rgb.write, &x.rgb);
  temp(x.alpha.dest, x.alpha.dest_relative, uint32_t(x.alpha.write) << 3, &x.alpha);
  for (const Unit* u : {&x.rgb, &x.alpha}) {
    const uint32_t mask = u == &x.rgb ? u->output : uint32_t(u->output) << 3;
    if (!mask) continue;
    if (x.type == Type::OUTPUT) {
      std::array<uint32_t, 4> value;
      for (uint32_t c = 0; c < 4; ++c) value[c] = std::bit_cast<uint32_t>(t.color(u->target, lane)[c]);
      add(masked_bits("out" + std::to_string(u->target), kChannels, mask, value));
      continue;
    }
    std::array<float, 4> predicate;
    for (uint32_t c = 0; c < 4; ++c) predicate[c] = float(t.predicate[c] >> lane & 1);
    add(masked("predicate", kChannels, mask, predicate));
  }
  if (x.type == Type::OUTPUT && x.depth_write) add("depth = " + number(double{t.depth(lane)}));
  if (x.result_write) add(format("ALU result = %u", t.alu_result >> lane & 1u));
  return text;
}

template std::string slot_operands(Group<4>&, const Instruction&, uint32_t);
template std::string slot_operands(Group<16>&, const Instruction&, uint32_t);
template std::string slot_memory(Group<4>&, const Instruction&, uint32_t);
template std::string slot_memory(Group<16>&, const Instruction&, uint32_t);
template std::string slot_results(Group<4>&, const Instruction&, uint32_t);
template std::string slot_results(Group<16>&, const Instruction&, uint32_t);

}  // namespace pumice::hw::trace
