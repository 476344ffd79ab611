// SPDX-License-Identifier: MIT
/// Vector container.
#include "hw/rdp/tools/vectors.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kMaxRdram = 16u << 20;

/// Big-endian reader that stays inside its buffer.
class Reader {
 public:
  Reader(const std::vector<uint8_t>& b, size_t pos, size_t end) : b_(b), pos_(pos), end_(end) {}
  bool ok() const { return ok_; }
  size_t left() const { return end_ - pos_; }
  uint64_t number(int bytes) {
    if (!need(static_cast<size_t>(bytes))) return 0;
    uint64_t v = 0;
    for (int i = 0; i < bytes; ++i) v = v << 8 | b_[pos_++];
    return v;
  }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  std::vector<uint8_t> bytes(size_t n) {
    if (!need(n)) return {};
    const auto first = b_.begin() + static_cast<std::ptrdiff_t>(pos_);
    pos_ += n;
    return {first, first + static_cast<std::ptrdiff_t>(n)};
  }

 private:
  bool need(size_t n) { return ok_ = ok_ && n <= end_ - pos_; }
  const std::vector<uint8_t>& b_;
  size_t pos_, end_;
  bool ok_ = true;
};

std::vector<VectorRegion> regions(Reader& r, bool with_data, uint32_t rdram_size) {
  std::vector<VectorRegion> list;
  const uint32_t n = r.u32();
  for (uint32_t i = 0; i < n && r.ok(); ++i) {
    VectorRegion g;
    g.kind = r.u32();
    g.address = r.u32();
    g.length = r.u32();
    const uint64_t bytes = g.kind == 1 ? uint64_t{g.length} * 2 : g.length;
    if (g.kind > 1 || uint64_t{g.address} + bytes > rdram_size) r.bytes(SIZE_MAX);
    if (with_data) g.data = r.bytes(g.length);
    list.push_back(std::move(g));
  }
  return list;
}

std::string difference(const char* what, uint32_t address, uint32_t got, uint32_t want) {
  char text[96];
  std::snprintf(text, sizeof text, "%s at 0x%05" PRIX32 ": %02" PRIX32 ", expected %02" PRIX32, what, address, got, want);
  return text;
}

}  // namespace

bool read_vectors(const std::string& path, std::vector<Vector>& out, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> b((std::istreambuf_iterator<char>(file)), {});
  static constexpr char kMagic[] = "RDPVEC01";
  if (b.size() < 16 || !std::equal(kMagic, kMagic + 8, b.begin())) {
    error = path + ": not an RDPVEC01 file";
    return false;
  }
  Reader head(b, 8, b.size());
  const uint32_t count = head.u32();
  size_t pos = 16;
  for (uint32_t i = 0; i < count; ++i) {
    Reader size_reader(b, pos, b.size());
    const uint32_t size = size_reader.u32();
    if (!size_reader.ok() || size > size_reader.left()) {
      error = path + ": file ends inside a vector";
      return false;
    }
    pos += 4;
    Reader r(b, pos, pos + size);
    pos += size;
    Vector v;
    const std::vector<uint8_t> name = r.bytes(r.number(2));
    v.name.assign(name.begin(), name.end());
    v.flags = static_cast<uint32_t>(r.number(2));
    v.rdram_size = r.u32();
    if (v.rdram_size > kMaxRdram) r.bytes(SIZE_MAX);
    v.preload = regions(r, true, v.rdram_size);
    const uint32_t words = r.u32();
    for (uint32_t w = 0; w < words && r.ok(); ++w) v.commands.push_back(r.number(8));
    v.outputs = regions(r, v.flags & Vector::kExpected, v.rdram_size);
    if (!r.ok() || r.left()) {
      error = path + ": vector " + std::to_string(i) + " is damaged";
      return false;
    }
    out.push_back(std::move(v));
  }
  return true;
}

std::string check_vector(const Vector& v, Execution execution, unsigned threads) {
  if (!(v.flags & Vector::kExpected)) return "the vector has no expected bytes";
  std::vector<uint8_t> memory(v.rdram_size);
  for (const VectorRegion& r : v.preload)
    if (r.kind == 0) std::copy(r.data.begin(), r.data.end(), memory.begin() + r.address);
  Rdp rdp(memory);
  rdp.set_execution(execution);
  rdp.set_threads(threads);
  Rdram& ram = rdp.rdram();
  for (const VectorRegion& r : v.preload)
    if (r.kind == 1)
      for (uint32_t i = 0; i < r.length; ++i) ram.set_hidden(r.address / 2 + i, r.data[i]);

  // Outside the outputs everything must stay as it is.
  std::vector<uint8_t> expected = memory, expected_hidden(v.rdram_size / 2);
  for (uint32_t i = 0; i < expected_hidden.size(); ++i) expected_hidden[i] = static_cast<uint8_t>(ram.hidden(i));
  for (const VectorRegion& r : v.outputs) {
    if (r.kind == 0)
      std::copy(r.data.begin(), r.data.end(), expected.begin() + r.address);
    else
      std::copy(r.data.begin(), r.data.end(), expected_hidden.begin() + r.address / 2);
  }
  std::string fault;
  rdp.on_fault([&](Fault f, uint64_t) { fault = fault_text(f); });
  rdp.enqueue(v.commands);
  rdp.sync();
  if (!fault.empty()) return "fault: " + fault;
  for (uint32_t a = 0; a < v.rdram_size; ++a)
    if (memory[a] != expected[a]) return difference("byte", a, memory[a], expected[a]);
  // With kNoHidden only the outputs of kind 1 count.
  std::vector<bool> checked(expected_hidden.size(), !(v.flags & Vector::kNoHidden));
  for (const VectorRegion& r : v.outputs)
    if (r.kind == 1)
      for (uint32_t i = 0; i < r.length; ++i) checked[r.address / 2 + i] = true;
  for (uint32_t i = 0; i < expected_hidden.size(); ++i)
    if (checked[i] && ram.hidden(i) != expected_hidden[i]) return difference("hidden bits", 2 * i, ram.hidden(i), expected_hidden[i]);
  return {};
}

}  // namespace pumice::hw::rdp
