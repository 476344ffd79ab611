// SPDX-License-Identifier: MIT
/// pumice-compile: shaders -> annotated microcode and statistics on standard output, refusals on standard error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <tuple>

#include "compiler/compiler.h"
#include "compiler/tools/columns.h"
#include "compiler/tools/print.h"
#include "compiler/tools/source.h"
#include "spirv/unified1/spirv.hpp"

namespace {

using namespace pumice::compiler;
using namespace pumice::compiler::tool;

constexpr const char* kUsage =
    "usage: pumice-compile [options] FILE...\n"
    "FILE: GLSL (FILE.vert, FILE.frag, FILE.frag.glsl, ...), SPIR-V text or SPIR-V binary; one stage alone or a vertex and a fragment "
    "shader, in any order,\n"
    "or one module with both.\n"
    "  --chip CHIP      r300, r500 (default) or r5x, which has compute shaders, too\n"
    "  --stage STAGE    of GLSL files whose name does not say: vert, frag, comp, geom, tesc, tese\n"
    "  --entry NAME     entry point of the shaders (default main)\n"
    "  --points         the pipeline draws points\n"
    "  --targets MASK   colour attachments that exist, bit n = attachment n (default 1)\n"
    "  --glsl           what SPIRV-Cross makes of the SPIR-V beside the microcode\n"
    "  --words          the microcode as hexadecimal words too\n"
    "  --json           one JSON object instead: programs with words, constants and statistics, or the refusals\n"
    "  --log            the SPIR-V, the IR after every pass, the back ends' operations and the microcode with source lines too\n"
    "  --html PAGE      the same in columns beside each other: source, SPIR-V, IR after each pass, microcode; a click on a line marks "
    "what\n"
    "                   comes from the same source line in all of them\n"
    "Exit status: 0 compiled, 1 refused (all reasons are printed, with source lines where the SPIR-V has them), 2 wrong usage, unreadable "
    "file, or\n"
    "text that does not compile.\n";

struct Options {
  std::vector<std::string> files;
  std::string entry = "main", stage, html;
  PrintOptions print;
  bool json = false, log = false, points = false;
  uint32_t targets = 1;
  const ChipLimits* chip = &kR500;
};

[[noreturn]] void usage(int code) {
  std::fputs(kUsage, code ? stderr : stdout);
  std::exit(code);
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    const std::string arg = argv[i];
    const auto value = [&] {
      if (i + 1 < argc) return std::string(argv[++i]);
      std::fprintf(stderr, "pumice-compile: %s needs a value\n", arg.c_str());
      usage(2);
    };
    if (arg == "--help" || arg == "-h") {
      usage(0);
    } else if (arg == "--log") {
      o.log = true;
    } else if (arg == "--html") {
      o.html = value();
    } else if (arg == "--points") {
      o.points = true;
    } else if (arg == "--words") {
      o.print.words = true;
    } else if (arg == "--glsl") {
      if (!names_available()) {
        std::fprintf(stderr, "pumice-compile: --glsl: built without SPIRV-Cross (libspirv-cross-c-shared-dev)\n");
        std::exit(2);
      }
      o.print.glsl = true;
    } else if (arg == "--json") {
      o.json = true;
    } else if (arg == "--chip") {
      const std::string name = value();
      if (name != "r300" && name != "r500" && name != "r5x") {
        std::fprintf(stderr, "pumice-compile: --chip %s: expected r300, r500 or r5x\n", name.c_str());
        usage(2);
      }
      o.chip = name == "r5x" ? &kR5x : name == "r300" ? &kR300 : &kR500;
    } else if (arg == "--entry") {
      o.entry = value();
    } else if (arg == "--stage") {
      o.stage = value();
      if (!known_stage(o.stage)) {
        std::fprintf(stderr, "pumice-compile: --stage %s: expected vert, frag, comp, geom, tesc or tese\n", o.stage.c_str());
        usage(2);
      }
    } else if (arg == "--targets") {
      const std::string text = value();
      char* end = nullptr;
      o.targets = static_cast<uint32_t>(std::strtoul(text.c_str(), &end, 0));
      if (text.empty() || *end) {
        std::fprintf(stderr, "pumice-compile: --targets %s: expected a number\n", text.c_str());
        usage(2);
      }
    } else if (arg.starts_with("-")) {
      std::fprintf(stderr, "pumice-compile: unknown option %s\n", arg.c_str());
      usage(2);
    } else {
      o.files.push_back(arg);
    }
  }
  if (o.files.empty()) usage(2);
  return o;
}

