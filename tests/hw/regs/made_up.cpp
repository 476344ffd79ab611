// SPDX-License-Identifier: MIT
/// What a chip is that has nothing but a row (made_up.xml): registers, reset, uploads, programs. Built and run by made_up_test.py.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "hw/db/regs_made_up.h"
#include "hw/radeon/decode/vap/pvs_program.h"
#include "hw/radeon/jit/us/reach.h"
#include "hw/radeon/regfile/decode.h"
#include "hw/radeon/regfile/upload_ports.h"

using namespace pumice;
using namespace pumice::hw;

static int failures = 0;
#define CHECK(condition) \
  if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), ++failures

/// A chip up to its upload ports.
struct Front {
  explicit Front(Profile profile) : state(std::make_unique<ChipState>(profile)) {
    reset(*state, profile);
    registers = std::make_unique<RegisterFile>(
        *state, [this](uint32_t offset, uint32_t, const char* why) { bad.push_back(decode::hex(offset, 4) + ": " + why); });
    ports = std::make_unique<UploadPorts>(*state, *registers);
  }
  std::unique_ptr<ChipState> state;
  std::vector<std::string> bad;
  std::unique_ptr<RegisterFile> registers;
  std::unique_ptr<UploadPorts> ports;
};

static void table() {
  const Capabilities& c = capabilities(Profile::made_up);
  CHECK(std::string(c.name) == "made_up" && c.trace == 99 && kChips == 4);
  CHECK(c.us_slots == 256 && c.pvs_slots == 512 && c.texture_units == 8 && !c.has_vap_no_render);
  CHECK(c.us_constants == 256 && c.has_filter4);  // of r500
  CHECK(!c.has(Block::e2) && c.has(Block::rb3d) && c.has(Block::us_r500) && !c.has(Block::us_r300));
  CHECK(most::us_slots == 512 && most::pvs_slots == 1024);
  CHECK(is_chip(Profile::made_up) && !is_chip(static_cast<Profile>(4)));
  CHECK(output_key(Profile::made_up).size() == output_key(Profile::r500).size() && program_key(Profile::made_up).size() == 2);
}

static void registers() {
  Front old(Profile::r500), chip(Profile::made_up);
  CHECK(regs::made_up::ZB_CNTL::offset == regs::r500::ZB_CNTL::offset);
  CHECK(decode::name(decode::tables(Profile::made_up), regs::ZB_CNTL::offset) == "ZB_CNTL");
  for (Front* f : {&old, &chip}) {
    f->registers->changes() = {};
    f->registers->changes().groups = 0;
    f->registers->write(regs::DP_GUI_MASTER_CNTL::offset, 1);
    f->registers->write(regs::ZB_CNTL::offset, 2);
    CHECK(f->state->get<regs::ZB_CNTL>().raw == 2 && f->registers->changes().groups == Changes::kOutput);
  }
  CHECK(old.bad.empty());
  CHECK(chip.bad == std::vector<std::string>{decode::hex(regs::DP_GUI_MASTER_CNTL::offset, 4) + ": no such register on this profile"});
}

static void fragment_program() {
  for (const Profile profile : {Profile::r500, Profile::made_up}) {
    Front chip(profile);
    const auto write = [&](auto r) { chip.registers->write(r.offset, r.raw); };
    // The last slot: the next word goes to slot 0.
    const uint32_t slots = capabilities(profile).us_slots;
    write(regs::GA_US_VECTOR_INDEX{}.INDEX(slots - 1));
    const uint32_t output = regs::US_CMN_INST{}.TYPE(regs::US_CMN_INST::TYPE__OUTPUT).raw;
    for (uint32_t i = 0; i < 12; ++i) chip.registers->write(regs::GA_US_VECTOR_DATA::offset, i % 6 ? i : output);
    CHECK(chip.state->us_code[slots - 1][5] == 5 && chip.state->us_code[0][5] == 11);
    // Two slots on both chips, the second behind the end of the smaller store.
    write(regs::US_CODE_RANGE{}.CODE_ADDR(0).CODE_SIZE(511));
    write(regs::US_CODE_ADDR{}.START_ADDR(255).END_ADDR(256));
    CHECK(fast::us::reach(*chip.state).leaves == (profile == Profile::made_up));
    CHECK(fast::us::traits(*chip.state, fast::us::reach(*chip.state)).neighbours == false);
  }
}

static void vertex_program() {
  Front chip(Profile::made_up);
  const auto write = [&](auto r) { chip.registers->write(r.offset, r.raw); };
  write(regs::VAP_PVS_VECTOR_INDX_REG{}.OCTWORD_OFFSET(511));
  chip.registers->changes().groups = 0;
  for (uint32_t i = 0; i < 4; ++i) chip.registers->write(regs::VAP_PVS_VECTOR_DATA_REG::offset, i ? 0 : 31u);  // no such vector opcode
  CHECK(chip.registers->changes().groups == Changes::kVertex);
  chip.registers->changes().groups = 0;
  for (uint32_t i = 0; i < 4; ++i) chip.ports->take(regs::VAP_PVS_VECTOR_DATA_REG::offset, std::array{i + 1});
  CHECK(chip.registers->changes().groups == Changes::kVertexConstants);  // vector 512 is constant 0
  write(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(510).PVS_LAST_INST(511));
  const vap::PvsProgram program = vap::decode_program(*chip.state);
  CHECK(program.code.size() == 512 && program.constant_base == 512);
  CHECK(program.complaint == "reserved PVS opcode 31 in slot 511");
}

int main() {
  table();
  registers();
  fragment_program();
  vertex_program();
  return failures != 0;
}
