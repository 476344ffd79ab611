// SPDX-License-Identifier: MIT
/// What `pumice-rdp play` plays: a vector, a dump, or a plain file of command words, as one list of steps.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/rdp/rdp.h"

namespace pumice::hw::rdp {

struct Step {
  enum class Kind : uint8_t { bytes, hidden, words, frame } kind;
  uint32_t address = 0;       // bytes, hidden: first byte
  std::vector<uint8_t> data;  // hidden: one byte per halfword
  std::vector<uint64_t> words;
};

struct Script {
  uint32_t rdram_size = 0;
  std::vector<Step> steps;
};

/// Recognises the file by its first bytes:
/// RDPVEC01 (one vector of it, by name or number), RDPDUMP1 and RDPDUMP2 (what emulators with the well-known dump
/// writer record), else big-endian 64-bit command words.
bool read_script(const std::string& path, const std::string& vector, Script& out, std::string& error);

/// Memory and model of one run.
class Player {
 public:
  explicit Player(const Script& script);
  /// Plays up to the end of frame number `last_frame` (from 0), or everything. Returns the number of frames.
  uint32_t play(uint32_t last_frame = UINT32_MAX);

  Rdp& rdp() { return rdp_; }
  const std::vector<uint8_t>& memory() const { return memory_; }
  uint64_t faults() const { return faults_; }

 private:
  const Script& script_;
  std::vector<uint8_t> memory_;
  Rdp rdp_;
  uint64_t faults_ = 0;
};

}  // namespace pumice::hw::rdp
