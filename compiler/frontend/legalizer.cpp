// SPDX-License-Identifier: MIT
/// libpumice_legalizer.so: legalize.cpp behind the interface of legalizer.h. No exception leaves.
#include "compiler/frontend/legalizer.h"

#include <exception>

#include "compiler/frontend/legalize.h"

extern "C" __attribute__((visibility("default"))) void pumice_legalize_1(const PumiceLegalizerCall* call);

void pumice_legalize_1(const PumiceLegalizerCall* call) {
  using namespace pumice::compiler;
  std::vector<uint32_t> words;
  std::string error;
  try {
    ShaderSource source;
    source.spirv = {call->words, call->word_count};
    for (size_t i = 0; i < call->constant_count; i++) {
      const PumiceLegalizerConstant& c = call->constants[i];
      source.specializations.push_back({c.id, {c.bytes, c.bytes + c.size}});
    }
    if (!frontend::legalize(source, words, error)) return call->failed(call->user, error.c_str());
  } catch (const std::bad_alloc&) {
    return call->failed(call->user, "out of memory in SPIRV-Tools");
  } catch (const std::exception&) {
    return call->failed(call->user, "SPIRV-Tools could not legalise the shader: internal error");
  }
  call->done(call->user, words.data(), words.size());
}
