// SPDX-License-Identifier: MIT
#include "tests/hw/chip/chip.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace pumice::hw::test {
namespace {

constexpr uint32_t kRingDwords = 1024;  // RB_BUFSZ 9

uint32_t type0(uint32_t offset, size_t count, bool one_register) {
  return static_cast<uint32_t>((count - 1) << 16) | (one_register ? 1u << 15 : 0u) | (offset >> 2);
}

}  // namespace

void Packets::write(uint32_t offset, std::span<const uint32_t> values) {
  words.push_back(type0(offset, values.size(), false));
  words.insert(words.end(), values.begin(), values.end());
}

void Packets::write_port(uint32_t offset, std::span<const uint32_t> values) {
  words.push_back(type0(offset, values.size(), true));
  words.insert(words.end(), values.begin(), values.end());
}

void Packets::command(pm4::Op op, std::span<const uint32_t> payload) {
  words.push_back(3u << 30 | static_cast<uint32_t>((payload.size() - 1) << 16) | static_cast<uint32_t>(op) << 8);
  words.insert(words.end(), payload.begin(), payload.end());
}

namespace {
/// Meson sets PUMICE_CPU for the whole program: without that instruction set all of it is skipped, before anything runs.
const bool kSkipped = [] {
  const char* cpu = std::getenv("PUMICE_CPU");
  GpuConfig config{Profile::r500};
  bool lacking = false;
  if (cpu) static_cast<void>(set_execution(config, "", "", cpu, &lacking));
  if (!lacking) return false;
  std::printf("skipped: this processor lacks %s\n", cpu);
  std::fflush(stdout);
  std::_Exit(77);
}();
}  // namespace

Profile tested_profile() {
  const char* name = std::getenv("PUMICE_CHIP");
  if (!name || !*name) return Profile::r500;
  for (size_t i = 0; i < kChips; ++i)
    if (std::string_view(kCapabilities[i].name) == name) return static_cast<Profile>(i);
  ADD_FAILURE() << "PUMICE_CHIP names no chip: " << name;
  return Profile::r500;
}

