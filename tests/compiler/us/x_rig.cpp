// SPDX-License-Identifier: MIT
#include "tests/compiler/us/x_rig.h"

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compiler.h"
#include "compiler/us/machine.h"
#include "hw/db/regs_r5x.h"
#include "spirv-tools/libspirv.hpp"
#include "tests/compiler/glsl.h"
#include "tests/hw/chip/chip.h"

namespace pumice::compiler::testing {
namespace {

namespace rx = regs::r5x;
using hw::test::Packets;

constexpr uint32_t kDescriptorStride = 64;  // PipelineSource::resources is empty

uint32_t place(hw::test::Chip& chip, const void* data, size_t bytes) {
  const uint32_t at = chip.allocate(std::max<size_t>(bytes / 4, 1));
  if (bytes) std::memcpy(chip.memory(at), data, bytes);
  return at;
}

}  // namespace

ComputeResult run(const ComputeJob& job) {
  std::string log;
  std::vector<uint32_t> words;
  if (job.spirv.empty()) {
    words = test::compile_glsl(Stage::compute, job.glsl, log);
  } else {
    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1);
    tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* what) {
      log += std::to_string(at.index) + ": " + what + "\n";
    });
    if (!tools.Assemble(job.spirv, &words) || !tools.Validate(words)) words.clear();
  }
  EXPECT_FALSE(words.empty()) << log << job.glsl << job.spirv;
  PipelineSource source;
  source.add(Stage::compute) = {words, "main", {}, "test"};
  source.chip = &kR5x;
  const Result compiled = compile(source);
  EXPECT_TRUE(compiled.program) << (compiled.diagnostics.empty() ? "" : compiled.diagnostics[0].text) << job.glsl;
  if (!compiled.program) return {};
  const XProgram& p = *compiled.program->x[size_t(Stage::compute)];

  hw::test::Chip chip(hw::Profile::r5x);
  std::vector<uint32_t> image;
  for (const auto& slot : p.code) image.insert(image.end(), slot.begin(), slot.end());
  image.resize((image.size() + 3) / 4 * 4);
  for (const auto& literal : p.literals) image.insert(image.end(), literal.begin(), literal.end());
  const uint32_t code = place(chip, image.data(), image.size() * 4);
  std::vector<uint32_t> at, table(job.buffers.size() * kDescriptorStride / 4);
  for (size_t b = 0; b < job.buffers.size(); b++) {
    at.push_back(place(chip, job.buffers[b].data(), job.buffers[b].size() * 4));
    table[b * kDescriptorStride / 4] = at[b];
    table[b * kDescriptorStride / 4 + 2] = static_cast<uint32_t>(job.buffers[b].size() * 4);
  }
  const uint32_t set = place(chip, table.data(), table.size() * 4), push = place(chip, job.push.data(), job.push.size() * 4);

  Packets packets;
  packets.set(rx::X_CTRL{}.EN(1));
  packets.set(rx::X_CODE_INVALIDATE{.raw = 1});
  packets.set(rx::X_CS_CODE_LO{.raw = code});
  packets.set(rx::X_CS_CODE_HI{});
  packets.set(rx::X_CS_CODE_SIZE{.raw = static_cast<uint32_t>(p.code.size() | p.literals.size() << 16)});
  packets.set(rx::X_CS_CODE_RSRC{.raw = (p.temps - 1) | (p.scratch_bytes / 16) << 12});
  packets.set(rx::X_CS_LOCAL_SIZE{.raw = (p.local_size[0] - 1) | (p.local_size[1] - 1) << 10 | (p.local_size[2] - 1) << 20});
  packets.set(rx::X_CS_LDS_SIZE{.raw = p.lds_bytes});
  packets.set(rx::X_CS_SET_LO{.raw = set});
  packets.set(rx::X_CS_PUSH_LO{.raw = push});
  packets.set(rx::X_CS_PUSH_SIZE{.raw = static_cast<uint32_t>(job.push.size() * 4)});
  const uint32_t dispatch[] = {job.groups[0], job.groups[1], job.groups[2], 0, 0, 0};
  packets.command(pm4::Op::X_DISPATCH, dispatch);
  EXPECT_TRUE(chip.run(packets));
  for (const hw::Report& r : chip.reports()) ADD_FAILURE() << r.text << "\n" << us::disassemble(p.code);

  ComputeResult out;
  out.slots = p.stats.slots;
  out.temps = p.temps;
  out.scratch_bytes = p.scratch_bytes;
  out.literals = static_cast<uint32_t>(p.literals.size());
  for (size_t b = 0; b < job.buffers.size(); b++) {
    const uint32_t* data = chip.memory(at[b]);
    out.buffers.emplace_back(data, data + job.buffers[b].size());
  }
  return out;
}

}  // namespace pumice::compiler::testing
