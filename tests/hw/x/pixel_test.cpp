// SPDX-License-Identifier: MIT
/// Pixels of extended draws: random states, programs and primitives through the reference (hw/radeon/ref/xr) and, block by block, through
/// the native routine of each instruction set. Memory and the counted samples must be the same.
#if defined(__x86_64__) || defined(__aarch64__)
#include <cstring>
#include <list>
#include <random>
#include <sstream>

#include "hw/common/simd/flush.h"
#include "hw/db/formats.h"
#include "hw/radeon/fast/draw/draw.h"
#include "hw/radeon/fast/draw/reports.h"
#include "hw/radeon/fast/extended/pixel.h"
#include "hw/radeon/fast/extended/pixel_block.h"
#include "hw/radeon/ref/su/su.h"
#include "hw/radeon/ref/xr/raster.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

namespace fx = fast::extended;
namespace R = regs::r5x;

constexpr uint32_t kWidth = 24, kHeight = 20;

class XPixel : public XRig {
 protected:
  uint32_t below(uint32_t n) { return uint32_t(random_() % n); }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  float real(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  float any_float() {
    switch (below(12)) {
      case 0: return 0.0f;
      case 1: return -0.0f;
      case 2: return flt(below(0x7FFFFF) + 1);  // denormal
      case 3: return flt(0x7F800000u | below(2) << 31);
      case 4: return flt(0x7FC12345u);
      case 5: return 1.0f;
      default: return real(-3, 3);
    }
  }

  void fragment(const std::vector<Instruction>& code, const std::vector<Bits4>& literals) {
    program(code, literals);
    for (uint32_t i = 0; i < 4; ++i) state->reg[R::X_FS_CODE_LO::offset / 4 + i] = state->raw(R::X_CS_CODE_LO::offset + 4 * i);
    set(R::X_GFX_SET_LO{uint32_t(sets)});
    set(R::X_GFX_SET_HI{uint32_t(sets >> 32)});
  }
  void begin_state() {
    set(R::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
    set(regs::SU_DEPTH_SCALE{bits(16777215.0f)});
    set(regs::GB_TILE_CONFIG{}.SUBPIXEL(1));
    for (uint32_t v = 0; v < 16; ++v) {
      set(R::X_SCISSOR_TL{}, v);
      set(R::X_SCISSOR_BR{}.X(16384).Y(16384), v);
      set(R::X_VIEWPORT_XSCALE{bits(4096.0f)}, v), set(R::X_VIEWPORT_XOFFSET{bits(0.0f)}, v);
      set(R::X_VIEWPORT_YSCALE{bits(4096.0f)}, v), set(R::X_VIEWPORT_YOFFSET{bits(0.0f)}, v);
      set(R::X_VIEWPORT_ZSCALE{bits(v & 1 ? 0.5f : 1.0f)}, v), set(R::X_VIEWPORT_ZOFFSET{bits(v & 1 ? 0.25f : 0.0f)}, v);
    }
    set(R::X_RS_SAMPLE_MASK{}.MASK(0xFFFF));
  }
  struct Surface {
    uint64_t at;
    uint32_t pitch, layer;  ///< bytes
  };
  Surface surface(uint32_t format, uint32_t log2, bool depth) {
    const uint32_t bytes = formats::info(uint8_t(format)).bytes;
    Surface s;
    s.pitch = (kWidth * bytes + 63) / 64 * 64;
    s.layer = (s.pitch * kHeight << log2) + 64;
    s.at = allocate(2 * s.layer);
    auto* p = reinterpret_cast<uint8_t*>(dwords(s.at));
    for (uint32_t i = 0; i < 2 * s.layer; ++i) p[i] = uint8_t(random_());
    if (depth && formats::info(uint8_t(format)).cls == formats::Class::sfloat) {
      for (uint32_t i = 0; i + bytes <= 2 * s.layer; i += bytes) {
        const float z = chance(20) ? any_float() : real(0, 1);
        std::memcpy(p + i, &z, 4);
      }
    }
    return s;
  }
  void color_target(uint32_t n, uint32_t format, uint32_t log2) {
    const Surface s = surface(format, log2, false);
    set(R::X_CB_BASE_LO{uint32_t(s.at)}, n);
    set(R::X_CB_BASE_HI{}.ADDRESS(uint32_t(s.at >> 32)).FORMAT(format).ENABLE(1), n);
    set(R::X_CB_PITCH{s.pitch}, n), set(R::X_CB_LAYER_PITCH{s.layer / 64}, n);
    set(R::X_CB_EXTENT{}.WIDTH(kWidth - 1).HEIGHT(kHeight - 1), n);
    set(R::X_CB_LAYERS{}.COUNT(1), n);
    set(R::X_CB_SAMPLES{}.LOG2(log2), n);
    set(R::X_CB_CONTROL{}.WRITE_MASK(chance(3) ? below(16) : 15).BLEND(below(2)).LOGIC(chance(8)).LOGIC_OP(below(16)), n);
    const auto factor = [&] { return below(n == 0 ? 19 : 15); };
    set(R::X_CB_BLEND{}.COLOR_SRC(factor()).COLOR_DST(factor()).COLOR_OP(below(5)).ALPHA_SRC(factor()).ALPHA_DST(factor()).ALPHA_OP(
            below(5)),
        n);
    set(R::X_CB_CONSTANT_R{bits(real(-1, 2))}, n), set(R::X_CB_CONSTANT_G{bits(real(0, 1))}, n);
    set(R::X_CB_CONSTANT_B{bits(real(0, 1))}, n), set(R::X_CB_CONSTANT_A{bits(real(0, 1))}, n);
  }
  void depth_target(uint32_t format, uint32_t log2) {
    const Surface s = surface(format, log2, true);
    set(R::X_ZB_BASE_LO{uint32_t(s.at)});
    set(R::X_ZB_BASE_HI{}.ADDRESS(uint32_t(s.at >> 32)).FORMAT(format).ENABLE(1));
    set(R::X_ZB_PITCH{s.pitch}), set(R::X_ZB_LAYER_PITCH{s.layer / 64});
    set(R::X_ZB_EXTENT{}.WIDTH(kWidth - 1).HEIGHT(kHeight - 1));
    set(R::X_ZB_CONTROL{}
            .DEPTH_TEST(!chance(4))
            .DEPTH_WRITE(below(2))
            .DEPTH_FUNC(below(8))
            .STENCIL(below(2))
            .BOUNDS(chance(4))
            .SAMPLES(log2));
    const auto face = [&](auto f) { return f.FUNC(below(8)).SFAIL(below(8)).ZPASS(below(8)).ZFAIL(below(8)).REFERENCE(below(256)); };
    const auto front = face(R::X_ZB_STENCIL_FRONT{});
    set(front);
    if (chance(2))
      set(face(R::X_ZB_STENCIL_BACK{}));
    else
      set(R::X_ZB_STENCIL_BACK{front.raw});
    set(R::X_ZB_MASKS_FRONT{}.COMPARE(below(256)).WRITE(below(256)));
    set(R::X_ZB_MASKS_BACK{}.COMPARE(below(256)).WRITE(below(256)));
    set(R::X_ZB_BOUNDS_MIN{bits(real(0, 0.4f))}), set(R::X_ZB_BOUNDS_MAX{bits(real(0.5f, 1))});
  }

  Shape shape(std::array<x::Window, 3>& v, bool sane) {
    Shape s;
    s.back_facing = chance(2);
    s.kind = chance(5) ? PrimitiveKind::point : PrimitiveKind::triangle;
    s.parallelogram = s.kind == PrimitiveKind::point;
    if (chance(6)) s.unit = 256, s.refinement = 16;
    do {
      const bool small = chance(3);
      const int32_t cx = int32_t(below(kWidth)), cy = int32_t(below(kHeight));
      for (uint32_t i = 0; i < 3; ++i) {
        const auto at = [&](int32_t c, uint32_t extent) {
          return small ? c * s.unit + int32_t(below(uint32_t(4 * s.unit))) : int32_t(below(uint32_t(s.unit) * (extent + 16))) - 8 * s.unit;
        };
        s.at[i] = s.corner[i] = {at(cx, kWidth), at(cy, kHeight)};
      }
      if (s.kind == PrimitiveKind::point) {  // a parallelogram
        s.corners = 4;
        s.at[1] = s.corner[1] = {s.at[0].x + 3 * s.unit, s.at[0].y};
        s.corner[2] = {s.at[0].x + 3 * s.unit, s.at[0].y + 3 * s.unit};
        s.at[2] = s.corner[3] = {s.at[0].x, s.at[0].y + 3 * s.unit};
      }
    } while (su::cross(s.at[0], s.at[1], s.at[2]) == 0);
    const bool same_w = chance(3);
    const float w = real(0.2f, 2);
    for (uint32_t i = 0; i < 3; ++i) {
      v[i].z = chance(8) ? real(-1, 2) : real(0, 1);
      v[i].inv_w = same_w ? w : real(0.1f, 4);
      v[i].extended.layer = below(2), v[i].extended.viewport = below(16), v[i].extended.primitive = below(1000);
      for (uint32_t n = 0; n < 4; ++n)
        for (uint32_t c = 0; c < 4; ++c) v[i].extended.varying[n][c] = sane || !chance(6) ? real(-2, 2) : any_float();
      s.vertex[i] = &v[i];
    }
    for (uint32_t n = 0; n < 4; ++n)
      if (chance(4)) v[1].extended.varying[n] = v[2].extended.varying[n] = v[0].extended.varying[n];
    s.provoking = &v[below(3)];
    return s;
  }

  /// What XR does with a shape, on the reference and natively. `why`: of what is not native.
  void draw(const std::vector<Shape>& shapes) {
    using Image = std::vector<std::vector<std::byte>>;
    const auto content = [&] {
      Image image;
      for (const Range& range : allocated) {
        const std::byte* p = memory->host_pointer(range.address);
        image.emplace_back(p, p + range.bytes);
      }
      return image;
    };
    const Image before = content();
    const auto begin = [&] {
      counters = {};
      counters.instructions_left = 1u << 30;
      reports.clear();
      DrawContext ctx{*state, *memory, counters, config};
      ctx.programs = &programs;
      return ctx;
    };
    DrawContext reference = begin();
    for (const Shape& s : shapes) xr::run(reference, s);
    const Image wanted = content();
    const uint32_t zpass = counters.zpass;
    is_native = false;
    for (const fast::Cpu cpu : fast::cpus()) {
      for (size_t i = 0; i < before.size(); ++i)
        std::memcpy(memory->host_pointer(allocated[i].address), before[i].data(), before[i].size());
      DrawContext ctx = begin();
      fx::Routines routines(cpu, {});
      std::string why;
      fx::PixelJobs jobs(routines);
      ASSERT_TRUE(jobs.update(ctx, false, &why)) << why;
      is_native = true;
      const uint64_t passed = run_native(jobs, cpu, shapes);
      EXPECT_EQ(passed, zpass) << "instruction set " << int(cpu);
      for (size_t i = 0; i < wanted.size(); ++i) {
        const std::byte* have = memory->host_pointer(allocated[i].address);
        const auto [at, want] = std::mismatch(have, have + wanted[i].size(), wanted[i].data());
        if (at == have + wanted[i].size()) continue;
        const auto dword = size_t(at - have) / 4;
        uint32_t h, w;
        std::memcpy(&h, have + dword * 4, 4), std::memcpy(&w, wanted[i].data() + dword * 4, 4);
        ADD_FAILURE() << "instruction set " << int(cpu) << ", dword " << dword << " of range " << i << ": " << std::hex << h
                      << ", the reference " << w;
      }
    }
  }

  uint64_t run_native(const fx::PixelJobs& jobs, fast::Cpu cpu, const std::vector<Shape>& shapes) {
    const fx::PixelJob& job = *jobs.now();
    struct alignas(64) Line {
      std::byte bytes[64];
    };
    std::vector<Line> bound(jobs.binding_bytes() / sizeof(Line));
    fast::ReportQueue queue;
    std::atomic<bool> stop = false;
    std::atomic<uint64_t> lost = 0;
    fx::PixelWorker worker(
        *memory, [&](uint64_t number, const Report& r) { queue.add(number, r.kind, r.text); }, stop, lost, cpu);
    fast::Draw draw;
    draw.number = 1;
    draw.instructions_left = 1 << 30;
    worker.begin(job, *jobs.copy_bindings(bound.data()), {draw.number, draw.instructions_left, draw.reported});
    const fx::BlockRoutines routines = fx::block_routines(cpu);
    std::list<std::vector<std::byte>> rooms;  // a record's address is that of one primitive
    for (const Shape& s : shapes) {
      const su::Planes planes(s);
      if (!planes.valid()) continue;
      const x::Vertex& provoking = x::extended(*s.provoking);
      if (provoking.layer >= job.layers) continue;
      sc::Scan scan;
      scan.samples = xr::samples_of(*state);
      const uint32_t count = scan.samples.count, mask = state->get<R::X_RS_SAMPLE_MASK>().MASK();
      std::array<uint8_t, sc::Samples::kMost> doors{};
      for (uint32_t i = 0; i < count; ++i) doors[i] = mask >> i & 1u ? 0xF : 0;
      sc::Bounds bounds = xr::bounds_of(*state, provoking.viewport, s.kind == PrimitiveKind::triangle);
      bounds.box.x1 = std::min(bounds.box.x1, int32_t(job.width) - 1), bounds.box.y1 = std::min(bounds.box.y1, int32_t(job.height) - 1);
      if (!sc::prepare(s, bounds, doors, scan)) continue;
      const auto& inputs = job.inputs();
      const uint32_t stride = inputs.stride(), more = fast::raster::Extended::dwords(uint32_t(inputs.flat.size()));
      std::vector<std::byte>& room = rooms.emplace_back(fast::raster::Record::bytes(stride, 1, more) + 64);
      void* at = room.data();
      size_t left = room.size();
      auto& r = *new (std::align(64, left - 64, at, left)) fast::raster::Record{};
      r.stride = uint8_t(stride), r.more = uint8_t(more);
      r.back_facing = s.back_facing;
      r.unit = s.unit;
      r.from_x = s.at[0].x - s.unit / 2, r.from_y = s.at[0].y - s.unit / 2;
      const su::Depth depth = su::depth(*state, s, planes);
      r.z = depth.z.plane.origin, r.z_dx = depth.z.plane.dx, r.z_dy = depth.z.plane.dy;
      r.b1x = planes.b1x(), r.b1y = planes.b1y(), r.b2x = planes.b2x(), r.b2y = planes.b2y();
      for (uint32_t i = 0; i < 3; ++i) {
        r.inv_w[i] = s.vertex[i]->inv_w;
        for (uint32_t n = 0; n < stride; ++n) {
          float& to = r.values()[i * stride + n];
          to = 0;
          if (n >= inputs.planes.size()) continue;
          const auto& p = inputs.planes[n];
          if (p.varying == fast::raster::PixelInputs::kPoint)
            to = s.kind == PrimitiveKind::point && i == p.component + 1u ? 1.0f : 0.0f;
          else
            to = x::extended(*s.vertex[i]).varying[p.varying][p.component];
        }
      }
      fast::raster::Extended& e = r.extended();
      e.layer = provoking.layer, e.viewport = provoking.viewport, e.primitive = provoking.primitive;
      for (size_t i = 0; i < inputs.flat.size(); ++i)
        (&e.flat[0])[i] = bits(provoking.varying[inputs.flat[i].varying][inputs.flat[i].component]);
      for (int32_t y = scan.box.y0 & ~3; y <= scan.box.y1; y += 4)
        for (int32_t x = scan.box.x0 & ~3; x <= scan.box.x1; x += 4) {
          fast::LaneMask covered[8] = {};
          uint32_t any = 0;
          for (uint32_t i = 0; i < count; ++i)
            for (uint32_t q = 0; q < 4; ++q) {
              const int32_t qx = x + 2 * int32_t(q & 1), qy = y + 2 * int32_t(q >> 1);
              const uint32_t pixels = count == 1 ? sc::coverage(scan, qx, qy) : sc::coverage(scan, qx, qy, i);
              covered[i] |= fast::LaneMask(pixels << 4 * q), any |= pixels;
            }
          if (!any) continue;
          const fast::FlushDenormals flush;
          routines.draw(worker.state(), r, x, y, covered);
        }
      const fast::FlushDenormals flush;
      routines.finish(worker.state());
    }
    worker.end();
    EXPECT_EQ(lost, 0u);
    return worker.zpass;
  }

  /// Random varyings, system values and exports, with flow control and discards.
  void random_program(uint32_t targets) {
    std::vector<Instruction> code;
    std::vector<Bits4> literals;
    for (uint32_t i = 0; i < 4; ++i) literals.push_back({bits(real(-0.5f, 0.5f)), bits(real(-0.5f, 0.5f)), bits(any_float()), below(16)});
    for (uint8_t n = 0; n < 4; ++n) {
      code.push_back(xi(XiOp::MOV, 14, kXyzw, c(n)));
      code.push_back(X{.op = XOp::LDV, .dest = n, .mask = kXyzw, .source = 14, .immediate = n, .sub = SubOp(below(5))});
    }
    for (uint8_t n = 4; n < 8; ++n) code.push_back(X{.op = XOp::SYS, .dest = n, .mask = kXyzw, .immediate = below(10)});
    for (uint8_t n = 0; n < 4; ++n)
      code.push_back(chance(2) ? alu(AluOp::MAD, n, kXyzw, r(n), r(uint8_t(below(4))), r(uint8_t(4 + below(4))))
                               : alu(AluOp::MAX, n, kXyzw, r(n), r(n)));
    if (kills_) {
      code.push_back(xi(XiOp::FLT, 9, kX, r(0), c(0)));
      code.push_back(X{.op = XOp::KILL, .source = 9});
    }
    if (flow_) {
      code.push_back(xi(XiOp::FLT, 9, kX, r(1), c(1)));
      code.push_back(test_not_zero(r(9)));
      code.push_back(flow(Jump::if_, uint16_t(code.size() + 3)));
      code.push_back(alu(AluOp::MAD, 2, kXyzw, r(2), r(3), r(1)));
      code.push_back(X{.op = XOp::EXP, .mask = kXyzw, .source = 3, .immediate = 0});
      code.push_back(flow(Jump::endif, 0));
      // The IF without ELSE jumps behind the ENDIF.
      code[code.size() - 4].flow.target = uint16_t(code.size());
      code[code.size() - 4].flow.branch_op1 = 0;
    }
    for (uint32_t t = 0; t < targets; ++t)
      if (t || !flow_ || chance(2))
        code.push_back(X{.op = XOp::EXP, .mask = uint8_t(chance(4) ? below(16) : 15), .source = uint8_t(below(8)), .immediate = t});
    code.push_back(X{.op = XOp::EXP, .mask = kX, .source = uint8_t(below(8)), .immediate = 8});
    code.push_back(X{.op = XOp::EXP, .mask = kX, .source = uint8_t(4 + below(4)), .immediate = 9});
    code.push_back(xi(XiOp::OR, 10, kX, r(4), c(3).x(3)));
    code.push_back(X{.op = XOp::EXP, .mask = kX, .source = 10, .immediate = 10});
    for (const uint16_t second : {11, 12})
      code.push_back(X{.op = XOp::EXP, .mask = kXyzw, .source = uint8_t(below(4)), .immediate = second});
    fragment(code, literals);
    if (chance(10)) set(R::X_FS_CODE_SIZE{});  // none
  }

  std::mt19937 random_{12345};
  bool kills_ = false, flow_ = false;
};

constexpr uint8_t kColors[] = {9, 23, 37, 43, 44, 51, 58, 64, 70, 76, 77, 83, 91, 92, 97, 98, 103, 104, 106, 109, 122};
constexpr uint8_t kDepths[] = {124, 125, 126, 127, 129, 130};

TEST_F(XPixel, RandomStatesAreTheReferences) {
  constexpr uint32_t kRounds = 150;
  for (uint32_t round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    random_.seed(1000 + round);
    reset(*state, Profile::r5x);
    programs.invalidate();
    begin_state();
    kills_ = chance(3), flow_ = chance(3);
    const uint32_t log2 = chance(2) ? 0 : below(4), targets = below(4);
    set(R::X_RS_CTRL{}
            .SAMPLES(log2)
            .DEPTH_CLAMP(below(2))
            .ALPHA_TO_COVERAGE(chance(4))
            .ALPHA_TO_ONE(chance(6))
            .NEGATIVE_DEPTH(chance(4))
            .DEPTH_UNRESTRICTED(chance(4)));
    set(R::X_RS_SAMPLE_MASK{}.MASK(chance(3) ? below(65536) : 0xFFFF));
    set(R::X_FS_CTRL{}
            .EARLY_TESTS(chance(3))
            .PER_SAMPLE(chance(3))
            .KILLS(kills_)
            .WRITES_DEPTH(chance(4))
            .WRITES_STENCIL(chance(5))
            .WRITES_MASK(chance(4)));
    for (uint32_t n = 0; n < 4; ++n)
      set(R::X_RS_VARYING{}.FLAT(chance(3) ? below(16) : 0).NOPERSPECTIVE(chance(3) ? below(16) : 0).CENTROID(chance(4)).SAMPLE(chance(4)),
          n);
    for (uint32_t t = 0; t < targets; ++t) color_target(t, kColors[below(std::size(kColors))], log2);
    if (!chance(4)) depth_target(kDepths[below(std::size(kDepths))], log2);
    random_program(targets);
    std::array<std::array<x::Window, 3>, 4> vertices{};
    std::vector<Shape> shapes;
    const bool sane = chance(2);
    for (auto& v : vertices) shapes.push_back(shape(v, sane));
    std::ostringstream about;
    about << std::hex << "RS_CTRL " << state->get<R::X_RS_CTRL>().raw << " FS_CTRL " << state->get<R::X_FS_CTRL>().raw << " ZB format "
          << state->get<R::X_ZB_BASE_HI>().FORMAT() << " control " << state->get<R::X_ZB_CONTROL>().raw << " targets " << targets
          << (kills_ ? " kills" : "") << (flow_ ? " flow" : "");
    for (uint32_t t = 0; t < targets; ++t)
      about << " [format " << state->get<R::X_CB_BASE_HI>(t).FORMAT() << " control " << state->get<R::X_CB_CONTROL>(t).raw << " blend "
            << state->get<R::X_CB_BLEND>(t).raw << ']';
    SCOPED_TRACE(about.str());
    draw(shapes);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
#endif
