// SPDX-License-Identifier: MIT
/// Names from the modules that a recording declares: found by the microcode alone, with the source lines of its slots; damaged declarations
/// are passed over.
#include <gtest/gtest.h>

#include <random>

#include "compiler/tools/names.h"
#include "hw/radeon/trace/inspect/draw_state.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "tests/hw/trace/names_rig.h"

namespace pumice::hw::trace::test {
namespace {

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

/// SPIRV-Cross crashes on a type that is not there, in a module whose digest the declaration has and which compiles to the same program.
TEST_P(Names, DamagedModulesHaveNone) {
  Pipeline p(GetParam());
  std::vector<uint32_t> module = p.fragment;
  constexpr uint32_t kOpAccessChain = 65;
  size_t at = 5;
  while (at < module.size() && (module[at] & 0xFFFF) != kOpAccessChain) at += module[at] >> 16;
  ASSERT_LT(at, module.size());
  module[at + 1] ^= 0x310000;
  compiler::PipelineSource source = p.source;
  source.shaders[size_t(Stage::fragment)]->spirv = module;
  std::vector<Packet> packets;
  const auto bytes = [](const std::vector<uint32_t>& words) {
    const auto* first = reinterpret_cast<const uint8_t*>(words.data());
    return std::vector<uint8_t>(first, first + 4 * words.size());
  };
  Pipeline::piece(packets, ModuleLabel::Kind::module, bytes(p.vertex));
  Pipeline::piece(packets, ModuleLabel::Kind::module, bytes(module));
  Pipeline::piece(packets, ModuleLabel::Kind::program,
                  compiler::write_declared(source, compiler::code_digests(source), compiler::code_names(p.program)));
  const auto names = make_names();
  for (const Packet& packet : packets) names->packet(packet);
  const ProgramNames* found = names->names(p.context(), true);
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)[size_t(Stage::fragment)].textures.empty());
  EXPECT_TRUE((*found)[size_t(Stage::fragment)].descriptors.empty());
}

INSTANTIATE_TEST_SUITE_P(Chips, Names, testing::Values(Profile::r300, Profile::r500, Profile::r5x),
                         [](const auto& p) { return std::string(capabilities(p.param).name); });

}  // namespace
}  // namespace pumice::hw::trace::test
