// SPDX-License-Identifier: MIT
/// Declarations of modules and programs in recordings, for a draw that runs a declared program. First byte: 1:0 chip; bit 2 the rest is a
/// declaration, else changes to the program's own: two bytes where, one what is inverted; bit 3 the changes are to the fragment shader's
/// module, whose digest the declaration gets.
#include "tests/hw/trace/names_rig.h"

using namespace pumice;
using namespace pumice::hw;
using namespace pumice::hw::trace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  static test::Pipeline pipelines[] = {test::Pipeline(Profile::r300), test::Pipeline(Profile::r500), test::Pipeline(Profile::r5x)};
  test::Pipeline& p = pipelines[(data[0] & 3) % 3];
  const auto changed = [&](std::vector<uint8_t> bytes) {
    for (size_t i = 1; i + 2 < size && !bytes.empty(); i += 3) bytes[(data[i] | data[i + 1] << 8) % bytes.size()] ^= data[i + 2];
    return bytes;
  };
  const auto bytes_of = [](const std::vector<uint32_t>& words) {
    const auto* first = reinterpret_cast<const uint8_t*>(words.data());
    return std::vector<uint8_t>(first, first + 4 * words.size());
  };
  std::vector<uint8_t> declared = p.declared(), module = bytes_of(p.fragment);
  std::vector<uint32_t> words;
  if (data[0] & 8) {
    module = changed(module);
    words.resize(module.size() / 4);
    std::memcpy(words.data(), module.data(), 4 * words.size());
    compiler::PipelineSource source = p.source;
    source.shaders[size_t(compiler::Stage::fragment)]->spirv = words;
    declared = compiler::write_declared(source, compiler::code_digests(source), compiler::code_names(p.program));
  } else {
    declared = data[0] & 4 ? std::vector<uint8_t>(data + 1, data + size) : changed(declared);
  }
  std::vector<test::Packet> packets;
  test::Pipeline::piece(packets, ModuleLabel::Kind::module, bytes_of(p.vertex));
  test::Pipeline::piece(packets, ModuleLabel::Kind::module, module);
  test::Pipeline::piece(packets, ModuleLabel::Kind::program, declared);
  const auto source = make_names();
  for (const test::Packet& packet : packets) source->packet(packet);
  static_cast<void>(source->names(p.context(), true));
  return 0;
}
