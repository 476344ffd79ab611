// SPDX-License-Identifier: MIT
/// pumice-rdp bench: nanoseconds per pixel of typical workloads, for the reference and the SIMD path.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "hw/rdp/rdp.h"
#include "hw/rdp/tools/tool.h"
#include "hw/rdp/triangle_setup.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kColor = 0x100000, kDepth = 0x300000, kTexture = 0x400000;

struct Screen {
  uint32_t width, height;
};

using Words = std::vector<uint64_t>;

template <typename Command>
void put(Words& w, const Command& c) {
  w.insert(w.end(), c.raw.begin(), c.raw.end());
}

SetOtherModes plain_modes(uint32_t cycle) {
  SetOtherModes m;
  m.cycle_type(cycle).sample_type(1).bi_lerp_0(1).bi_lerp_1(1).rgb_dither_sel(0).alpha_dither_sel(3);
  return m;
}

/// TEXEL0 * SHADE in the last cycle; in two-cycle mode TEXEL0 goes through.
SetCombineMode modulate(bool two) {
  SetCombineMode c;
  c.sub_a_rgb_0(8).sub_b_rgb_0(8).mul_rgb_0(16).add_rgb_0(1).sub_a_a_0(7).sub_b_a_0(7).mul_a_0(7).add_a_0(1);
  c.sub_a_rgb_1(two ? 0 : 1).sub_b_rgb_1(8).mul_rgb_1(4).add_rgb_1(7).sub_a_a_1(7).sub_b_a_1(7).mul_a_1(7).add_a_1(4);
  return c;
}

Words prologue(Screen s) {
  Words w;
  put(w, SetColorImage().size(k16b).width(s.width - 1).address(kColor));
  put(w, SetZImage().address(kDepth));
  put(w, SetScissor().xl(4 * s.width).yl(4 * s.height));
  put(w, SetTextureImage().size(k16b).width(31).address(kTexture));
  put(w, SetTile().size(k16b).line(8).tile(7));
  put(w, LoadBlock().tile(7).sh(1023).dxt(256));
  put(w, SetTile().size(k16b).line(8).mask_s(5).mask_t(5));
  put(w, SetTile().size(k16b).line(8).mask_s(5).mask_t(5).tile(1));
  put(w, SetTileSize().sh(31 * 4).th(31 * 4));
  put(w, SetTileSize().sh(31 * 4).th(31 * 4).tile(1));
  return w;
}

/// Triangles of some 600 pixels that cover the screen once, with shade, texture and depth.
void cover(Words& w, Screen s, bool perspective) {
  constexpr double kStep = 35;
  TriangleOptions o;
  o.shade = o.texture = o.depth = true;
  o.perspective = perspective;
  for (double y = 0; y < s.height; y += kStep)
    for (double x = 0; x < s.width; x += kStep) {
      const auto at = [&](double dx, double dy) {
        Vertex v;
        v.x = x + dx;
        v.y = y + dy;
        v.z = 0.5;
        v.rgba = {128 + dx, 200 - dy, 100 + dx, 255};
        v.s = v.x * 0.7;
        v.t = v.y * 0.7;
        v.w = 0.5 + 0.2 * dx / kStep;
        return v;
      };
      for (const auto& t :
           {triangle_words({at(0, 0), at(kStep, 0), at(0, kStep)}, o), triangle_words({at(kStep, 0), at(kStep, kStep), at(0, kStep)}, o)})
        w.insert(w.end(), t.begin(), t.end());
    }
}

void fill(Words& w, Screen s) {
  put(w, plain_modes(kFill));
  put(w, SetFillColor().color(0xFFFCFFFC));
  put(w, FillRectangle().xl(4 * (s.width - 1)).yl(4 * (s.height - 1)));
}

struct Workload {
  const char* name;
  void (*build)(Words&, Screen);
};