/// The stages that were given.
struct Stages {
  std::optional<ShaderSource> vertex, fragment, compute;
};

/// False: something is refused or wrong, which `refused` or standard error says.
bool find_stages(const Options& o, const std::vector<Source>& sources, Stages& out, std::vector<Diagnostic>& refused) {
  bool good = true;
  const auto wrong = [&](const std::string& text) {
    std::fprintf(stderr, "pumice-compile: %s\n", text.c_str());
    good = false;
  };
  for (const Source& source : sources) {
    const std::vector<EntryPoint> all = entry_points(source.words);
    bool any = false;
    for (const EntryPoint& e : all) {
      if (e.name != o.entry) continue;
      any = true;
      const bool vertex = e.model == spv::ExecutionModelVertex;
      const bool compute = e.model == spv::ExecutionModelGLCompute && o.chip->compute;
      if (!vertex && !compute && e.model != spv::ExecutionModelFragment) {
        refused.push_back({.text = model_name(e.model) + " shader '" + source.file + "': this chip has vertex and fragment programs only"});
        continue;
      }
      auto& stage = vertex ? out.vertex : compute ? out.compute : out.fragment;
      if (stage) wrong(source.file + ": a second " + model_name(e.model) + " shader beside " + stage->name);
      stage = ShaderSource{source.words, o.entry, {}, source.file};
    }
    if (any) continue;
    std::string text = source.file + ": no entry point '" + o.entry + "'";
    for (const EntryPoint& e : all) text += std::string(&e == &all[0] ? ", but " : ", ") + "'" + e.name + "' (" + model_name(e.model) + ")";
    wrong(text + (all.empty() ? "; it has none at all" : "; choose with --entry"));
  }
  return good;
}

void add(std::vector<Diagnostic>& all, const std::vector<Diagnostic>& more) {
  for (const Diagnostic& d : more)
    if (std::none_of(all.begin(), all.end(), [&](const Diagnostic& o) { return o.text == d.text && o.line == d.line; })) all.push_back(d);
}

PipelineSource pipeline(const Options& o, const ShaderSource& vertex, const std::optional<ShaderSource>& fragment) {
  PipelineSource out;
  out.chip = o.chip;
  out.add(Stage::vertex) = vertex;
  if (fragment) out.add(Stage::fragment) = *fragment;
  out.color_attachments = o.targets;
  out.point_topology = o.points;
  out.want_log = o.log || !o.html.empty();
  return out;
}

/// Statistics of a stage in a line.
std::string summary(const char* stage, const Statistics& s) {
  return std::string(stage) + ": " + std::to_string(s.slots) + " slots (" + std::to_string(s.alu) + " ALU, " + std::to_string(s.tex) +
         " texture, " + std::to_string(s.flow) + " flow), " + std::to_string(s.paired) + " paired, " + std::to_string(s.temps) +
         " temps, " + std::to_string(s.constants) + " constants";
}