static GpuConfig from_environment(Profile profile, uint64_t instruction_limit) {
  GpuConfig config(profile);
  config.instruction_limit = instruction_limit;
  // The same tests on every executor: meson.build sets the driver's own variables.
  const auto variable = [](const char* name) -> std::string {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  EXPECT_EQ(set_execution(config, variable("PUMICE_EXEC"), variable("PUMICE_THREADS"), variable("PUMICE_CPU")), "");
  static std::atomic<uint32_t> recordings = 0;
  config.trace = variable("PUMICE_TRACE");
  config.trace_number = recordings++;
  return config;
}

Chip::Chip(Profile profile, uint64_t instruction_limit) : Chip(from_environment(profile, instruction_limit)) {}

Chip::Chip(GpuConfig config) {
  config.on_report = [this](const Report& r) {
    std::lock_guard lock(mutex_);
    reports_.push_back(r);
    changed_.notify_all();
  };
  config.on_interrupt = [this] {
    std::lock_guard lock(mutex_);
    ++interrupts_;
    changed_.notify_all();
  };
  gpu = Gpu::create(config);
  ring_ = allocate(kRingDwords);
  scratch_ = allocate(16);
  set_up_ring();
}

Chip::~Chip() { gpu.reset(); }

void Chip::set_up_ring() {
  wptr_ = 0;
  gpu->mmio_write(regs::CP_CSQ_CNTL::offset, regs::CP_CSQ_CNTL().CSQ_MODE(4).raw);
  gpu->mmio_write(regs::CP_RB_BASE::offset, ring_);
  gpu->mmio_write(regs::CP_RB_CNTL::offset, regs::CP_RB_CNTL().RB_BUFSZ(9).RB_NO_UPDATE(1).raw);
  gpu->mmio_write(regs::SCRATCH_ADDR::offset, scratch_);
  gpu->mmio_write(regs::SCRATCH_UMSK::offset, 1);
  gpu->mmio_write(regs::GEN_INT_CNTL::offset, 1u << 25);
}

void Chip::reset() {
  gpu->soft_reset();
  set_up_ring();
}

uint32_t Chip::allocate(size_t dwords) {
  const uint64_t size = (dwords * 4 + Gpu::page_size() - 1) / Gpu::page_size() * Gpu::page_size();
  const uint32_t address = next_;
  if (!gpu->map(address, size)) return 0;
  next_ += static_cast<uint32_t>(size + Gpu::page_size());  // an unbacked page between any two
  return address;
}

void Chip::ring_write(std::span<const uint32_t> words) {
  for (const uint32_t w : words) {
    memory(ring_)[wptr_] = w;
    wptr_ = (wptr_ + 1) % kRingDwords;
  }
}

void Chip::submit(const Packets& packets) {
  // One buffer is enough: each submission waits for the one before it.
  if (packets.words.size() > buffer_dwords_) {
    buffer_dwords_ = packets.words.size() * 2;
    buffer_ = allocate(buffer_dwords_);
  }
  std::copy(packets.words.begin(), packets.words.end(), memory(buffer_));
  ++sequence_;
  Packets p;
  const uint32_t call[] = {buffer_, static_cast<uint32_t>(packets.words.size())};
  if (!packets.words.empty()) p.write(regs::CP_IB_BASE::offset, call);
  const uint32_t value = sequence_, fire = 1u << 26;
  p.write(regs::GUI_SCRATCH_REG::at(0), {&value, 1});
  p.write(regs::GEN_INT_STATUS::offset, {&fire, 1});
  ring_write(p.words);
  gpu->mmio_write(regs::CP_RB_WPTR::offset, wptr_);
}

bool Chip::run(const Packets& packets) {
  submit(packets);
  std::unique_lock lock(mutex_);
  const std::atomic_ref<uint32_t> fence(memory(scratch_)[0]);
  // A lockup has no interrupt of its own: look at hung() from time to time. The limit only keeps a broken chip from blocking the suite.
  for (int i = 0; i < 60000 && fence.load(std::memory_order_acquire) != sequence_ && !gpu->hung(); ++i)
    changed_.wait_for(lock, std::chrono::milliseconds(1),
                      [&] { return fence.load(std::memory_order_acquire) == sequence_ || gpu->hung(); });
  return fence.load(std::memory_order_acquire) == sequence_ && !gpu->hung();
}

bool Chip::run_to_the_end(const Packets& packets) {
  submit(packets);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (!gpu->hung() && regs::RBBM_STATUS{gpu->mmio_read(regs::RBBM_STATUS::offset)}.GUI_ACTIVE()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return !gpu->hung();
}

std::vector<Report> Chip::reports() {
  std::lock_guard lock(mutex_);
  return reports_;
}

Target make_target(Chip& chip, uint32_t width, uint32_t height) {
  Target t{width, height, 0, 0};
  t.color = chip.allocate(size_t{width} * height);
  t.depth = chip.allocate(size_t{width} * height);
  return t;
}

std::array<uint32_t, 4> move_instruction(uint32_t dst_type, uint32_t dst, uint32_t src_type, uint32_t src) {
  using D = regs::PVS_INST_DST;
  using S = regs::PVS_INST_SRC;
  const D d = D().PVS_DST_OPCODE(D::PVS_DST_OPCODE__ADD)
                  .PVS_DST_REG_TYPE(dst_type)
                  .PVS_DST_OFFSET(dst)
                  .PVS_DST_WE_X(1)
                  .PVS_DST_WE_Y(1)
                  .PVS_DST_WE_Z(1)
                  .PVS_DST_WE_W(1);
  const S from =
      S().PVS_SRC_REG_TYPE(src_type).PVS_SRC_OFFSET(src).PVS_SRC_SWIZZLE_X(0).PVS_SRC_SWIZZLE_Y(1).PVS_SRC_SWIZZLE_Z(2).PVS_SRC_SWIZZLE_W(
          3);
  const S zero =
      S().PVS_SRC_REG_TYPE(src_type).PVS_SRC_OFFSET(src).PVS_SRC_SWIZZLE_X(4).PVS_SRC_SWIZZLE_Y(4).PVS_SRC_SWIZZLE_Z(4).PVS_SRC_SWIZZLE_W(
          4);
  return {d.raw, from.raw, zero.raw, zero.raw};
}

std::array<uint32_t, 6> out_slot(uint32_t temp) {
  const auto common = regs::US_CMN_INST().TYPE(1).TEX_SEM_WAIT(1).RGB_OMASK(7).ALPHA_OMASK(1).LAST(1);
  const auto address = regs::US_ALU_RGB_ADDR().ADDR0(temp);
  const auto rgb =
      regs::US_ALU_RGB_INST().RED_SWIZ_A(0).GREEN_SWIZ_A(1).BLUE_SWIZ_A(2).RED_SWIZ_B(0).GREEN_SWIZ_B(1).BLUE_SWIZ_B(2).OMOD(7);
  const auto alpha = regs::US_ALU_ALPHA_INST().ALPHA_OP(3).ALPHA_SWIZ_A(3).ALPHA_SWIZ_B(3).OMOD(7);
  const auto rgba = regs::US_ALU_RGBA_INST().RGB_OP(5);
  return {common.raw, address.raw, address.raw, rgb.raw, alpha.raw, rgba.raw};
}

Packets fragment_program(std::span<const std::array<uint32_t, 6>> slots, uint32_t temps) {
  Packets p;
  p.set(regs::US_PIXSIZE().PIX_SIZE(temps - 1));
  p.set(regs::US_CODE_ADDR().START_ADDR(0).END_ADDR(static_cast<uint32_t>(slots.size() - 1)));
  p.set(regs::US_CODE_RANGE().CODE_ADDR(0).CODE_SIZE(static_cast<uint32_t>(slots.size() - 1)));
  p.set(regs::US_CODE_OFFSET());
  p.set(regs::GA_US_VECTOR_INDEX());
  for (const auto& slot : slots) p.write_port(regs::GA_US_VECTOR_DATA::offset, slot);
  return p;
}

Packets vertex_program(std::span<const std::array<uint32_t, 4>> instructions) {
  Packets p;
  const auto last = static_cast<uint32_t>(instructions.size() - 1);
  p.set(regs::VAP_PVS_STATE_FLUSH_REG());
  p.set(regs::VAP_PVS_CODE_CNTL_0().PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
  const uint32_t last_source[] = {last};
  p.write(regs::VAP_PVS_CODE_CNTL_1::offset, last_source);
  p.set(regs::VAP_PVS_VECTOR_INDX_REG());
  for (const auto& i : instructions) p.write_port(regs::VAP_PVS_VECTOR_DATA_REG_128::offset, i);
  return p;
}

Packets plain_state(const Target& t) {
  using namespace regs;
  Packets p;
  // VAP: two FLOAT_4 elements from the packet, identity swizzle.
  p.set(VAP_VTX_SIZE().DWORDS_PER_VTX(8));
  p.set(VAP_PROG_STREAM_CNTL()
            .DATA_TYPE_0(VAP_PROG_STREAM_CNTL::DATA_TYPE_0__FLOAT_4)
            .DST_VEC_LOC_0(0)
            .DATA_TYPE_1(VAP_PROG_STREAM_CNTL::DATA_TYPE_1__FLOAT_4)
            .DST_VEC_LOC_1(1)
            .LAST_VEC_1(1));
  p.set(VAP_PROG_STREAM_CNTL_EXT()
            .SWIZZLE_SELECT_X_0(0)
            .SWIZZLE_SELECT_Y_0(1)
            .SWIZZLE_SELECT_Z_0(2)
            .SWIZZLE_SELECT_W_0(3)
            .WRITE_ENA_0(15)
            .SWIZZLE_SELECT_X_1(0)
            .SWIZZLE_SELECT_Y_1(1)
            .SWIZZLE_SELECT_Z_1(2)
            .SWIZZLE_SELECT_W_1(3)
            .WRITE_ENA_1(15));
  p.set(VAP_VF_MAX_VTX_INDX().MAX_INDX(0xFFFFFF));
  p.set(VAP_VF_MIN_VTX_INDX());
  p.set(VAP_CNTL().PVS_NUM_SLOTS(5).PVS_NUM_CNTLRS(5).PVS_NUM_FPUS(8).VF_MAX_VTX_NUM(12).DX_CLIP_SPACE_DEF(1));
  p.set(VAP_CLIP_CNTL());
  p.set_float<VAP_GB_VERT_CLIP_ADJ>(1);
  p.set_float<VAP_GB_VERT_DISC_ADJ>(1);
  p.set_float<VAP_GB_HORZ_CLIP_ADJ>(1);
  p.set_float<VAP_GB_HORZ_DISC_ADJ>(1);
  p.set(VAP_VTE_CNTL()
            .VPORT_X_SCALE_ENA(1)
            .VPORT_X_OFFSET_ENA(1)
            .VPORT_Y_SCALE_ENA(1)
            .VPORT_Y_OFFSET_ENA(1)
            .VPORT_Z_SCALE_ENA(1)
            .VPORT_Z_OFFSET_ENA(1)
            .VTX_W0_FMT(1));
  const float half_w = static_cast<float>(t.width) / 2, half_h = static_cast<float>(t.height) / 2;
  const uint32_t viewport[] = {bits(half_w), bits(half_w), bits(half_h), bits(half_h), bits(1.0f), bits(0.0f)};
  p.write(VAP_VPORT_XSCALE::offset, viewport);
  p.set(VAP_OUT_VTX_FMT_0().VTX_POS_PRESENT(1));
  p.set(VAP_OUT_VTX_FMT_1().TEX_0_COMP_CNT(4));
  const std::array<uint32_t, 4> program[] = {move_instruction(2, 0, 1, 0), move_instruction(2, 1, 1, 1)};
  p.append(vertex_program(program));
  // GA, SU, SC: fill, no culling, 1/16 sub-pixels, top-left rule, whole target.
  p.set(GB_TILE_CONFIG().ENABLE(1).SUBPIXEL(1));
  p.set(GA_ROUND_MODE().GEOMETRY_ROUND(1).COLOR_ROUND(1));
  p.set(GA_POLY_MODE());
  p.set(GB_ENABLE());
  p.set(GB_SELECT());
  p.set(SU_CULL_MODE());
  p.set(SU_POLY_OFFSET_ENABLE());
  p.set_float<SU_DEPTH_SCALE>(16777215.0f);
  p.set_float<SU_DEPTH_OFFSET>(0);
  const uint32_t edge_rule = 0x2DA49525;
  p.write(SC_EDGERULE::offset, {&edge_rule, 1});
  p.set(SC_CLIP_RULE().CLIP_RULE(0xFFFF));
  p.set(SC_SCISSOR0());
  p.set(SC_SCISSOR1().XS1(t.width - 1).YS1(t.height - 1));
  const uint32_t all = 0xFFFFFF;
  p.write(SC_SCREENDOOR::offset, {&all, 1});
  // RS: texcoord 0 (components 0..3) to temp 0.
  p.set(PS3_ENABLE().PS3_MODE(1));
  p.set(PS3_VTX_FMT().TEX_0_COMP_CNT(4));
  p.set(RS_COUNT().IT_COUNT(4).HIRES_EN(1));
  p.set(RS_INST_COUNT());
  p.set(RS_IP().TEX_PTR_S(0).TEX_PTR_T(1).TEX_PTR_R(2).TEX_PTR_Q(3));
  p.set(RS_INST().TEX_ID(0).TEX_CN(1).TEX_ADDR(0));
  // US, FG, ZB, RB3D.
  const std::array<uint32_t, 6> slots[] = {out_slot(0)};
  p.append(fragment_program(slots, 1));
  p.set(US_OUT_FMT().OUT_FMT(0).C0_SEL(3).C1_SEL(2).C2_SEL(1).C3_SEL(0));
  for (uint32_t i = 1; i < 4; ++i) p.set(US_OUT_FMT().OUT_FMT(15), i);
  p.set(FG_ALPHA_FUNC());
  p.set(FG_FOG_BLEND());
  p.set(FG_DEPTH_SRC());
  p.set(ZB_CNTL());
  p.set(ZB_FORMAT().DEPTHFORMAT(2));
  const uint32_t depth_offset[] = {t.depth};
  p.write(ZB_DEPTHOFFSET::offset, depth_offset);
  const uint32_t depth_pitch[] = {t.width};
  p.write(ZB_DEPTHPITCH::offset, depth_pitch);
  p.set(RB3D_CCTL());
  p.set(RB3D_BLENDCNTL());
  p.set(RB3D_ABLENDCNTL());
  p.set(RB3D_COLOR_CHANNEL_MASK().BLUE_MASK(1).GREEN_MASK(1).RED_MASK(1).ALPHA_MASK(1));
  p.set(RB3D_ROPCNTL());
  const uint32_t dither_round = 5;
  p.write(RB3D_DITHER_CTL::offset, {&dither_round, 1});
  const uint32_t color_offset[] = {t.color};
  p.write(RB3D_COLOROFFSET::at(0), color_offset);
  const uint32_t color_pitch[] = {t.width | RB3D_COLORPITCH().COLORFORMAT(6).raw};
  p.write(RB3D_COLORPITCH::at(0), color_pitch);
  return p;
}

Packets draw(uint32_t prim_type, std::span<const TestVertex> vertices) {
  std::vector<uint32_t> payload{
      regs::VAP_VF_CNTL().PRIM_TYPE(prim_type).PRIM_WALK(3).NUM_VERTICES(static_cast<uint32_t>(vertices.size())).raw};
  for (const TestVertex& v : vertices) {
    for (const float f : v.position) payload.push_back(bits(f));
    for (const float f : v.attribute) payload.push_back(bits(f));
  }
  Packets p;
  p.command(pm4::Op::N3D_DRAW_IMMD_2, payload);
  return p;
}

Packets gradient_quad(const std::array<std::array<float, 4>, 4>& corner, float z) {
  const TestVertex v[] = {{{-1, -1, z, 1}, corner[0]}, {{1, -1, z, 1}, corner[1]}, {{1, 1, z, 1}, corner[2]}, {{-1, 1, z, 1}, corner[3]}};
  return draw(regs::VAP_VF_CNTL::PRIM_TYPE__QUAD_LIST, v);
}
Packets full_quad(const std::array<float, 4>& attribute, float z) {
  return gradient_quad(std::array{attribute, attribute, attribute, attribute}, z);
}

Packets float_target(uint32_t address, uint32_t pitch) {
  using Out = regs::US_OUT_FMT;
  Packets p;
  p.set(Out()
            .OUT_FMT(Out::OUT_FMT__C4_32_FP)
            .C0_SEL(Out::C0_SEL__RED)
            .C1_SEL(Out::C1_SEL__GREEN)
            .C2_SEL(Out::C2_SEL__BLUE)
            .C3_SEL(Out::C3_SEL__ALPHA));
  p.set(regs::RB3D_COLORPITCH{pitch}.COLORFORMAT(regs::RB3D_COLORPITCH::COLORFORMAT__ARGB32323232));
  p.write(regs::RB3D_COLOROFFSET::at(0), {&address, 1});
  return p;
}

Packets us_constants(uint32_t first, std::span<const std::array<uint32_t, 4>> values) {
  Packets p;
  p.set(regs::GA_US_VECTOR_INDEX().INDEX(first).TYPE(1));
  for (const auto& v : values) p.write_port(regs::GA_US_VECTOR_DATA::offset, v);
  return p;
}

Packets pvs_constants(uint32_t first, std::span<const std::array<uint32_t, 4>> values) {
  constexpr uint32_t kConstants = 1024;  // octword address of constant 0 on R5xx
  Packets p;
  const uint32_t index = kConstants + first;
  p.write(regs::VAP_PVS_VECTOR_INDX_REG::offset, {&index, 1});
  for (const auto& v : values) p.write_port(regs::VAP_PVS_VECTOR_DATA_REG_128::offset, v);
  return p;
}

Sheet::Sheet(Chip& chip) : chip_(chip), target_{kWidth, kHeight, chip.allocate(size_t{kCases} * 4), 0} {
  packets = plain_state(target_);
  packets.append(float_target(target_.color, kWidth));
}

uint32_t Sheet::add(const Packets& state, const Packets& draw) {
  const uint32_t x = count_ % kWidth, y = count_ / kWidth;
  packets.append(state);
  packets.set(regs::SC_SCISSOR0().XS0(x).YS0(y));
  packets.set(regs::SC_SCISSOR1().XS1(x).YS1(y));
  packets.append(draw);
  return count_++;
}

bool Sheet::run() {
  const bool done = chip_.run(packets);
  packets.words.clear();
  count_ = 0;
  return done;
}

std::array<uint32_t, 4> Sheet::bits(uint32_t number) const {
  const uint32_t* p = chip_.memory(target_.color) + size_t{number} * 4;
  return {p[0], p[1], p[2], p[3]};
}

}  // namespace pumice::hw::test
