// SPDX-License-Identifier: MIT
/// Differential fuzzing, and `pumice-rdp fuzz`.
#include "hw/rdp/tools/differential.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "hw/rdp/rdp.h"
#include "hw/rdp/ref/combiner.h"
#include "hw/rdp/tools/random_list.h"
#include "hw/rdp/tools/tool.h"

namespace pumice::hw::rdp {
namespace {

struct Result {
  std::vector<uint8_t> memory, hidden;
};

Result run(const RandomList& list, ByteOrder order, Execution execution, unsigned threads) {
  Result r{list.memory, {}};
  Rdp rdp(r.memory, order);
  rdp.set_execution(execution);
  rdp.set_threads(threads);
  rdp.enqueue(list.words);
  rdp.sync();
  r.hidden.resize(rdp.rdram().size() / 2);
  for (uint32_t i = 0; i < r.hidden.size(); ++i) r.hidden[i] = static_cast<uint8_t>(rdp.rdram().hidden(i));
  return r;
}

std::string difference(const char* way, const Result& a, const Result& b) {
  char text[100];
  for (size_t i = 0; i < a.memory.size(); ++i)
    if (a.memory[i] != b.memory[i]) {
      std::snprintf(text, sizeof text, "%s: byte 0x%05zX is %02X, reference %02X", way, i, b.memory[i], a.memory[i]);
      return text;
    }
  for (size_t i = 0; i < a.hidden.size(); ++i)
    if (a.hidden[i] != b.hidden[i]) {
      std::snprintf(text, sizeof text, "%s: hidden bits of 0x%05zX are %X, reference %X", way, 2 * i, b.hidden[i], a.hidden[i]);
      return text;
    }
  return {};
}

/// What the lists make the SIMD path do: primitives by mode.
class Routes {
 public:
  void add(const std::vector<uint64_t>& words) {
    std::vector<uint8_t> memory(8);
    Rdp rdp(memory);
    for (size_t i = 0; i < words.size();) {
      const unsigned n = command_words(words[i]);
      if (is_triangle(words[i]) || opcode(words[i]) == Op::texture_rectangle || opcode(words[i]) == Op::fill_rectangle) count(rdp.state());
      for (unsigned j = 0; j < n && i < words.size(); ++j, ++i) rdp.enqueue({&words[i], 1});
    }
  }
  void print() const {
    for (const auto& [name, n] : counts_) std::printf("%10" PRIu64 " %s\n", n, name.c_str());
  }

 private:
  void count(const State& s) {
    static constexpr const char* kCycle[] = {"1-cycle", "2-cycle", "copy", "fill"};
    static constexpr const char* kSize[] = {"4", "8", "16", "32"};
    const SetOtherModes& m = s.modes;
    const uint32_t cycle = s.cycle_type();
    const std::string name = kCycle[cycle];
    ++counts_[name + ", " + kSize[s.color_image.size] + "-bit image"];
    if (cycle == kFill) return;
    const auto feature = [&](bool on, const char* what) {
      if (on) ++counts_[name + ", " + what];
    };
    feature(m.en_tlut(), "TLUT");
    feature(m.alpha_compare_en(), "alpha compare");
    feature(m.persp_tex_en(), "perspective");
    if (cycle == kCopy) return;
    CombineUse use;
    use.add(s.combine[1]);
    if (cycle == kTwoCycle) use.add(s.combine[0]);
    const bool texture = use.texel0 || use.texel1;
    feature(texture, "texture");
    feature(use.texel1, "TEXEL1");
    feature(use.lod_frac || m.tex_lod_en(), "LOD");
    feature(texture && m.tex_lod_en() && m.detail_tex_en(), "detail");
    feature(texture && m.tex_lod_en() && m.sharpen_tex_en(), "sharpen");
    feature(texture && m.sample_type() && m.mid_texel(), "mid_texel");
    feature(texture && !m.bi_lerp_0(), "colour convert");
    feature(cycle == kTwoCycle && texture && m.convert_one(), "convert_one");
    feature(texture && std::any_of(s.tiles.begin(), s.tiles.end(), [](const Tile& t) { return t.format == kYuv; }), "YUV among the tiles");
    feature(m.key_en(), "chroma key");
    feature(m.cvg_times_alpha(), "coverage times alpha");
    feature(m.antialias_en(), "anti-aliased");
    feature(m.image_read_en(), "memory read");
    feature(m.force_blend(), "blend by force");
    feature(m.rgb_dither_sel() == 2 || m.alpha_dither_sel() == 2, "noise dither");
    static constexpr const char* kDepth[] = {"depth opaque", "depth interpenetrating", "depth transparent", "depth decal"};
    for (uint32_t z = 0; z < 4; ++z) feature(m.z_compare_en() && m.z_mode() == z, kDepth[z]);
    feature(!m.z_compare_en() && m.z_update_en(), "depth written only");
  }

  std::map<std::string, uint64_t> counts_;
};

}  // namespace

std::string differential(uint64_t seed, bool damage) {
  const RandomList list = random_list(seed, damage);
  const ByteOrder order = seed & 1 ? ByteOrder::host_words : ByteOrder::big_endian;
  const Result reference = run(list, order, Execution::reference, 1);
  std::string d = difference("simd", reference, run(list, order, Execution::simd, 1));
  if (d.empty() && available(Execution::simd_avx2)) d = difference("simd_avx2", reference, run(list, order, Execution::simd_avx2, 1));
  if (d.empty()) d = difference("simd_base", reference, run(list, order, Execution::simd_base, 1));
  return d.empty() ? difference("threads", reference, run(list, order, Execution::simd, 3)) : d;
}

int fuzz(const std::vector<std::string>& args) {
  if (args.size() > 2) {
    std::fprintf(stderr, "usage: pumice-rdp fuzz [FIRST_SEED [COUNT]]   COUNT 0: until something differs\n");
    return 2;
  }
  Routes routes;
  const uint64_t first = args.empty() ? 0 : std::strtoull(args[0].c_str(), nullptr, 0);
  const uint64_t count = args.size() < 2 ? 50000 : std::strtoull(args[1].c_str(), nullptr, 0);
  uint64_t failures = 0;
  if (!available(Execution::simd_avx2)) std::printf("simd_avx2: skipped, this processor lacks the instruction set\n");
  for (uint64_t i = 0; count == 0 || i < count; ++i) {
    for (bool damage : {false, true}) {
      const std::string d = differential(first + i, damage);
      if (!damage) routes.add(random_list(first + i, false).words);
      if (d.empty()) continue;
      std::printf("seed %" PRIu64 "%s: %s\n", first + i, damage ? " damaged" : "", d.c_str());
      if (++failures >= 20 || count == 0) return 1;
    }
  }
  routes.print();
  std::printf("%" PRIu64 " seeds, %" PRIu64 " differences\n", count, failures);
  return failures ? 1 : 0;
}

}  // namespace pumice::hw::rdp
