// SPDX-License-Identifier: MIT
/// The matrix on the driver that the loader chooses:
///   bench-matrix --list                      every line: name<TAB>unit<TAB>quick or -
///   bench-matrix [--seconds S] [NAME]...     measures them, or those named on standard input (one per line) when the only name is "-"
/// Prints per line
///   NAME<TAB>best items/s<TAB>median items/s<TAB>samples<TAB>summary of the picture, comma-separated
///   NAME<TAB>-<TAB>why the driver cannot do it
/// A sample is one submission of as many pieces as take some milliseconds, so that what a submission costs counts only where it is meant
/// to.
#include <algorithm>
#include <cstring>
#include <iostream>

#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/line.h"
#include "tests/bench/measure.h"

namespace pumice::bench::matrix {

std::vector<double> summary(Gpu& gpu, const Picture& picture) {
  constexpr size_t kParts = 64;
  std::vector<double> out;
  if (picture.kind != Picture::Kind::image) {
    const size_t words = picture.buffer.size / 4, part = words / kParts;
    for (size_t p = 0; p < kParts; ++p) {
      double sum = 0;
      for (size_t i = p * part; i < (p + 1) * part; ++i)
        sum += picture.kind == Picture::Kind::floats ? static_cast<double>(static_cast<const float*>(picture.buffer.mapped)[i])
                                                     : static_cast<double>(static_cast<const uint32_t*>(picture.buffer.mapped)[i]);
      out.push_back(sum / static_cast<double>(part));
    }
    return out;
  }
  const Image& image = picture.image;
  const Format& format = format_of(image.info.format);
  const VkImageAspectFlags aspect = aspects(format.format);
  const uint32_t width = image.info.extent.width, height = image.info.extent.height, bytes = texel_bytes(format);
  const Buffer copy = gpu.buffer(VkDeviceSize{width} * height * bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  gpu.run_once([&](VkCommandBuffer commands) {
    const VkBufferImageCopy region{
        .imageSubresource = {aspect & VK_IMAGE_ASPECT_DEPTH_BIT ? VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT} : aspect, 0, 0, 1},
        .imageExtent = {width, height, 1}};
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy.buffer, 1, &region);
    barrier(commands);
  });
  out.resize(kParts * 4);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      const Texel t = decode(format, static_cast<const uint8_t*>(copy.mapped) + (size_t{y} * width + x) * bytes);
      for (size_t c = 0; c < 4; ++c) out[(size_t{y * 8 / height} * 8 + x * 8 / width) * 4 + c] += static_cast<double>(t[c]);
    }
  for (double& sum : out) sum *= static_cast<double>(kParts) / (static_cast<double>(width) * height);
  return out;
}

namespace {

constexpr double kSample = 3e-3;  ///< what a submission should at least take, in seconds
constexpr uint32_t kMostPieces = 64;
constexpr double kSlow = 2.0;  ///< a piece that takes longer is measured once

void run(Gpu& gpu, const Line& line, double seconds) {
  const Case c = line.make(gpu);
  const VkCommandPool pool = gpu.pool();
  const VkCommandBuffer commands = gpu.commands(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  const auto record = [&](uint32_t pieces) {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    for (uint32_t i = 0; i < pieces; ++i) c.record(commands);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  };
  if (!c.step) record(1);
  const auto once = [&] {
    if (c.step)
      c.step();
    else
      gpu.submit(commands);
  };
  const auto timed = [&] {
    const Clock::time_point begin = Clock::now();
    once();
    return seconds_since(begin);
  };
  double first = timed();  // compiles what is compiled late
  if (first < kSlow) first = timed();
  const std::vector<double> picture = summary(gpu, c.picture);  // of one piece: buffers may go on changing
  uint32_t pieces = 1;
  if (!c.step && !c.alone && first < kSample) {
    pieces = std::clamp(static_cast<uint32_t>(kSample / first) + 1, 1u, kMostPieces);
    record(pieces);
    once();
  }
  std::vector<double> times;
  if (first >= kSlow) times.push_back(first);
  for (const Clock::time_point begin = Clock::now(); first < kSlow && (times.size() < 2 || seconds_since(begin) < seconds);)
    times.push_back(timed());
  std::sort(times.begin(), times.end());
  const double items = line.items * pieces;
  std::printf("%s\t%.5g\t%.5g\t%zu\t", line.name.c_str(), items / times.front(), items / times[times.size() / 2], times.size());
  for (size_t i = 0; i < picture.size(); ++i) std::printf("%s%.4g", i ? "," : "", picture[i]);
  std::printf("\n");
}

std::vector<Line> all_lines() {
  std::vector<Line> lines;
  add_textures(lines);
  add_targets(lines);
  add_vertices(lines);
  add_programs(lines);
  add_passes(lines);
  add_draws(lines);
  add_compute(lines);
  return lines;
}

int main_of(int argc, char** argv) {
  const std::vector<Line> lines = all_lines();
  double seconds = 0.1;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--list") {
      for (const Line& l : lines) std::printf("%s\t%s\t%s\n", l.name.c_str(), l.unit, l.quick ? "quick" : "-");
      return 0;
    }
    if (word == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      names.emplace_back(word);
  }
  if (names.size() == 1 && names[0] == "-") {
    names.clear();
    for (std::string name; std::getline(std::cin, name);) names.push_back(name);
  }
  std::vector<const Line*> chosen;
  for (const std::string& name : names) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == name; });
    if (line == lines.end()) {
      std::fprintf(stderr, "bench-matrix: there is no line '%s'; --list names them\n", name.c_str());
      return 2;
    }
    chosen.push_back(&*line);
  }
  if (names.empty())
    for (const Line& l : lines) chosen.push_back(&l);
  Gpu gpu;
  for (const Line* line : chosen) {
    try {
      run(gpu, *line, seconds);
    } catch (const Unsupported& why) {
      std::printf("%s\t-\t%s\n", line->name.c_str(), why.what());
    }
    std::fflush(stdout);
    gpu.release();
  }
  return 0;
}

}  // namespace

}  // namespace pumice::bench::matrix

int main(int argc, char** argv) { return pumice::bench::matrix::main_of(argc, argv); }
