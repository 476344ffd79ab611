// SPDX-License-Identifier: MIT
/// pumice-compile: SPIR-V of a vertex and a fragment shader -> annotated microcode and statistics on standard output.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "compiler/compiler.h"
#include "compiler/pvs/machine.h"
#include "compiler/us_r500/machine.h"

namespace {

using namespace pumice::compiler;

constexpr const char* kUsage =
    "usage: pumice-compile [options] VERTEX.spv [FRAGMENT.spv]\n"
    "  --log            the IR after every pass and the back ends' operations too\n"
    "  --points         the pipeline draws points\n"
    "  --targets MASK   colour attachments that exist, bit n = attachment n (default 1)\n"
    "  --entry NAME     entry point of both shaders (default main)\n"
    "Exit status: 0 compiled, 1 refused (the reasons are printed), 2 wrong usage or unreadable file.\n";

bool read(const char* path, std::vector<uint32_t>& words) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file && bytes.empty()) return false;
  words.resize(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return !words.empty() && bytes.size() % 4 == 0;
}

void print(const std::vector<ConstantRange>& ranges) {
  constexpr const char* kParameters[] = {"viewport transform", "texture size", "instance index", "base vertex"};
  constexpr const char* kConvert[] = {"", ", from int", ", from uint"};
  for (const ConstantRange& r : ranges) {
    std::printf("  c%u..c%u  ", r.first_slot, r.first_slot + r.count - 1);
    switch (r.source) {
      case ConstantRange::Source::immediate:
        for (float v : r.immediate) std::printf(" %g", static_cast<double>(v));
        std::printf("\n");
        break;
      case ConstantRange::Source::uniform_block:
        std::printf("uniform block set %u binding %u element %u, bytes %u..%s\n", r.binding.set, r.binding.binding, r.binding.element,
                    r.offset, kConvert[static_cast<int>(r.convert)]);
        break;
      case ConstantRange::Source::push_constant:
        std::printf("push constants, bytes %u..%s\n", r.offset, kConvert[static_cast<int>(r.convert)]);
        break;
      case ConstantRange::Source::driver: std::printf("%s\n", kParameters[static_cast<int>(r.parameter)]); break;
    }
  }
}

void print(const char* stage, const Statistics& s) {
  std::printf("  %s: %u slots (%u alu, %u tex, %u flow), %u paired, %u temps, %u constants\n", stage, s.slots, s.alu, s.tex, s.flow,
              s.paired, s.temps, s.constants);
}

void print(const Program& p) {
  std::printf("vertex program\n");
  for (const VertexInput& i : p.vertex.inputs) {
    constexpr const char* kKinds[] = {"attribute", "gl_VertexIndex", "gl_InstanceIndex"};
    std::printf("  i%u = %s %u, %u components%s\n", i.reg, kKinds[static_cast<int>(i.kind)], i.location, i.components,
                i.is_integer ? ", integer" : "");
  }
  std::printf("  o0 = position%s\n", p.vertex.writes_point_size ? ", o1 = point size" : "");
  print(p.vertex.constants);
  std::printf("%s\nfragment program\n", pvs::disassemble(p.vertex.code).c_str());
  for (const Varying& v : p.varyings) {
    std::printf("  r%u = texcoord set %u, %u components%s%s\n", v.us_temp, v.texcoord, v.components, v.flat ? ", flat" : "",
                v.no_perspective ? ", noperspective" : "");
  }
  const FragmentProgram& f = p.fragment;
  if (f.frag_coord_xy_temp) std::printf("  r%u = window x, y\n", *f.frag_coord_xy_temp);
  if (f.front_facing_temp) std::printf("  r%u = back face flag\n", *f.front_facing_temp);
  if (f.point_coord_temp) std::printf("  r%u = point coordinate\n", *f.point_coord_temp);
  for (const TextureUse& t : f.textures) {
    const auto binding = [](const char* what, const TextureBinding& b) {
      std::printf("%sset %u binding %u element %u", what, b.set, b.binding, b.element);
    };
    std::printf("  tex%u = ", t.unit);
    binding("", t.pair.image);
    if (t.pair.sampler && !(*t.pair.sampler == t.pair.image)) binding(", sampler ", *t.pair.sampler);
    std::printf("%s\n", t.pair.sampler ? "" : ", no sampler");
  }
  print(f.constants);
  std::printf("%s\nstatistics\n", us::disassemble(f.code).c_str());
  print("vertex", p.vertex.stats);
  print("fragment", f.stats);
}

}  // namespace

int main(int argc, char** argv) {
  PipelineSource source;
  std::vector<const char*> files;
  std::string entry_point = "main";
  const auto usage = [] {
    std::fputs(kUsage, stderr);
    return 2;
  };
  for (int i = 1; i < argc; i++) {
    const std::string arg = argv[i];
    if (arg == "--log") {
      source.want_log = true;
    } else if (arg == "--points") {
      source.point_topology = true;
    } else if (arg == "--targets" && i + 1 < argc) {
      source.color_attachments = static_cast<uint32_t>(std::strtoul(argv[++i], nullptr, 0));
    } else if (arg == "--entry" && i + 1 < argc) {
      entry_point = argv[++i];
    } else if (arg.starts_with("--")) {
      return usage();
    } else {
      files.push_back(argv[i]);
    }
  }
  if (files.empty() || files.size() > 2) return usage();
  std::array<std::vector<uint32_t>, 2> words;
  for (size_t i = 0; i < files.size(); i++) {
    if (!read(files[i], words[i])) {
      std::fprintf(stderr, "pumice-compile: %s is not a SPIR-V file\n", files[i]);
      return 2;
    }
  }
  for (size_t i = 0; i < files.size(); i++) source.add(i == 0 ? Stage::vertex : Stage::fragment) = {words[i], entry_point, {}, files[i]};
  const Result result = compile(source);
  if (!result.log.empty()) std::printf("%s\n", result.log.c_str());
  for (const Diagnostic& d : result.diagnostics) std::fprintf(stderr, "%s\n", d.text.c_str());
  if (!result.program) return 1;
  print(*result.program);
  return 0;
}
