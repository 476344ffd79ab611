// SPDX-License-Identifier: MIT
/// What the compiler alone takes for the pipelines of ../pipeline and for a compute shader of about a thousand instructions: compile(),
/// SPIR-V to microcode of all stages. least_us is the processor time of the fastest: what a busy machine shows most reliably.
#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <span>

#include "bench_blur.frag.h"
#include "bench_branches.frag.h"
#include "bench_flat.frag.h"
#include "bench_hash.comp.h"
#include "bench_lit.vert.h"
#include "bench_noise.frag.h"
#include "bench_pixel_lit.frag.h"
#include "bench_plain.vert.h"
#include "bench_vertex_color.frag.h"
#include "compiler/compiler.h"

namespace {

using namespace pumice::compiler;

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

void measure(benchmark::State& state, const PipelineSource& source) {
  uint32_t slots = 0;
  double least = 1e9;
  for (auto _ : state) {
    const double begin = cpu_seconds();
    const Result result = compile(source);
    least = std::min(least, cpu_seconds() - begin);
    if (!result.program) return state.SkipWithError("the compiler refused");
    slots = result.program->vertex.stats.slots + result.program->fragment.stats.slots;
    for (const std::optional<XProgram>& x : result.program->x) slots += x ? x->stats.slots : 0;
  }
  state.counters["least_us"] = least * 1e6;
  state.counters["slots"] = slots;
}

void compile_pipeline(benchmark::State& state, std::span<const uint32_t> vertex, std::span<const uint32_t> fragment,
                      const ChipLimits& chip = kR500) {
  PipelineSource source;
  source.chip = &chip;
  source.add(Stage::vertex).spirv = vertex;
  source.add(Stage::fragment).spirv = fragment;
  measure(state, source);
}

void compile_compute(benchmark::State& state, std::span<const uint32_t> shader) {
  PipelineSource source;
  source.chip = &kR5x;
  source.add(Stage::compute).spirv = shader;
  measure(state, source);
}

}  // namespace

BENCHMARK_CAPTURE(compile_pipeline, flat, plain_vert, flat_frag)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, lit_mesh, lit_vert, vertex_color_frag)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, lit_pixels, plain_vert, pixel_lit_frag)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, blur_25_taps, plain_vert, blur_frag)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, noise, plain_vert, noise_frag)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, branches, plain_vert, branches_frag)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, r5x_lit_mesh, lit_vert, vertex_color_frag, kR5x)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, r5x_noise, plain_vert, noise_frag, kR5x)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_pipeline, r5x_branches, plain_vert, branches_frag, kR5x)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_compute, hash, hash_comp)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