bool write_page(const Options& o, const std::vector<Source>& sources, const Result& result) {
  std::vector<Sheet> sheets;
  for (Sheet& sheet : log_sheets(result.log))
    for (const Source& source : sources) {
      if (source.file != sheet.title) continue;
      const std::string spirv = spirv_text(source.words);
      std::string text = source_in(spirv);
      if (!text.empty()) sheet.columns.insert(sheet.columns.begin(), source_column(source.file, text));
      sheet.columns.insert(sheet.columns.begin() + (text.empty() ? 0 : 1), spirv_column(spirv));
      sheets.push_back(std::move(sheet));
      break;
    }
  std::vector<std::string> notes{"pumice-compile for " + std::string(o.chip->name)};
  const Program& p = *result.program;
  constexpr const char* kNames[kStages] = {"vertex", "fragment", "compute"};
  for (size_t i = 0; i < kStages; ++i)
    if (p.x[i]) notes.push_back(summary(kNames[i], p.x[i]->stats));
  if (!o.chip->memory && o.print.vertex) notes.push_back(summary("vertex", p.vertex.stats));
  if (!o.chip->memory && o.print.fragment) notes.push_back(summary("fragment", p.fragment.stats));
  std::ofstream file(o.html);
  if (file << page_of(sheets, sources[0].file, notes) && file.flush()) return true;
  std::fprintf(stderr, "pumice-compile: %s: cannot be written\n", o.html.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  Options o = parse(argc, argv);
  std::vector<Source> sources(o.files.size());
  bool good = true;
  for (size_t i = 0; i < sources.size(); i++) {
    std::string error;
    if (read_source(o.files[i], o.stage, sources[i], error)) continue;
    std::fprintf(stderr, "%s\n", error.c_str());
    good = false;
  }
  if (!good) return 2;
  Stages stages;
  std::vector<Diagnostic> refused;
  if (!find_stages(o, sources, stages, refused)) return 2;
  o.print.vertex = stages.vertex.has_value();
  o.print.fragment = stages.fragment.has_value();
  if (o.log && !o.json)
    for (const Source& source : sources) std::printf("--- SPIR-V of %s\n%s\n", source.file.c_str(), spirv_text(source.words).c_str());
  Result result;
  if (stages.compute && (stages.vertex || stages.fragment)) {
    std::fprintf(stderr, "pumice-compile: a compute shader is a pipeline of its own\n");
    return 2;
  }
  if (stages.compute) {
    PipelineSource source{.chip = o.chip, .want_log = o.log || !o.html.empty()};
    source.add(Stage::compute) = *stages.compute;
    result = compile(source);
    if (o.log && !o.json) std::printf("%s\n", result.log.c_str());
    add(refused, result.diagnostics);
  } else if (stages.vertex || stages.fragment) {
    // A fragment shader alone stands behind a vertex shader that does nothing.
    std::string ignored;
    const std::vector<uint32_t> nothing =
        compile_glsl("nothing", "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n", "vert", ignored);
    const ShaderSource none{nothing, "main", {}, "no vertex shader"};
    result = compile(pipeline(o, stages.vertex ? *stages.vertex : none, stages.fragment));
    if (o.log && !o.json) std::printf("%s\n", result.log.c_str());
    add(refused, result.diagnostics);
    // The pipeline stops at the stage that is refused first; each alone says the rest.
    if (!result.program && stages.vertex && stages.fragment) {
      add(refused, compile(pipeline(o, none, stages.fragment)).diagnostics);
      add(refused, compile(pipeline(o, *stages.vertex, std::nullopt)).diagnostics);
    }
  }
  // By line; what has none comes last.
  std::stable_sort(refused.begin(), refused.end(), [](const Diagnostic& a, const Diagnostic& b) {
    const auto key = [](const Diagnostic& d) { return std::make_tuple(d.line == 0, std::cref(d.file), d.line); };
    return key(a) < key(b);
  });
  const Program* program = refused.empty() && result.program ? &*result.program : nullptr;
  // Of modules that compile only: SPIRV-Cross does not validate.
  for (size_t i = 0; program && i < kStages; ++i) {
    const std::optional<ShaderSource>& s = i == size_t(Stage::vertex)     ? stages.vertex
                                           : i == size_t(Stage::fragment) ? stages.fragment
                                                                          : stages.compute;
    std::string error;
    if (s) o.print.names[i] = names_of(s->spirv, s->entry_point, Stage(i), error);
    if (o.print.glsl && !error.empty()) std::fprintf(stderr, "pumice-compile: --glsl: %s: %s\n", s->name.c_str(), error.c_str());
  }
  if (o.json) {
    print_json(program, refused, o.print);
  } else {
    for (const Diagnostic& d : refused) std::fprintf(stderr, "%s\n", text_of(d).c_str());
    if (program) print_text(*program, o.print);
  }
  if (program && !o.html.empty() && !write_page(o, sources, result)) return 2;
  return program ? 0 : 1;
}