const Workload kWorkloads[] = {
    {"fill", fill},
    {"copy",
     [](Words& w, Screen s) {
       put(w, plain_modes(kCopy).alpha_compare_en(0));
       put(w, TextureRectangle().xl(4 * (s.width - 1)).yl(4 * (s.height - 1)).dsdx(4 << 10).dtdy(1 << 10));
     }},
    {"1-cycle textured",
     [](Words& w, Screen s) {
       put(w, plain_modes(kOneCycle).persp_tex_en(1));
       put(w, modulate(false));
       cover(w, s, true);
     }},
    {"1-cycle textured z",
     [](Words& w, Screen s) {
       put(w, plain_modes(kOneCycle).persp_tex_en(1).z_compare_en(1).z_update_en(1));
       put(w, modulate(false));
       cover(w, s, true);
     }},
    {"1-cycle textured z aa",
     [](Words& w, Screen s) {
       put(w, plain_modes(kOneCycle).persp_tex_en(1).z_compare_en(1).z_update_en(1).antialias_en(1).image_read_en(1).m2a_0(1).m2b_0(1));
       put(w, modulate(false));
       cover(w, s, true);
     }},
    {"2-cycle textured z",
     [](Words& w, Screen s) {
       put(w, plain_modes(kTwoCycle).persp_tex_en(1).z_compare_en(1).z_update_en(1));
       put(w, modulate(true));
       cover(w, s, true);
     }},
    {"2-cycle textured z aa blend",
     [](Words& w, Screen s) {
       put(w, plain_modes(kTwoCycle)
                  .persp_tex_en(1)
                  .z_compare_en(1)
                  .z_update_en(1)
                  .antialias_en(1)
                  .image_read_en(1)
                  .force_blend(1)
                  .m1a_0(0)
                  .m1b_0(1)
                  .m2a_0(3)
                  .m2b_0(0)
                  .m2a_1(1)
                  .m2b_1(0));
       put(w, modulate(true));
       cover(w, s, true);
     }},
};

/// Best of several runs, nanoseconds per pixel of the screen. Depth is cleared before each run, outside the time.
double measure(const Words& setup, const Words& draw, Screen s, Execution execution, unsigned threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::vector<uint8_t> memory(0x500000);
  for (size_t i = kTexture; i < memory.size(); ++i) memory[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  Rdp rdp(memory, ByteOrder::host_words);
  rdp.set_execution(execution);
  rdp.set_threads(threads);
  Words clear;
  put(clear, SetColorImage().size(k16b).width(s.width - 1).address(kDepth));
  fill(clear, s);
  put(clear, SetColorImage().size(k16b).width(s.width - 1).address(kColor));
  double best = 1e30;
  const auto stop = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    rdp.enqueue(setup);
    rdp.enqueue(clear);
    rdp.sync();
    const auto start = Clock::now();
    rdp.enqueue(draw);
    rdp.sync();
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  } while (Clock::now() < stop);
  return best / (s.width * s.height);
}

}  // namespace

int bench(const std::vector<std::string>& args) {
  const double seconds = args.empty() ? 0.2 : std::atof(args[0].c_str());
  const unsigned cores = std::max(2u, std::thread::hardware_concurrency());
  std::printf("ns per pixel, best of %.2g s; %u threads in the last columns\n", seconds, cores);
  std::printf("%-30s %-8s %10s %10s %7s %10s %7s\n", "workload", "size", "reference", "simd", "ratio", "threads", "ratio");
  for (const Screen s : {Screen{320, 240}, Screen{640, 480}})
    for (const Workload& l : kWorkloads) {
      Words draw;
      l.build(draw, s);
      const Words setup = prologue(s);
      const double reference = measure(setup, draw, s, Execution::reference, 1, seconds),
                   simd = measure(setup, draw, s, Execution::simd, 1, seconds);
      const double threads = measure(setup, draw, s, Execution::simd, cores, seconds);
      std::printf("%-30s %ux%-4u %10.2f %10.2f %7.1f %10.2f %7.1f\n", l.name, s.width, s.height, reference, simd, reference / simd, threads,
                  reference / threads);
    }
  return 0;
}

}  // namespace pumice::hw::rdp
