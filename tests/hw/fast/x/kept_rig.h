// SPDX-License-Identifier: MIT
/// Random sequences of draws that differ in little from the one before them, and fills between them, on the fast executor and the
/// reference: the rig of kept_test.cpp.
#pragma once
#include <cstring>
#include <functional>
#include <optional>
#include <random>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/threads/team.h"
#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/fast/make.h"
#include "hw/radeon/footprint/rows.h"
#include "hw/radeon/regfile/decode.h"
#include "tests/fuzz.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {

using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

inline constexpr uint32_t kSize = 84, kPitch = kSize * 16, kVertices = 60, kBlocks = 8, kBlockBytes = 48, kSets = 4, kImage = 2,
                          kDepthPitch = kSize * 4 + 48;

/// Bits of Changes that lead from one state to the other.
inline uint8_t groups_between(const ChipState& a, const ChipState& b) {
  const decode::Tables& tables = decode::tables(a.profile);
  uint8_t groups = 0;
  for (uint32_t dword = 0; dword < a.reg.size(); ++dword)
    if (a.reg[dword] != b.reg[dword])
      if (const decode::Entry* e = tables.at(4 * dword)) groups |= e->groups;
  return groups;
}

class XKept : public XRig {
 protected:
  XKept() {
    set(regs::GB_TILE_CONFIG{}.ENABLE(1).TILE_SIZE(1).SUBPIXEL(1));
    set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1).COLOR_ROUND(1).RGB_CLAMP(1).ALPHA_CLAMP(1));
    set(regs::SU_DEPTH_SCALE{num::bits(16777215.0f)});
    set(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(26).ER_LINE_BT(22));
    set(r5x::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
    set(r5x::X_RS_SAMPLE_MASK{~0u});
    const uint32_t half = num::bits(kSize / 2);
    set(r5x::X_VIEWPORT_XSCALE{half}), set(r5x::X_VIEWPORT_XOFFSET{half});
    set(r5x::X_VIEWPORT_YSCALE{half}), set(r5x::X_VIEWPORT_YOFFSET{half});
    set(r5x::X_VIEWPORT_ZSCALE{num::bits(1)});
    set(r5x::X_SCISSOR_BR{}.X(kSize).Y(kSize));
    set(r5x::X_VS_CTRL{}.VARYINGS(1));
    using Blend = r5x::X_CB_BLEND;
    set(Blend{}.COLOR_SRC(Blend::COLOR_SRC__ONE).COLOR_DST(Blend::COLOR_SRC__ONE).ALPHA_SRC(Blend::COLOR_SRC__ONE));
    set(r5x::X_CB_CONTROL{}.WRITE_MASK(15).BLEND(1));
    set(r5x::X_CB_PITCH{kPitch}), set(r5x::X_CB_EXTENT{}.WIDTH(kSize - 1).HEIGHT(kSize - 1));
    for (uint64_t& t : targets_) t = allocate(kPitch * kSize);
    depth_ = allocate(kDepthPitch * kSize), whole_ = allocate(48);
    set(r5x::X_ZB_BASE_LO{uint32_t(depth_)});
    set(r5x::X_ZB_BASE_HI{}.ADDRESS(uint32_t(depth_ >> 32)).FORMAT(formats::D32_SFLOAT).ENABLE(1));
    set(r5x::X_ZB_PITCH{kDepthPitch}), set(r5x::X_ZB_EXTENT{}.WIDTH(kSize - 1).HEIGHT(kSize - 1));
    vertices_ = allocate(kVertices * 16), blocks_ = allocate(kBlocks * kBlockBytes), sets = allocate(kSets * 64);
    set(r5x::X_VTX_BUFFER_STRIDE{16});
    set(r5x::X_VTX_ATTR_FORMAT{}.FORMAT(formats::R32G32B32A32_SFLOAT));
    const auto exports = [](uint32_t slot, uint8_t source) {
      return X{.op = XOp::EXP, .mask = kXyzw, .source = source, .immediate = slot};
    };
    const auto load = [](XOp op, uint8_t dest, Selector from) {
      return X{.op = op, .dest = dest, .mask = kXyzw, .source = 6, .components = 4, .descriptor = from};
    };
    Selector fragment_set = at(1);  // each stage has its own set
    fragment_set.set = 1;
    stage({xi(XiOp::MOV, 6, kXyzw, n(0)), X{.op = XOp::LDA, .dest = 1, .mask = kXyzw}, load(XOp::LDC, 2, at(0)),
           alu(AluOp::MAD, 3, kXyzw, r(2), c(0), r(1)), exports(16, 3), exports(32, 2)},
          r5x::X_VS_CODE_LO::offset);
    stage(
        {xi(XiOp::MOV, 6, kXyzw, n(0)), X{.op = XOp::LDV, .dest = 1, .mask = kXyzw}, load(XOp::LDU, 2, {}), load(XOp::LDC, 3, fragment_set),
         alu(AluOp::MAD, 4, kXyzw, r(1), c(0), r(2)), alu(AluOp::MAD, 4, kXyzw, r(4), c(0), r(3)), exports(0, 4)},
        r5x::X_FS_CODE_LO::offset);
    const auto keep = [this](uint32_t at, uint32_t first) { std::copy_n(&state->reg[first / 4], 4, programs_[at].begin()); };
    keep(0, r5x::X_VS_CODE_LO::offset), keep(2, r5x::X_FS_CODE_LO::offset);
    // Others: without constants of a set, with another varying.
    stage({X{.op = XOp::LDA, .dest = 1, .mask = kXyzw}, alu(AluOp::MAD, 2, kXyzw, r(1), c(0), r(1)), exports(16, 1), exports(32, 2)},
          r5x::X_VS_CODE_LO::offset);
    stage({X{.op = XOp::LDV, .dest = 1, .mask = kXyzw}, alu(AluOp::MAD, 4, kXyzw, r(1), c(0), r(1)), exports(0, 4)},
          r5x::X_FS_CODE_LO::offset);
    keep(1, r5x::X_VS_CODE_LO::offset), keep(3, r5x::X_FS_CODE_LO::offset);
    // Reads its pixel of an image that may be the target.
    Selector image = at(kImage);
    image.set = 1;
    stage({X{.op = XOp::LDV, .dest = 1, .mask = kXyzw}, X{.op = XOp::SYS, .dest = 5, .mask = kXyzw, .immediate = 0},
           xi(XiOp::F2I, 5, 3, r(5)), xi(XiOp::MOV, 5, uint8_t(kXyzw & ~3), n(0)), xi(XiOp::MOV, 6, kXyzw, n(0)),
           X{.op = XOp::FETCH, .dest = 7, .mask = kXyzw, .source = 5, .src2 = 6, .descriptor = image},
           alu(AluOp::MAD, 4, kXyzw, r(7), c(0), r(1)), exports(0, 4)},
          r5x::X_FS_CODE_LO::offset);
    keep(4, r5x::X_FS_CODE_LO::offset);
    std::copy_n(programs_[0].begin(), 4, &state->reg[r5x::X_VS_CODE_LO::offset / 4]);
    std::copy_n(programs_[2].begin(), 4, &state->reg[r5x::X_FS_CODE_LO::offset / 4]);
    target(0), set_at(0, 0), set_at(1, 0), push_at(0, 16), vertices_at(0);
    first_state_ = *state;
  }

  uint32_t below(uint32_t n) { return uint32_t(engine_()) % n; }
  float between(float low, float high) { return low + (high - low) * float(below(1u << 20)) / float(1u << 20); }
  void stage(const std::vector<Instruction>& code, uint32_t first) {
    program(code, {{bits(0.25f), bits(0.25f), bits(0), bits(0)}});
    for (uint32_t i = 0; i < 4; ++i) state->reg[first / 4 + i] = state->raw(r5x::X_CS_CODE_LO::offset + 4 * i);
  }
  void target(uint32_t i) {
    set(r5x::X_CB_BASE_LO{uint32_t(targets_[i])});
    set(r5x::X_CB_BASE_HI{}.ADDRESS(uint32_t(targets_[i] >> 32)).FORMAT(formats::R32G32B32A32_SFLOAT).ENABLE(1));
  }
  void set_at(uint32_t number, uint32_t i) {
    const uint64_t at = sets + 64 * i;
    set(r5x::X_GFX_SET_LO{uint32_t(at)}, number), set(r5x::X_GFX_SET_HI{uint32_t(at >> 32)}, number);
  }
  void push_at(uint32_t block, uint32_t bytes) {
    const uint64_t at = blocks_ + kBlockBytes * block;
    set(r5x::X_GFX_PUSH_LO{uint32_t(at)}), set(r5x::X_GFX_PUSH_HI{uint32_t(at >> 32)}), set(r5x::X_GFX_PUSH_SIZE{bytes});
  }
  void vertices_at(uint32_t first) { vertices_in(vertices_ + 16 * first, kVertices - first); }
  void vertices_in(uint64_t at, uint32_t count) {
    set(r5x::X_VTX_BUFFER_LO{uint32_t(at)}), set(r5x::X_VTX_BUFFER_HI{uint32_t(at >> 32)});
    set(r5x::X_VTX_BUFFER_SIZE{16 * count});
  }
  uint64_t block(uint32_t i) const { return blocks_ + kBlockBytes * i; }
  void describe(uint32_t set, uint32_t number, uint64_t address, uint32_t bytes) {
    uint32_t* d = dwords(sets + 64 * set) + 4 * number;
    d[0] = uint32_t(address), d[1] = uint32_t(address >> 32), d[2] = bytes, d[3] = 0;
  }

  void describe_target(uint32_t set, uint32_t i) {
    uint32_t* const d = dwords(sets + 64 * set) + 4 * kImage;
    d[0] = uint32_t(targets_[i]);
    d[1] = uint32_t(targets_[i] >> 32) | uint32_t(formats::R32G32B32A32_SFLOAT) << 16 | uint32_t(xt::Dim::d2) << 24;
    d[2] = (kSize - 1) | (kSize - 1) << 16, d[3] = 0, d[4] = 0;
    for (uint32_t c = 0; c < 4; ++c) d[4] |= c << (12 + 3 * c);
    d[5] = kPitch, d[6] = kPitch * kSize / 64, d[7] = 0;
  }

  /// Whether a draw's vertices, or the constants of its vertex program, lie in the target that it writes. Vulkan defines nothing for such a
  /// draw: where it has several instances, what the later ones read depends on when vertices are shaded. Random sequences leave it out, on
  /// every executor. (Steps change descriptors as they are executed: this holds for the moment before the draw.)
  bool shades_from_own_target(const ChipState& s) {
    const auto address = [&](uint32_t low) { return s.raw(low) | uint64_t(s.raw(low + 4)) << 32; };
    const auto range = [](uint64_t at, uint64_t bytes) { return ByteRange{at, at + bytes}; };
    const ByteRange target = range(address(r5x::X_CB_BASE_LO::offset) & ((uint64_t{1} << 48) - 1), kPitch * kSize);
    const uint32_t* const constants = dwords(address(r5x::X_GFX_SET_LO::offset));  // descriptor 0 of set 0
    return target.overlaps(range(address(r5x::X_VTX_BUFFER_LO::offset), s.raw(r5x::X_VTX_BUFFER_SIZE::offset))) ||
           target.overlaps(range(constants[0] | uint64_t(constants[1]) << 32, constants[2]));
  }
  /// A draw, and what the host writes or the chip resolves and then fills before it.
  struct Step {
    std::function<void()> host;
    std::vector<ResolveInput> resolves;
    std::vector<FillInput> fills;
    ChipState state{Profile::r5x};
    DrawInput input;
  };
  void step(std::function<void()> host = {}, uint32_t count = 6) {
    steps_.push_back(
        {std::move(host),
         std::exchange(resolves_, {}),
         std::exchange(fills_, {}),
         *state,
         {Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(count), {}}});
  }
  /// One of the changes that must be noticed.
  void change() {
    switch (below(16)) {
      case 0: set(r5x::X_DRAW_BASE_VERTEX{below(kVertices)}); return step();
      case 1: vertices_at(below(20)); return step();
      case 2: push_at(below(kBlocks), 16); return step();
      case 3: push_at(below(kBlocks), 4 * below(5)); return step();
      case 4: set_at(below(3), below(kSets)); return step();  // the last one is not used
      case 5: set(r5x::X_SCISSOR_TL{}.X(below(32)).Y(below(32))); return step();
      case 6: set(r5x::X_CB_CONTROL{}.WRITE_MASK(1 + below(15)).BLEND(below(2))); return step();
      case 7: target(below(2)); return step();
      case 8: set(r5x::X_DRAW_INSTANCES{below(3)}); return step();
      case 9: {
        const uint32_t in = below(kSets), number = below(2), from = below(kBlocks), bytes = 4 * below(5);
        return step([=, this] { describe(in, number, block(from), bytes); });
      }
      case 10: {  // pixels as constants: the draw must wait for those before it, or cannot be tiled
        const uint32_t in = below(kSets), number = below(2), from = below(2), row = below(kSize);
        return step([=, this] { describe(in, number, targets_[from] + row * kPitch, 16); });
      }
      case 11: {
        const uint32_t in = below(kBlocks);
        const float value = between(-0.5f, 0.5f);
        return step([=, this] { dwords(block(in))[0] = bits(value); });
      }
      case 12: return step({}, 3 * (1 + below(16)));
      case 13: vertices_in(targets_[below(2)] + below(kSize) * kPitch, kVertices); return step();  // the draw must wait for its vertices
      case 14: set(r5x::X_VTX_BUFFER_STRIDE{16 * below(3)}); return step();
      default: return step();
    }
  }

  void bindings_of(const ChipState& from) {
    const auto copy = [&](uint32_t begin, uint32_t end) { std::copy(&from.reg[begin / 4], &from.reg[end / 4], &state->reg[begin / 4]); };
    copy(r5x::X_GFX_SET_LO::offset, r5x::X_GFX_PUSH_SIZE::offset + 4);
    copy(r5x::X_VTX_BUFFER_LO::offset, r5x::X_VTX_BUFFER_STRIDE::at(r5x::X_VTX_BUFFER_STRIDE::count - 1) + 4);
  }
  /// Another state in one respect.
  void other_state() {
    using Blend = r5x::X_CB_BLEND;
    switch (below(14)) {
      case 0: set(regs::SU_CULL_MODE{}.CULL_FRONT(below(2)).CULL_BACK(below(2)).FACE(below(2))); break;
      case 1: set(regs::GA_POLY_MODE{}.POLY_MODE(below(2)).FRONT_PTYPE(below(3)).BACK_PTYPE(below(3))); break;
      case 2: set(r5x::X_VIEWPORT_XSCALE{bits(between(10, kSize))}), set(r5x::X_VIEWPORT_ZOFFSET{bits(between(0, 0.5f))}); break;
      case 3: set(r5x::X_RS_VARYING{}.FLAT(below(16)).NOPERSPECTIVE(below(16))); break;
      case 4: {
        constexpr uint32_t kFormats[] = {formats::R32G32B32A32_SFLOAT, formats::R32G32B32_SFLOAT, formats::R32G32_SFLOAT};
        set(r5x::X_VTX_ATTR_FORMAT{}.FORMAT(kFormats[below(3)]).OFFSET(16 * below(2)));
        break;
      }
      case 5:
        set(r5x::X_BUDGET{1u << 14});  // vertices may be shaded by several threads
        set(r5x::X_RS_CTRL{}
                .LAST_PROVOKING(below(2))
                .DEPTH_CLAMP(below(2))
                .DEPTH_CLIP(below(3))
                .NEGATIVE_DEPTH(below(2))
                .DEPTH_UNRESTRICTED(below(2)));
        break;
      case 6: set(Blend{}.COLOR_SRC(Blend::COLOR_SRC__ONE).COLOR_DST(below(6)).ALPHA_SRC(below(6))); break;
      case 7: std::copy_n(programs_[below(2)].begin(), 4, &state->reg[r5x::X_VS_CODE_LO::offset / 4]); break;
      case 8: fragment_program(2 + below(3)); break;
      case 9: set(regs::SC_EDGERULE{}.ER_TRI(below(32)).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(26).ER_LINE_BT(22)); break;
      case 10: depth_test(below(8), below(2)); break;
      case 11: set(r5x::X_RS_VARYING{}.CENTROID(below(2))); break;
      case 12:
        set(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(1).BACK_ENABLE(1)), set(regs::SU_POLY_OFFSET_FRONT_OFFSET{bits(between(-2, 2))});
        break;
      default: {  // strict registers that the state of an extended draw is not made from
        const auto& entries = decode::tables(Profile::r5x).entries;
        const decode::Entry* e = nullptr;
        do e = &entries[below(uint32_t(entries.size()))];
        while (e->kind != decode::Kind::reg || e->offset < 0x4100 || e->offset >= 0x5000 || (e->groups & Changes::kRaster) != 0 ||
               !(e->groups & (Changes::kOutput | Changes::kVertex | Changes::kTexture | Changes::kShader)));
        state->reg[uint32_t(e->offset) / 4] = uint32_t(engine_());
      }
    }
  }

  void fragment_program(uint32_t i) { std::copy_n(programs_[i].begin(), 4, &state->reg[r5x::X_FS_CODE_LO::offset / 4]); }

  /// Often the last pattern again, of memory with a number.
  FillInput fill_of_target(uint32_t i) {
    if (below(3) == 0) usual_[i] = pattern();
    if (below(3)) return {targets_[i], kPitch, kPitch, kSize, usual_[i], 1 + i};
    return {targets_[i], kPitch, kPitch, kSize, pattern()};
  }
  FillInput fill_of_depth(float z) { return {depth_, kSize * 4, kDepthPitch, kSize, {bits(z), bits(z), bits(z), bits(z)}}; }
  std::array<uint32_t, 4> pattern() {
    std::array<uint32_t, 4> p;
    for (uint32_t& v : p) v = bits(between(-1, 1));
    return p;
  }
  void depth_test(uint32_t compare, bool writes) { set(r5x::X_ZB_CONTROL{}.DEPTH_TEST(1).DEPTH_WRITE(writes).DEPTH_FUNC(compare)); }
  /// Fills before the next draw, or a change of what draws do with what is filled.
  void random_fills() {
    switch (below(10)) {
      case 0: fills_.push_back(fill_of_target(below(2))); break;
      case 1: fills_.push_back(fill_of_target(0)), fills_.push_back(fill_of_target(1)), fills_.push_back(fill_of_depth(1)); break;
      case 2: fills_.push_back(fill_of_depth(between(0, 1))); break;
      case 3: {  // a part, with rows of its own
        const uint32_t y = below(kSize / 2);
        fills_.push_back({targets_[below(2)] + y * kPitch + 16 * below(8), 16 * (1 + below(kSize - 8)), kPitch, kSize - y - 1, pattern()});
        break;
      }
      case 4: fills_.push_back({targets_[below(2)], kPitch * kSize, 0, 1, pattern()}); break;
      case 5:  // one over the other
        fills_.push_back(fill_of_target(below(2))), fills_.push_back(fill_of_target(below(2)));
        fills_.push_back({targets_[below(2)] + 16 * below(kSize * kSize / 2), 16 * 1200, 0, 1, pattern()});
        break;
      case 6: depth_test(below(8), below(2)); break;
      case 7: set(r5x::X_ZB_CONTROL{}); break;
      case 8: fragment_program(2 + below(3)); break;
      default:  // what the clear made is overwritten, mostly
        fills_.push_back(fill_of_target(below(2)));
        set(r5x::X_CB_CONTROL{}.WRITE_MASK(below(4) ? 15 : 7));
        vertices_in(whole_, 3);
        return step({}, 3);
    }
  }

  static void fill_directly(Memory& memory, const FillInput& f) {
    for (uint64_t y = 0; y < f.rows; ++y)
      for (uint64_t x = 0; x < f.row_bytes; x += 4) memory.store<uint32_t>(f.address + y * f.pitch + x, f.pattern[x / 4 % 4]);
  }

  void resolve_directly(DrawExecutor* executor, const ResolveInput& in) {
    const RowsPart all{0, 0, in.width, in.height};
    executor ? static_cast<void>(executor->resolve_part(in, all)) : execute_resolve(in, all);
  }

  /// `fill` and `resolve` are false where they have not done it.
  std::vector<uint32_t> execute(const std::function<void(DrawContext&, const DrawInput&)>& draw,
                                const std::function<void(DrawContext&)>& finish,
                                const std::function<bool(DrawContext&, const FillInput&)>& fill,
                                const std::function<bool(DrawContext&, const ResolveInput&)>& resolve, DrawExecutor* executor = nullptr) {
    std::mt19937 engine(seed_);
    ++runs_;
    const auto value = [&](float range) { return bits(range * (float(engine() % 65536) / 32768 - 1)); };
    for (const uint64_t t : targets_) std::memset(dwords(t), 0, kPitch * kSize);
    std::memset(dwords(depth_), 0, kDepthPitch * kSize);
    for (const ByteRange& r : more_) std::memset(dwords(r.begin), 0x5A, r.size());
    for (uint32_t i = 0; i < 3; ++i) {
      uint32_t* v = dwords(whole_) + 4 * i;
      v[0] = bits(i == 1 ? 9.0f : -3.0f), v[1] = bits(i == 2 ? 9.0f : -3.0f), v[2] = 0, v[3] = bits(1);
    }
    for (uint32_t i = 0; i < kVertices; ++i)
      for (uint32_t c = 0; c < 4; ++c) dwords(vertices_)[4 * i + c] = c < 2 ? value(1) : c == 2 ? 0 : bits(1);
    for (uint32_t i = 0; i < kBlocks * kBlockBytes / 4; ++i) dwords(blocks_)[i] = value(1);
    for (uint32_t s = 0; s < kSets; ++s)
      for (uint32_t number = 0; number < 2; ++number) describe(s, number, block((s + 3 * number) % kBlocks), 16), describe_target(s, s % 2);
    counters = {};
    reports.clear();
    programs.invalidate();
    for (const Step& s : steps_) {
      counters.instructions_left = 1u << 30;
      DrawContext ctx{s.state, *memory, counters, config};
      ctx.draw = ++number_;
      ctx.programs = &programs;
      if (s.host) finish(ctx), s.host();
      for (ResolveInput in : s.resolves) {
        if (in.surface) in.surface += kNumbers * runs_;
        if (in.source_surface) in.source_surface += kNumbers * runs_;
        in.from = memory->host_pointer(in.source), in.to = memory->host_pointer(in.destination);
        if (!resolve(ctx, in)) finish(ctx), resolve_directly(executor, in);
      }
      for (FillInput f : s.fills) {
        if (f.surface) f.surface += kNumbers * runs_;  // the host has written since the last run
        if (!fill(ctx, f)) finish(ctx), fill_directly(*memory, f);
      }
      if (!random_ || !shades_from_own_target(s.state)) draw(ctx, s.input);
    }
    DrawContext ctx{steps_.back().state, *memory, counters, config};
    finish(ctx);
    std::vector<uint32_t> out{counters.zpass};
    for (const uint64_t t : targets_) out.insert(out.end(), dwords(t), dwords(t) + kPitch * kSize / 4);
    out.insert(out.end(), dwords(depth_), dwords(depth_) + kDepthPitch * kSize / 4);
    for (const ByteRange& r : more_) out.insert(out.end(), dwords(r.begin), dwords(r.begin) + r.size() / 4);
    return out;
  }

  struct Executor {
    std::unique_ptr<Team> team;
    std::unique_ptr<DrawExecutor> executor;
    std::unique_ptr<ChipState> last;  ///< what the last draw saw
    Changes changes;
  };
  void make_executors() {
    for (const CpuChoice cpu : {CpuChoice::portable, CpuChoice::avx2, CpuChoice::best})
      for (const uint32_t threads : {1u, 2u, 9u}) {
        if (!available(cpu)) continue;
        GpuConfig g = config;
        g.cpu = cpu, g.executor = ExecutorKind::fast;
        g.collect_after = threads > 1 ? 0 : 20;
        g.part_primitives = 2;
        Executor e{std::make_unique<Team>(threads), nullptr, nullptr, {}};
        e.executor = hw::make_executor(g, *memory, *e.team);
        e.executor->fill_now = [this](const FillInput& f) {
          ++filled_now_, filled_bytes_ += f.rows * f.row_bytes;
          fill_directly(*memory, f);
        };
        executors_.push_back(std::move(e));
      }
  }
  /// Of the steps: the reference's targets; every executor's must be the same.
  std::vector<uint32_t> check(const std::string& what) {
    const auto wanted =
        execute([](DrawContext& ctx, const DrawInput& input) { execute_draw(ctx, input); }, [](DrawContext&) {},
                [](DrawContext&, const FillInput&) { return false; }, [](DrawContext&, const ResolveInput&) { return false; });
    const auto reported = reports;
    for (Executor& e : executors_) {
      const auto got = execute(
          [&](DrawContext& ctx, const DrawInput& input) {
            if (e.last)
              e.changes.groups |= groups_between(*e.last, ctx.state);
            else
              e.last = std::make_unique<ChipState>(Profile::r5x);
            *e.last = ctx.state;
            ctx.changes = &e.changes;
            e.executor->draw(ctx, input);
          },
          [&](DrawContext& ctx) { e.executor->finish(ctx); },
          [&](DrawContext& ctx, const FillInput& f) { return e.executor->fill(ctx, f); },
          [&](DrawContext& ctx, const ResolveInput& in) { return e.executor->resolve(ctx, in) && ++queued_resolves_; }, e.executor.get());
      EXPECT_EQ(got[0], wanted[0]) << what;
      const auto at = std::mismatch(got.begin(), got.end(), wanted.begin()).first;
      EXPECT_EQ(at, got.end()) << at - got.begin() << what;
      EXPECT_EQ(reports, reported) << what;
    }
    return wanted;
  }
  /// For each seed of the range: what `make_steps` makes, on all executors.
  void check_random(const std::function<void()>& make_steps) {
    make_executors();
    random_ = true;
    const FuzzRange range = fuzz_range(60);
    uint64_t passed = 0;
    for (seed_ = range.first; seed_ < range.end() && !HasFailure(); ++seed_) {
      engine_.seed(seed_);
      steps_.clear();
      make_steps();
      passed += check(rerun(seed_))[0];
    }
    if (range.usual) {
      EXPECT_GT(passed, 80'000u);
    }
  }

  std::array<std::array<uint32_t, 4>, 5> programs_;  ///< registers of the code: two of vertices, three of fragments
  ChipState first_state_{Profile::r5x};
  std::mt19937 engine_;
  uint32_t seed_ = 1;
  bool random_ = false;  ///< steps are from check_random()
  uint64_t number_ = 0;
  uint64_t targets_[2]{}, depth_ = 0, vertices_ = 0, blocks_ = 0;
  uint64_t whole_ = 0;  ///< the vertices of a triangle around both targets
  std::vector<Step> steps_;
  std::vector<FillInput> fills_;  ///< before the next step
  std::array<uint32_t, 4> usual_[2] = {};
  std::vector<ResolveInput> resolves_;  ///< before them
  std::vector<ByteRange> more_;         ///< memory that is compared, too
  static constexpr uint32_t kNumbers = 8;
  uint32_t runs_ = 0;
  uint64_t queued_resolves_ = 0;
  uint32_t filled_now_ = 0;  ///< fills that executors did not make clears of tiles
  uint64_t filled_bytes_ = 0;
  std::vector<Executor> executors_;
};

}  // namespace pumice::hw::x_test
