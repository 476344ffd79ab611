// SPDX-License-Identifier: MIT
/// A pipeline with named resources, the packets by which a recording declares it, and a chip whose next draw runs it. Without GoogleTest:
/// tests/libfuzzer has it too.
#pragma once
#include <cstdlib>
#include <cstring>

#include "compiler/tools/source.h"
#include "hw/db/regs_r300.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/names/declarations.h"
#include "hw/radeon/trace/names/names.h"

namespace pumice::hw::trace::test {

using compiler::Stage;
using Packet = std::vector<uint32_t>;

inline constexpr const char* kVertex = R"(#version 450
layout(location = 0) in vec4 where;
layout(location = 2) out vec2 uv;
layout(location = 1) out vec3 normal;
layout(set = 0, binding = 3) uniform Camera { mat4 matrix; } camera;
void main() {
  gl_Position = camera.matrix * where;
  uv = where.xy * 2.0;
  normal = where.zyx;
}
)";
inline constexpr const char* kFragment = R"(#version 450
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 tone;
struct Sun { vec3 direction; float strength; };
layout(set = 0, binding = 0) uniform Scene { vec4 unused; Sun sun; } scene;
layout(set = 1, binding = 2) uniform sampler2D albedo;
void main() {
  vec4 color = texture(albedo, uv);
  float lit = dot(normal, scene.sun.direction);
  tone = color * lit * scene.sun.strength;
}
)";

inline std::vector<uint32_t> spirv(const char* file, const char* text, const char* stage) {
  std::string error;
  std::vector<uint32_t> words = compiler::tool::compile_glsl(file, text, stage, error);
  if (words.empty()) std::abort();
  return words;
}

inline const compiler::ChipLimits& limits(Profile p) {
  return p == Profile::r300 ? compiler::kR300 : p == Profile::r500 ? compiler::kR500 : compiler::kR5x;
}

/// A pipeline, the packets that declare it, and a chip whose next draw runs it.
struct Pipeline {
  std::vector<uint32_t> vertex = spirv("named.vert", kVertex, "vert"), fragment = spirv("named.frag", kFragment, "frag");
  compiler::PipelineSource source;
  compiler::Program program;
  std::vector<Packet> packets;
  ChipState state;
  std::unique_ptr<Memory> memory = Memory::create();
  DrawCounters counters;
  Listener listener;

  explicit Pipeline(Profile profile) : state(profile) {
    source.chip = &limits(profile);
    source.add(Stage::vertex).spirv = vertex;
    source.add(Stage::fragment).spirv = fragment;
    if (source.chip->memory) {
      using Kind = compiler::DescriptorLayout::Kind;
      source.resources = {{.set = 0, .binding = 0, .kind = Kind::uniform_buffer, .count = 1, .offset = 0, .stride = 16},
                          {.set = 0, .binding = 3, .kind = Kind::uniform_buffer, .count = 1, .offset = 16, .stride = 16},
                          {.set = 1, .binding = 2, .kind = Kind::combined, .count = 1, .offset = 0, .stride = 48}};
    }
    compiler::Result result = compiler::compile(source);
    if (!result.program) std::abort();
    program = std::move(*result.program);
    declare();
    reset(state, profile);
    source.chip->memory ? load_extended() : load_strict();
  }

  DrawContext context() { return {state, *memory, counters, listener}; }
  void tell(NameSource& to) const {
    for (const Packet& p : packets) to.packet(p);
  }

