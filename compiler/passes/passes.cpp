// SPDX-License-Identifier: MIT
/// The table of passes and the order they run in.
#include "compiler/passes/passes.h"

#include <algorithm>
#include <array>

#include "compiler/lines.h"
#include "compiler/passes/rewrite.h"
#include "compiler/stages.h"

namespace pumice::compiler {

namespace passes {

namespace {
constexpr Pass kPasses[] = {
    {"lower_wide", lower_wide},
    {"lower_integers", lower_integers},
    {"constant_arrays", constant_arrays},
    {"promote_temps", promote_temps},
    {"lower_arrays", lower_arrays},
    {"fold_constants", fold_constants},
    {"propagate_copies", propagate_copies},
    {"simplify", simplify},
    {"eliminate_common", eliminate_common},
    {"reduce", reduce},
    {"eliminate_dead", eliminate_dead},
    {"unroll_loops", unroll_loops},
    {"bound_loops", bound_loops, true},
    {"convert_ifs", convert_ifs},
    {"check_exactness", check_exactness, true},
    {"fold_addresses", fold_addresses},
    {"merge_loads", merge_loads},
    {"lower_derivatives", lower_derivatives, true},
    {"lower_inputs", lower_inputs},
    {"lower_textures", lower_textures},
    {"lower_math", lower_math},
    {"lower_uniforms", lower_uniforms, true},
    {"form_mads", form_mads},
    {"scalarize", scalarize},
    {"finish", finish},
};
}  // namespace

std::span<const Pass> all() { return kPasses; }

const Pass* find(std::string_view name) {
  const auto* it = std::find_if(std::begin(kPasses), std::end(kPasses), [&](const Pass& p) { return p.name == name; });
  return it == std::end(kPasses) ? nullptr : it;
}

void Context::refuse(const std::string& text, const uint32_t* at) {
  Diagnostic d{shader_name(module.stage, module.name) + ": " + text, {}, 0, 0};
  if (const auto line = line_at(module.words, at)) d.file = line->file, d.line = line->line, d.column = line->column;
  diagnostics.push_back(std::move(d));
}

}  // namespace passes

namespace {

/// A pass by its name, looked up at compile time.
struct Named {
  size_t at = 0;
  consteval Named(std::string_view name) {
    while (passes::kPasses[at].name != name) ++at;
  }
  consteval Named(const char* name) : Named(std::string_view(name)) {}
  const passes::Pass& pass() const { return passes::kPasses[at]; }
};

class Manager {
 public:
  Manager(ir::Module& module, const PassOptions& options, std::vector<Diagnostic>& diagnostics)
      : c_{module, options, diagnostics}, before_(diagnostics.size()) {}

  bool failed() const { return c_.diagnostics.size() != before_; }

  /// A pass that changed nothing is skipped until another pass changes the module.
  bool run(Named which) {
    if (failed() || (which.pass().floats && !c_.module.floats_only)) return false;
    uint32_t& idle = idle_since_[which.at];
    if (idle == version_) return false;
    const bool changed = which.pass().run(c_);
    if (changed)
      ++version_;
    else
      idle = version_;
    if (c_.options.log && changed)
      *c_.options.log += std::string("; after ") + which.pass().name + "\n" + ir::print_with_lines(c_.module) + "\n";
    if (c_.options.check) {
      const std::string broken = ir::validate(c_.module);
      if (!broken.empty()) c_.refuse(std::string("internal error: pass ") + which.pass().name + ": " + broken, nullptr);
    }
    return changed;
  }

  void clean() {
    for (int round = 0; round < 20; ++round) {
      c_.settled = true;
      const bool reduced = run("reduce"), died = run("eliminate_dead");
      if (!reduced && !died) return;
      if (!c_.settled) continue;
      for (const Named which : {Named("reduce"), Named("eliminate_dead")}) idle_since_[which.at] = version_;
      return;
    }
  }

 private:
  passes::Context c_;
  size_t before_;
  uint32_t version_ = 1;  ///< of the module: number of changes made by passes
  std::array<uint32_t, std::size(passes::kPasses)> idle_since_{};
};

}  // namespace

bool run_passes(ir::Module& module, const PassOptions& options, std::vector<Diagnostic>& diagnostics) {
  Manager m(module, options, diagnostics);
  if (options.log) *options.log += "; from SPIR-V\n" + ir::print_with_lines(module) + "\n";
  if (module.wide) m.run("lower_wide");
  if (!options.chip->integers) m.run("lower_integers");
  if (m.failed()) return false;
  m.run("constant_arrays");
  m.run("promote_temps");
  m.clean();
  // Unrolling decides indices, decided indices let more temporaries become values, whose constants let more loops unroll.
  for (int round = 0; round < 8 && m.run("unroll_loops"); ++round) {
    m.clean();
    m.run("promote_temps");
    m.clean();
  }
  if (!options.allow_ladders && !module.temps.empty() && passes::any_instruction(module.body, [](const ir::Instruction& in) {
        return (in.op == ir::Op::load_temp && in.source_count > 0) || (in.op == ir::Op::store_temp && in.source_count > 1);
      })) {
    diagnostics.push_back({"an array indexed at run time"});
    return false;
  }
  // Indices may have become literals since.
  if (module.memory && m.run("promote_temps")) m.clean();
  if (m.run("lower_arrays")) {
    m.run("promote_temps");
    m.clean();
  }
  if (m.run("bound_loops")) m.clean();
  m.run("check_exactness");
  if (m.run("fold_addresses")) m.clean();
  if (m.run("merge_loads")) m.clean();
  m.run("lower_textures");
  m.run("lower_math");
  m.clean();
  m.run("convert_ifs");
  m.clean();
  const bool derives = m.run("lower_derivatives");
  if (m.run("lower_inputs") || derives) m.clean();
  m.run("lower_uniforms");
  m.clean();
  m.run("form_mads");
  // Mads of reduced products and sums cannot be reduced further, they only leave the products behind.
  if (m.run("scalarize"))
    m.clean();
  else
    m.run("eliminate_dead");
  m.run("finish");
  m.run("eliminate_dead");
  m.run("finish");
  if (m.failed()) return false;
  if (!options.check_form) return true;
  // The frontend's module was valid, and that passes keep it so is for the tests to see (PassOptions::check).
  if (const std::string broken =
          options.check ? ir::validate_chip_form(module, *options.chip) : ir::chip_form_problem(module, *options.chip);
      !broken.empty())
    diagnostics.push_back({"shader '" + module.name + "': internal error of the passes: " + broken});
  return !m.failed();
}

}  // namespace pumice::compiler
