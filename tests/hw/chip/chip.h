// SPDX-License-Identifier: MIT
/// A whole chip for register-level tests: memory, a ring, packets; no ICD. Everything below goes through hw/gpu.h only.
#pragma once
#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hw/gpu.h"
#include "hw/regs_r500.h"

namespace pumice::hw::test {

inline uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

/// Packets under construction.
class Packets {
 public:
  std::vector<uint32_t> words;

  /// Type 0: consecutive registers from `offset`.
  void write(uint32_t offset, std::span<const uint32_t> values);
  /// Type 0 with ONE_REG_WR: all values into one port.
  void write_port(uint32_t offset, std::span<const uint32_t> values);
  template <class R>
  void set(R value, uint32_t i = 0) {
    const uint32_t raw = value.raw;
    write(R::at(i), {&raw, 1});
  }
  template <class R>
  void set_float(float value, uint32_t i = 0) {
    const uint32_t raw = bits(value);
    write(R::at(i), {&raw, 1});
  }
  /// Type 3.
  void command(pm4::Op op, std::span<const uint32_t> payload);
  void append(const Packets& other) { words.insert(words.end(), other.words.begin(), other.words.end()); }
};

class Chip {
 public:
  explicit Chip(Profile profile = Profile::r500, uint64_t instruction_limit = 1ull << 30);
  ~Chip();

  /// Puts the packets into an indirect buffer, runs it and waits for the fence behind it. False when the chip hung instead.
  bool run(const Packets& packets);
  std::vector<Report> reports();

  /// `dwords` of zeroed memory at a fresh address, 4 KiB aligned.
  GpuAddress allocate(size_t dwords);
  uint32_t* memory(GpuAddress address) { return reinterpret_cast<uint32_t*>(gpu->host_pointer(address)); }

  std::unique_ptr<Gpu> gpu;

 private:
  void ring_write(std::span<const uint32_t> words);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Report> reports_;
  uint64_t interrupts_ = 0;
  GpuAddress next_ = 0x100000;
  GpuAddress ring_ = 0, scratch_ = 0;
  uint32_t wptr_ = 0, sequence_ = 0;
};

/// A picture of the chip: a linear ARGB8888 colour surface and a depth surface.
struct Target {
  uint32_t width = 64, height = 64;
  GpuAddress color = 0, depth = 0;
};
Target make_target(Chip& chip, uint32_t width = 64, uint32_t height = 64);

/// One vertex: position as the vertex program gets it (clip space) and one attribute (texcoord set 0).
struct TestVertex {
  std::array<float, 4> position, attribute;
};

/// Packets that put every block into the plainest state: pass-through vertex program (input 0 -> position, input 1 -> texcoord 0),
/// fragment program that writes texcoord 0 as colour, no depth test, no blending, scissor = whole target, viewport = whole target.
Packets plain_state(const Target& target);
/// PRIM_WALK 3 draw with the vertices in the packet.
Packets draw(uint32_t prim_type, std::span<const TestVertex> vertices);
/// Six-dword slots into the US store from slot 0, with the code window set to them.
Packets fragment_program(std::span<const std::array<uint32_t, 6>> slots, uint32_t temps);
Packets vertex_program(std::span<const std::array<uint32_t, 4>> instructions);
/// MAX(temp, temp) with OMOD off -> target 0, type OUT, last instruction of a program.
std::array<uint32_t, 6> out_slot(uint32_t temp);
/// ADD destination, source, 0 on the vector engine.
std::array<uint32_t, 4> move_instruction(uint32_t dst_type, uint32_t dst, uint32_t src_type, uint32_t src);

}  // namespace pumice::hw::test