  /// The declaration of a program.
  std::vector<uint8_t> declared() const {
    return compiler::write_declared(source, compiler::code_digests(source), compiler::code_names(program));
  }
  static void piece(std::vector<Packet>& packets, ModuleLabel::Kind kind, const std::vector<uint8_t>& bytes) {
    constexpr uint32_t kPiece = 400;  // bytes: several of a module
    for (uint32_t first = 0; first < bytes.size(); first += kPiece) {
      const uint32_t count = std::min<uint32_t>(kPiece, uint32_t(bytes.size()) - first);
      const ModuleLabel label{.kind = kind, .bytes = uint32_t(bytes.size()), .first = first};
      Packet p(1 + sizeof label / 4 + (count + 3) / 4);
      p[0] = regs::PM4_TYPE3_HEADER{}.IT_OPCODE(uint32_t(pm4::Op::NOP)).COUNT(uint32_t(p.size()) - 2).TYPE(3).raw;
      std::memcpy(&p[1], &label, sizeof label);
      std::memcpy(&p[1 + sizeof label / 4], &bytes[first], count);
      packets.push_back(std::move(p));
    }
  }

 private:
  void declare() {
    for (const auto* words : {&vertex, &fragment}) {
      std::vector<uint8_t> bytes(4 * words->size());
      std::memcpy(bytes.data(), words->data(), bytes.size());
      piece(packets, ModuleLabel::Kind::module, bytes);
    }
    piece(packets, ModuleLabel::Kind::program, declared());
  }
  void load_strict() {
    const auto& v = program.vertex.code;
    std::copy(v.begin(), v.end(), state.pvs.begin());
    state.set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_LAST_INST(uint32_t(v.size()) - 1));
    state.set(regs::VAP_PVS_CONST_CNTL{}.PVS_MAX_CONST_ADDR(255));
    const auto& f = program.fragment;
    for (uint32_t i = 0; i < f.levels.alu.size(); ++i) {
      namespace r = regs::r300;
      state.set(r::US_ALU_RGB_ADDR{f.levels.alu[i][0]}, i);
      state.set(r::US_ALU_ALPHA_ADDR{f.levels.alu[i][1]}, i);
      state.set(r::US_ALU_RGB_INST{f.levels.alu[i][2]}, i);
      state.set(r::US_ALU_ALPHA_INST{f.levels.alu[i][3]}, i);
    }
    for (uint32_t i = 0; i < f.levels.tex.size(); ++i) state.set(regs::r300::US_TEX_INST{f.levels.tex[i]}, i);
    if (!f.levels.empty()) {
      state.set(regs::r300::US_CONFIG{f.levels.config});
      state.set(regs::r300::US_CODE_OFFSET{f.levels.offset});
      for (uint32_t i = 0; i < 4; ++i) state.set(regs::r300::US_CODE_ADDR{f.levels.level[i]}, i);
      return;
    }
    std::copy(f.code.begin(), f.code.end(), state.us_code.begin());
    const auto last = uint32_t(f.code.size()) - 1;
    state.set(regs::US_CODE_RANGE{}.CODE_SIZE(last));
    state.set(regs::US_CODE_ADDR{}.END_ADDR(last));
  }
  void load_extended() {
    namespace r = regs::r5x;
    constexpr uint32_t kAt = 0x100000;
    memory->map(kAt, 1 << 16);
    state.set(r::X_CTRL{}.EN(1).SHADERS(1));
    const auto load = [&](uint32_t at, const compiler::XProgram& x) {
      const uint32_t bytes = uint32_t(x.code.size()) * 24, literals = (bytes + 15) / 16 * 16;
      memory->write(at, x.code.data(), bytes);
      memory->write(at + literals, x.literals.data(), x.literals.size() * 16);
      return uint32_t(x.code.size()) | uint32_t(x.literals.size()) << 16;
    };
    const auto &v = *program.x[size_t(Stage::vertex)], &f = *program.x[size_t(Stage::fragment)];
    state.set(r::X_VS_CODE_LO{kAt});
    state.set(r::X_VS_CODE_SIZE{load(kAt, v)});
    state.set(r::X_FS_CODE_LO{kAt + 0x8000});
    state.set(r::X_FS_CODE_SIZE{load(kAt + 0x8000, f)});
  }
};

}  // namespace pumice::hw::trace::test
