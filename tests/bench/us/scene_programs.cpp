// SPDX-License-Identifier: MIT
#include "tests/bench/us/scene_programs.h"

#include <cstdio>
#include <span>

#include "compiler/compiler.h"
#include "us_blur.frag.h"
#include "us_image.frag.h"
#include "us_mesh.frag.h"
#include "us_mesh.vert.h"
#include "us_noise.frag.h"
#include "us_screen.vert.h"

namespace pumice::hw::fast::us {
namespace {

SceneProgram compiled(const char* name, std::span<const uint32_t> vertex, std::span<const uint32_t> fragment) {
  compiler::PipelineSource source;
  source.chip = &compiler::kR500;
  source.add(compiler::Stage::vertex).spirv = vertex;
  source.add(compiler::Stage::fragment).spirv = fragment;
  const compiler::Result result = compiler::compile(source);
  SceneProgram p{.name = name};
  if (!result.program) {
    std::fprintf(stderr, "%s does not compile\n", name);
    return p;
  }
  const compiler::FragmentProgram& f = result.program->fragment;
  p.code = f.code;
  p.temps = f.temps;
  p.int_constants = f.int_constants;
  p.textured = !f.textures.empty();
  for (const auto& r : f.constants)
    for (uint32_t i = 0; i < 4 * r.count; ++i) p.constants[r.first_slot + i / 4][i % 4] = i < r.immediate.size() ? r.immediate[i] : 0.5f;
  for (const auto& v : result.program->varyings) p.varyings.push_back(v.us_temp);
  return p;
}

}  // namespace

std::vector<SceneProgram> scene_programs() {
  return {compiled("noise", screen_vert, noise_frag), compiled("blur", screen_vert, blur_frag), compiled("image", screen_vert, image_frag),
          compiled("mesh", mesh_vert, mesh_frag)};
}

}  // namespace pumice::hw::fast::us
