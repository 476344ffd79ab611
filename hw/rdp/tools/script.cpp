// SPDX-License-Identifier: MIT
/// Readers of what can be played, and the player.
#include "hw/rdp/tools/script.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>

#include "hw/rdp/tools/vectors.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kMaxRdram = 64u << 20;

bool from_vector(const std::string& path, const std::string& name, Script& out, std::string& error) {
  std::vector<Vector> vectors;
  if (!read_vectors(path, vectors, error)) return false;
  size_t at = vectors.size();
  for (size_t i = 0; i < vectors.size(); ++i)
    if (vectors[i].name == name || std::to_string(i) == name) at = std::min(at, i);
  if (name.empty() && vectors.size() == 1) at = 0;
  if (at == vectors.size()) {
    error = path + ": choose one of " + std::to_string(vectors.size()) + " vectors with --vector NAME:";
    for (const Vector& v : vectors) error += " " + v.name;
    return false;
  }
  const Vector& v = vectors[at];
  out.rdram_size = v.rdram_size;
  for (uint32_t kind : {0u, 1u})
    for (const VectorRegion& r : v.preload)
      if (r.kind == kind) out.steps.push_back({kind ? Step::Kind::hidden : Step::Kind::bytes, r.address, r.data, {}});
  out.steps.push_back({Step::Kind::words, 0, {}, v.commands});
  return true;
}

/// Numbers are little-endian 32-bit; memory is in host words (byte n of RDRAM at n ^ 3). A command is its opcode and its
/// words, each 64-bit word as two numbers, the upper first. VI registers are read over.
class DumpReader {
 public:
  DumpReader(const std::vector<uint8_t>& b, bool second) : b_(b), second_(second) {}

  bool read(Script& out) {
    out.rdram_size = number();
    if (second_) number();  // size of hidden memory
    if (out.rdram_size > kMaxRdram) return false;
    while (ok_) {
      const uint32_t command = number();
      if (!ok_) return false;
      switch (command) {
        case 1: memory(out, Step::Kind::bytes); break;
        case 2: second_ ? words(out) : void(); break;  // first version: a list begins
        case 3: second_ ? skip(8) : void(); break;     // VI register; first version: a list ends
        case 4: second_ ? frame(out) : words(out); break;
        case 5:
          if (!second_) return true;  // first version: end of file
          break;
        case 6: return second_;
        case 7:
        case 9: break;
        case 8: memory(out, Step::Kind::hidden); break;
        default: return false;
      }
    }
    return false;
  }

 private:
  uint32_t number() {
    if (b_.size() - pos_ < 4) {
      ok_ = false;
      return 0;
    }
    uint32_t v = 0;
    for (int i = 3; i >= 0; --i) v = v << 8 | b_[pos_ + static_cast<size_t>(i)];
    pos_ += 4;
    return v;
  }
  void skip(size_t n) {
    if (b_.size() - pos_ < n)
      ok_ = false;
    else
      pos_ += n;
  }
  void memory(Script& out, Step::Kind kind) {
    const uint32_t address = number(), size = number();
    const size_t at = pos_;
    skip(size);
    if (!ok_ || address % 4 || size % 4) {
      ok_ = false;
      return;
    }
    Step s{kind, kind == Step::Kind::hidden ? address * 2 : address, std::vector<uint8_t>(size), {}};
    // Hidden bits are one byte per halfword in RDRAM order (UNCONFIRMED: no dump with them was at hand).
    for (uint32_t i = 0; i < size; ++i) s.data[i] = b_[at + (kind == Step::Kind::bytes ? i ^ 3 : i)];
    out.steps.push_back(std::move(s));
  }
  void words(Script& out) {
    number();
    const uint32_t n = number();
    if (!ok_ || n % 2 || n > 2 * kMaxCommandWords) {
      ok_ = false;
      return;
    }
    if (out.steps.empty() || out.steps.back().kind != Step::Kind::words) out.steps.push_back({Step::Kind::words, 0, {}, {}});
    for (uint32_t i = 0; i < n; i += 2) {
      const uint64_t high = number();
      out.steps.back().words.push_back(high << 32 | number());
    }
  }
  void frame(Script& out) { out.steps.push_back({Step::Kind::frame, 0, {}, {}}); }

  const std::vector<uint8_t>& b_;
  bool second_;
  size_t pos_ = 8;
  bool ok_ = true;
};

}  // namespace

bool read_script(const std::string& path, const std::string& vector, Script& out, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = path + ": " + std::strerror(errno);
    return false;
  }
  const std::vector<uint8_t> b((std::istreambuf_iterator<char>(file)), {});
  const auto begins = [&](const char* magic) { return b.size() >= 8 && !std::memcmp(b.data(), magic, 8); };
  if (begins("RDPVEC01")) return from_vector(path, vector, out, error);
  if (begins("RDPDUMP1") || begins("RDPDUMP2")) {
    if (DumpReader(b, b[7] == '2').read(out)) return true;
    error = path + ": damaged dump";
    return false;
  }
  if (b.empty() || b.size() % 8) {
    error = path + ": neither a vector, a dump nor 64-bit command words";
    return false;
  }
  out.rdram_size = 8u << 20;
  Step s{Step::Kind::words, 0, {}, {}};
  for (size_t i = 0; i < b.size(); i += 8) {
    uint64_t w = 0;
    for (size_t j = 0; j < 8; ++j) w = w << 8 | b[i + j];
    s.words.push_back(w);
  }
  out.steps.push_back(std::move(s));
  return true;
}

Player::Player(const Script& script) : script_(script), memory_(script.rdram_size), rdp_(memory_) {
  rdp_.on_fault([this](Fault, uint64_t) { ++faults_; });
}

uint32_t Player::play(uint32_t last_frame) {
  uint32_t frames = 0;
  for (const Step& s : script_.steps) {
    switch (s.kind) {
      case Step::Kind::bytes: {
        rdp_.sync();
        const size_t n = s.address < memory_.size() ? std::min(s.data.size(), memory_.size() - s.address) : 0;
        std::copy_n(s.data.begin(), n, memory_.begin() + static_cast<std::ptrdiff_t>(n ? s.address : 0));
        rdp_.rdram().cpu_wrote(s.address, static_cast<uint32_t>(n));
        break;
      }
      case Step::Kind::hidden:
        rdp_.sync();
        for (uint32_t i = 0; i < s.data.size(); ++i) rdp_.rdram().set_hidden(s.address / 2 + i, s.data[i]);
        break;
      case Step::Kind::words: rdp_.enqueue(s.words); break;
      case Step::Kind::frame:
        if (frames++ == last_frame) {
          rdp_.sync();
          return frames;
        }
        break;
    }
  }
  rdp_.sync();
  return frames;
}

}  // namespace pumice::hw::rdp
