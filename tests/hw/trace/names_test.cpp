// SPDX-License-Identifier: MIT
/// Names from the modules that a recording declares: found by the microcode alone, with the source lines of its slots; damaged declarations
/// are passed over.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "compiler/tools/names.h"
#include "compiler/tools/source.h"
#include "hw/db/regs_r300.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/inspect/draw_state.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "hw/radeon/trace/names/declarations.h"
#include "hw/radeon/trace/names/names.h"

namespace pumice::hw::trace::test {
namespace {

using compiler::Stage;
using Packet = std::vector<uint32_t>;

constexpr const char* kVertex = R"(#version 450
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
constexpr const char* kFragment = R"(#version 450
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

std::vector<uint32_t> spirv(const char* file, const char* text, const char* stage) {
  std::string error;
  std::vector<uint32_t> words = compiler::tool::compile_glsl(file, text, stage, error);
  EXPECT_FALSE(words.empty()) << error;
  return words;
}

const compiler::ChipLimits& limits(Profile p) {
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
    EXPECT_TRUE(result.program.has_value());
    program = std::move(*result.program);
    declare();
    reset(state, profile);
    source.chip->memory ? load_extended() : load_strict();
  }

  DrawContext context() { return {state, *memory, counters, listener}; }
  void tell(NameSource& to) const {
    for (const Packet& p : packets) to.packet(p);
  }

 private:
  void piece(ModuleLabel::Kind kind, const std::vector<uint8_t>& bytes) {
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
  void declare() {
    for (const auto* words : {&vertex, &fragment}) {
      std::vector<uint8_t> bytes(4 * words->size());
      std::memcpy(bytes.data(), words->data(), bytes.size());
      piece(ModuleLabel::Kind::module, bytes);
    }
    piece(ModuleLabel::Kind::program, compiler::write_declared(source, compiler::code_digests(source), compiler::code_names(program)));
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

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  return text;
}

class Names : public testing::TestWithParam<Profile> {};

TEST_P(Names, AreFoundByMicrocode) {
  if (!compiler::tool::names_available()) GTEST_SKIP() << "built without SPIRV-Cross";
  Pipeline p(GetParam());
  const auto source = make_names();
  const DrawContext ctx = p.context();
  EXPECT_EQ(source->names(ctx, true), nullptr) << "nothing is declared";
  p.tell(*source);
  const ProgramNames* names = source->names(ctx, true);
  ASSERT_TRUE(names);
  const bool extended = limits(GetParam()).memory;
  const std::string text = text_of(extended ? extended_program_lines(ctx, names) : program_lines(p.state, names));
  const auto has = [&](const std::string& what) { EXPECT_NE(text.find(what), std::string::npos) << what << "\n" << text; };
  // A line of each shader, behind a slot that names something of it.
  has("camera.matrix");
  has("named.vert:7");
  has("named.vert:8");
  has("gl_Position");
  has("; uv");
  has("; normal");
  has("scene.sun.direction");
  has("albedo");
  has("named.frag:9");
  has("named.frag:10");
  has("named.frag:11");
  has("tone");
  if (!extended) {
    has("c0 = camera.matrix, i0 = where, named.vert:7");
    has("c1 = camera.matrix + 16");
    has("scene.sun.direction in xyz and scene.sun.strength in w");
    has("tex0 = albedo, named.frag:9");
  }
  EXPECT_EQ((*names)[size_t(Stage::fragment)].words, p.fragment);
}

TEST_P(Names, OtherMicrocodeHasNone) {
  Pipeline p(GetParam());
  const auto source = make_names();
  p.tell(*source);
  switch (GetParam()) {
    case Profile::r300: p.state.set(regs::r300::US_ALU_RGB_INST{p.program.fragment.levels.alu[0][2] ^ 1}, 0); break;
    case Profile::r500: p.state.us_code[1][3] ^= 1; break;
    default: p.memory->write(0x108000, &p.packets, 4); break;
  }
  EXPECT_EQ(source->names(p.context(), true), nullptr);
}

TEST_P(Names, DamagedDeclarationsArePassedOver) {
  Pipeline p(GetParam());
  std::mt19937 dice(1);
  uint32_t found = 0;
  for (uint32_t round = 0; round < 300; ++round) {
    const auto source = make_names();
    for (Packet packet : p.packets) {
      if (dice() % 16 == 0) packet.resize(1 + dice() % packet.size());
      for (uint32_t n = dice() % 3; n; --n) packet[dice() % packet.size()] ^= 1u << dice() % 32;
      source->packet(packet);
    }
    found += source->names(p.context(), true) != nullptr;
  }
  // Digests name modules: what is damaged is not found, or has no names.
  std::printf("%u of 300 found something\n", found);
  EXPECT_LT(found, 250u);
}

INSTANTIATE_TEST_SUITE_P(Chips, Names, testing::Values(Profile::r300, Profile::r500, Profile::r5x),
                         [](const auto& p) { return std::string(capabilities(p.param).name); });

}  // namespace
}  // namespace pumice::hw::trace::test
