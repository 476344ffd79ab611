// SPDX-License-Identifier: MIT
/// legalize.h for the driver: by libpumice_legalizer.so, which lies beside the library this is part of and is loaded for each call anew;
/// it stays in memory (RTLD_NODELETE), so that later calls only count references.
#include <dlfcn.h>

#include <memory>

#include "compiler/frontend/legalize.h"
#include "compiler/frontend/legalizer.h"

namespace pumice::compiler::frontend {
namespace {

struct Close {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Close>;

Library load(std::string& error) {
  Dl_info self{};
  std::string path = kLegalizerLibrary;
  if (dladdr(reinterpret_cast<const void*>(&load), &self) && self.dli_fname) {
    const std::string mine = self.dli_fname;
    if (const size_t slash = mine.rfind('/'); slash != std::string::npos) path = mine.substr(0, slash + 1) + path;
  }
  Library library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
  if (!library) {
    const char* why = dlerror();
    error = std::string("SPIRV-Tools might help, but its library cannot be loaded: ") + (why ? why : path.c_str());
  }
  return library;
}

}  // namespace

std::string legalizer_missing() {
  std::string error;
  load(error);
  return error;
}

bool legalize(const ShaderSource& source, std::vector<uint32_t>& out, std::string& error) {
  const Library library = load(error);
  if (!library) return false;
  const auto function = reinterpret_cast<PumiceLegalize>(dlsym(library.get(), kLegalizeSymbol));
  if (!function) {
    error = kLegalizerLibrary;
    error += " is of another version";
    return false;
  }
  std::vector<PumiceLegalizerConstant> constants;
  for (const Specialization& s : source.specializations)
    constants.push_back({s.constant_id, static_cast<uint32_t>(s.bytes.size()), s.bytes.data()});
  struct Answer {
    std::vector<uint32_t>& words;
    std::string& error;
    bool ok = false;
  } answer{out, error};
  PumiceLegalizerCall call{};
  call.words = source.spirv.data();
  call.word_count = source.spirv.size();
  call.constants = constants.data();
  call.constant_count = constants.size();
  call.user = &answer;
  call.done = [](void* user, const uint32_t* words, size_t count) {
    Answer& a = *static_cast<Answer*>(user);
    try {
      a.words.assign(words, words + count);
      a.ok = true;
    } catch (...) {
      a.words.clear();
    }
  };
  call.failed = [](void* user, const char* text) {
    try {
      static_cast<Answer*>(user)->error = text;
    } catch (...) {
      // The caller sees an empty text.
    }
  };
  function(&call);
  if (!answer.ok && error.empty()) error = "out of memory while SPIRV-Tools worked";
  return answer.ok;
}

}  // namespace pumice::compiler::frontend
