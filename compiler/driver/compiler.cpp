// SPDX-License-Identifier: MIT
/// compile(): front end and passes per stage, fragment back end, link, vertex back end. The one place where exceptions end.
#include "compiler/compiler.h"

#include <exception>
#include <new>

#include "compiler/driver/link.h"
#include "compiler/driver/link_x.h"
#include "compiler/driver/slopes.h"
#include "compiler/frontend/frontend.h"
#include "compiler/frontend/legalize.h"
#include "compiler/isa/error.h"
#include "compiler/lines.h"
#include "compiler/memory.h"
#include "compiler/passes/passes.h"
#include "compiler/pvs/compile.h"
#include "compiler/stages.h"
#include "compiler/us/compile.h"
#include "compiler/us_r300/compile.h"

namespace pumice::compiler {
namespace {

class Compilation {
 public:
  Compilation(const PipelineSource& source, Frontend frontend, Result& result)
      : source_(source), frontend_(frontend), result_(result), log_(source.want_log ? &result.log : nullptr) {}

  /// False: the result has no program, or part of one.
  bool run() {
    if (!source_.chip) return refuse("pipeline", "no chip");
    const ChipLimits& chip = *source_.chip;
    if (!stages_exist(chip)) return false;
    if (chip.back_end == ChipLimits::BackEnd::none)
      return refuse("pipeline", "the " + std::string(chip.name) + " has no compiler back end yet");
    if (chip.memory) return run_x(chip);
    us::Compiled fragment;
    ir::Module module;
    if (const ShaderSource* shader = source_.shader(Stage::fragment)) {
      if (!front(*shader, Stage::fragment, module, [](ir::Module&) {})) return false;
    } else {
      module.stage = Stage::fragment;
      current_ = module.name = "no fragment shader";
    }
    Linked linked;
    const bool fragment_fits = back(module, [&] {
      const us::Options options{
          .color_attachments = source_.color_attachments, .chip = &chip, .lines = lines(Stage::fragment), .check = source_.check};
      fragment =
          chip.back_end == ChipLimits::BackEnd::pvs_us_r300 ? us_r300::compile(module, options, log_) : us::compile(module, options, log_);
      linked = link(fragment, module, source_.point_topology, chip);
    });
    if (!fragment_fits) return false;
    Program& program = result_.program.emplace();
    ir::Module vertex;
    if (!front(*source_.shader(Stage::vertex), Stage::vertex, vertex, [&](ir::Module& m) { add_slopes(m, linked.outputs); })) return false;
    if (!back(vertex, [&] { program.vertex = pvs::compile(vertex, linked.outputs, log_, chip, lines(Stage::vertex), source_.check); }))
      return false;
    program.vertex.writes_point_size = linked.writes_point_size;
    program.fragment = std::move(fragment.program);
    program.varyings = std::move(linked.varyings);
    return true;
  }

  bool refuse(const std::string& where, const std::string& why) {
    result_.diagnostics.push_back({where + ": " + why});
    return false;
  }
  const std::string& current() const { return current_; }

 private:
  std::vector<std::string>* lines(Stage stage) { return log_ ? &result_.lines[size_t(stage)] : nullptr; }

  /// The chip has the stages and they make a pipeline.
  bool stages_exist(const ChipLimits& chip) {
    for (size_t i = 0; i < kStages; ++i) {
      const Stage stage = Stage(i);
      const ShaderSource* shader = source_.shader(stage);
      if (!shader || !row(stage).capability || chip.*row(stage).capability) continue;
      return refuse(shader_name(stage, shader->name), "the " + std::string(chip.name) + " has no " + std::string(row(stage).name) +
                                                          " programs (capability '" + std::string(row(stage).capability_name) + "')");
    }
    if (source_.shader(Stage::compute)) {
      if (source_.shader(Stage::vertex) || source_.shader(Stage::fragment))
        return refuse("pipeline", "a compute shader beside other stages");
      if (!chip.memory) return refuse("pipeline", "the " + std::string(chip.name) + " has no compiler back end for compute programs");
      return true;
    }
    return source_.shader(Stage::vertex) || refuse("pipeline", "no vertex shader");
  }

