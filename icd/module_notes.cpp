// SPDX-License-Identifier: MIT
#include "icd/module_notes.h"

#include <algorithm>
#include <cstring>

#include "icd/cs.h"

namespace pumice::icd {

void ModuleNotes::add(const compiler::PipelineSource& source, const compiler::Program& program) {
  const compiler::CodeDigests digests = compiler::code_digests(source);
  const std::vector<uint8_t> bytes = compiler::write_declared(source, digests, compiler::code_names(program));
  std::lock_guard lock(mutex_);
  if (!programs_.insert(compiler::digest(bytes)).second) return;
  for (size_t i = 0; i < compiler::kStages; ++i) {
    const compiler::ShaderSource* shader = source.shader(compiler::Stage(i));
    if (shader && modules_.insert(digests.of[i]).second)
      waiting_.push_back(
          {hw::ModuleLabel::Kind::module, {shader->spirv.begin(), shader->spirv.end()}, uint32_t(shader->spirv.size_bytes())});
  }
  std::vector<uint32_t> words((bytes.size() + 3) / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  waiting_.push_back({hw::ModuleLabel::Kind::program, std::move(words), uint32_t(bytes.size())});
  any_.store(true, std::memory_order_release);
}

void ModuleNotes::write(Cs& cs) {
  constexpr size_t kPiece = 8192;  // words; half of what a packet can have
  std::vector<Note> notes;
  {
    std::lock_guard lock(mutex_);
    notes.swap(waiting_);
    any_.store(false, std::memory_order_release);
  }
  std::vector<uint32_t> payload;
  for (const Note& n : notes)
    for (size_t first = 0; first < n.words.size(); first += kPiece) {
      const hw::ModuleLabel label{.kind = n.kind, .bytes = n.bytes, .first = uint32_t(4 * first)};
      payload.resize(sizeof label / 4);
      std::memcpy(payload.data(), &label, sizeof label);
      const auto from = n.words.begin() + ptrdiff_t(first);
      payload.insert(payload.end(), from, from + ptrdiff_t(std::min(kPiece, n.words.size() - first)));
      cs.packet(pm4::Op::NOP, payload);
    }
}

}  // namespace pumice::icd
