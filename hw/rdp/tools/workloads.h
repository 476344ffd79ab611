// SPDX-License-Identifier: MIT
/// The workloads of `pumice-rdp bench`: command lists of one kind of work each.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace pumice::hw::rdp {

struct Screen {
  uint32_t width, height;
};

using Words = std::vector<uint64_t>;

struct Workload {
  const char* name;
  void (*build)(Words& words, Screen screen);
  /// Pixels or texels of one run; null: those of the screen.
  uint32_t (*count)(Screen screen);
  bool every_size;  // else only at the first size
};

std::span<const Workload> workloads();

/// A frame as a game would draw it: colour and depth cleared, textures loaded, 300,000 textured z-buffered pixels at 640x480.
constexpr uint32_t kFramePixels = 300000;
void build_frame(Words& words);

/// Images, scissor and a texture, before any workload; and clears of depth.
Words workload_setup(Screen screen);
Words workload_clear(Screen screen);
/// Memory for all of them, with a texture in it.
std::vector<uint8_t> workload_memory();

}  // namespace pumice::hw::rdp