  /// Chips with memory: a program of one kind for each stage.
  bool run_x(const ChipLimits& chip) {
    Program& program = result_.program.emplace();
    VaryingSlots slots;
    // The fragment program comes first: it says what the vertex program has to write.
    for (const Stage stage : {Stage::fragment, Stage::vertex, Stage::compute}) {
      const ShaderSource* shader = source_.shader(stage);
      if (!shader) continue;
      ir::Module module;
      const auto linking = [&](ir::Module& m) {
        if (stage == Stage::vertex) link_outputs(m, slots);
      };
      if (!front(*shader, stage, module, linking)) return false;
      const us::Options options{.color_attachments = source_.color_attachments,
                                .chip = &chip,
                                .point_topology = source_.point_topology,
                                .lines = lines(stage),
                                .check = source_.check};
      const bool fits = back(module, [&] {
        if (stage == Stage::fragment) slots = link_inputs(module, chip);
        XProgram& x = program.x[size_t(stage)].emplace(us::compile_x(module, options, log_));
        if (stage == Stage::fragment)
          for (const auto& [builtin, location] : slots)
            x.locations.push_back(builtin == ir::Builtin::none ? location : XProgram::kNoLocation);
      });
      if (!fits) return false;
    }
    return true;
  }

  /// Runs a back end or the linker; what it refuses gets the line in the shader and the name of the variable that it is about. Limits of
  /// the program as a whole have the line where it begins.
  template <class Code>
  bool back(const ir::Module& module, Code code) {
    try {
      code();
      return true;
    } catch (const isa::Unsupported& e) {
      const std::string variable = variable_at(module.words, e.at);
      Diagnostic d{current_ + ": " + e.what() + (variable.empty() ? "" : " ('" + variable + "')"), {}, 0, 0};
      if (const auto line = line_at(module.words, e.at ? e.at : module.entry))
        d.file = line->file, d.line = line->line, d.column = line->column;
      result_.diagnostics.push_back(std::move(d));
      return false;
    }
  }

  /// `link`: what the other stage wants, before the passes.
  template <class Link>
  bool front(const ShaderSource& shader, Stage stage, ir::Module& module, const Link& link) {
    current_ = shader.name.empty() ? shader_name(stage, "") : shader.name;
    const bool built =
        build_ir(shader, stage, module, result_.diagnostics, frontend_, {.chip = source_.chip, .resources = source_.resources});
    if (built) link(module);
    if (!built && (module.body.empty() || frontend_ == Frontend::direct)) return false;
    if (log_) *log_ += "--- IR of " + current_ + "\n" + ir::print_with_lines(module);
    PassOptions options;
    options.chip = source_.chip;
    options.textures = source_.textures;
    options.color_attachments = source_.color_attachments;
    options.log = log_;
    options.check = false;  // the tests do
    options.check_form = source_.check;
    options.allow_ladders = frontend_ == Frontend::legalized || source_.chip->memory;
    return run_passes(module, options, result_.diagnostics) && built;
  }

  const PipelineSource& source_;
  const Frontend frontend_;
  Result& result_;
  std::string* log_;
  std::string current_;
};

}  // namespace

namespace {

Result attempt(const PipelineSource& source, Frontend frontend) {
  Result result;
  const MemoryScope memory;
  Compilation compilation(source, frontend, result);
  bool complete = false;
  try {
    complete = compilation.run();
  } catch (const isa::Unsupported& e) {
    compilation.refuse(compilation.current(), e.what());
  } catch (const std::bad_alloc&) {
    throw;  // nothing is wrong with the shader: Vulkan has a result of its own
  } catch (const std::exception& e) {
    compilation.refuse(compilation.current(), std::string("internal error while compiling: ") + e.what());
  }
  if (!complete) result.program.reset();
  if (!complete && result.diagnostics.empty())
    compilation.refuse(compilation.current(), "internal error: compilation failed without a reason");
  return result;
}

}  // namespace

/// SPIRV-Tools takes several times as long as everything else, so it only runs when direct translation fails: its simplification resolves
/// integer arithmetic and indices that direct translation leaves to run time. Its diagnostics are the ones reported then.
Result compile(const PipelineSource& source) {
  Result result = attempt(source, Frontend::direct);
  if (result.program || (source.chip && source.chip->memory)) return result;
  if (const std::string missing = frontend::legalizer_missing(); !missing.empty()) {
    result.diagnostics.push_back({missing});
    return result;
  }
  return attempt(source, Frontend::legalized);
}

}  // namespace pumice::compiler
