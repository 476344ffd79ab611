// SPDX-License-Identifier: MIT
/// Layout of the data, integers little-endian:
///   header (32)  "PumiProg" (8)  layout version (4)  programs (4)  bytes of programs (8)  digest of all other bytes (32)
///   each program: key (32)  bytes (4)  write_program()
#include "icd/program_cache.h"

#include <algorithm>
#include <cstring>

namespace pumice::icd {
namespace {

constexpr uint8_t kMagic[8] = {'P', 'u', 'm', 'i', 'P', 'r', 'o', 'g'};
constexpr uint32_t kLayout = 1;
constexpr size_t kHeader = sizeof(ProgramCache::Header), kDigestAt = kHeader + 24, kFirst = kDigestAt + sizeof(compiler::Digest);
constexpr size_t kPerProgram = sizeof(ProgramCache::Key) + 4;

void put(uint8_t* out, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; ++i) out[i] = static_cast<uint8_t>(v >> (8 * i));
}
uint64_t get(const uint8_t* in, int bytes) {
  uint64_t v = 0;
  for (int i = bytes - 1; i >= 0; --i) v = v << 8 | in[i];
  return v;
}

compiler::Digest guard(std::span<const uint8_t> data) {
  compiler::Hasher h;
  h.add(data.first(kDigestAt));
  h.add(data.subspan(kFirst));
  return h.finish();
}

}  // namespace

size_t ProgramCache::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

void ProgramCache::insert(const Key& key, Entry entry) {
  entry.used = ++clock_;
  const auto [at, fresh] = entries_.try_emplace(key, entry);
  if (!fresh) {
    at->second.used = entry.used;
    if (!at->second.program) at->second.program = std::move(entry.program);
    return;
  }
  if (entries_.size() > most_)
    entries_.erase(
        std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
}

ProgramCache::ProgramPtr ProgramCache::find(const Key& key) {
  Bytes bytes;
  {
    std::lock_guard lock(mutex_);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return nullptr;
    at->second.used = ++clock_;
    if (at->second.program) return at->second.program;
    bytes = at->second.bytes;
  }
  ProgramPtr program;
  if (std::optional<compiler::Program> p = compiler::read_program(*bytes, chip_))
    program = std::make_shared<const compiler::Program>(std::move(*p));
  std::lock_guard lock(mutex_);
  const auto at = entries_.find(key);
  if (at == entries_.end()) return program;
  // Another thread may have been faster; all threads share the same object.
  if (at->second.program) return at->second.program;
  if (program)
    at->second.program = program;
  else
    entries_.erase(at);
  return program;
}

void ProgramCache::add(const Key& key, ProgramPtr program) {
  std::lock_guard lock(mutex_);
  insert(key, {std::move(program), nullptr});
}

void ProgramCache::merge(const ProgramCache& from) {
  Entries copy;
  {
    std::lock_guard lock(from.mutex_);
    copy = from.entries_;
  }
  std::lock_guard lock(mutex_);
  for (auto& [key, entry] : copy) insert(key, std::move(entry));
}

const char* ProgramCache::load(const Header& header, std::span<const uint8_t> data) {
  if (data.size() < kHeader || !std::equal(header.begin(), header.end(), data.begin())) return "data of another device or driver build";
  if (data.size() == kHeader) return nullptr;  // what save() writes when nothing else fits
  if (data.size() < kFirst) return "data cut off";
  if (std::memcmp(&data[kHeader], kMagic, sizeof kMagic) != 0 || get(&data[kHeader + 8], 4) != kLayout) return "data of another layout";
  const uint64_t programs = get(&data[kHeader + 12], 4), bytes = get(&data[kHeader + 16], 8);
  if (bytes > data.size() - kFirst) return "data cut off";
  data = data.first(kFirst + static_cast<size_t>(bytes));
  const compiler::Digest found = guard(data);
  if (!std::equal(found.begin(), found.end(), &data[kDigestAt])) return "data damaged";

  Entries fresh;
  std::span<const uint8_t> rest = data.subspan(kFirst);
  for (uint64_t i = 0; i < programs; ++i) {
    if (rest.size() < kPerProgram) return "data with a program cut off";
    Key key;
    std::copy_n(rest.begin(), key.size(), key.begin());
    const uint64_t n = get(&rest[key.size()], 4);
    rest = rest.subspan(kPerProgram);
    if (n > rest.size()) return "data with a program cut off";
    fresh[key].bytes = std::make_shared<const std::vector<uint8_t>>(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(n));
    rest = rest.subspan(static_cast<size_t>(n));
  }
  if (!rest.empty()) return "data with bytes left over";
  std::lock_guard lock(mutex_);
  for (auto& [key, entry] : fresh) insert(key, std::move(entry));
  return nullptr;
}

bool ProgramCache::save(const Header& header, size_t& size, uint8_t* out) {
  std::lock_guard lock(mutex_);
  size_t need = entries_.empty() ? kHeader : kFirst;
  for (auto& [key, e] : entries_) {
    if (!e.bytes) e.bytes = std::make_shared<const std::vector<uint8_t>>(compiler::write_program(*e.program, chip_));
    need += kPerProgram + e.bytes->size();
  }
  if (!out) {
    size = need;
    return true;
  }
  const size_t room = size;
  size = 0;
  if (room < kHeader) return false;
  std::copy(header.begin(), header.end(), out);
  size = kHeader;
  if (entries_.empty()) return true;
  if (room < kFirst) return false;
  size_t at = kFirst;
  uint32_t programs = 0;
  for (const auto& [key, e] : entries_) {
    if (kPerProgram + e.bytes->size() > room - at) continue;
    std::copy(key.begin(), key.end(), out + at);
    put(out + at + key.size(), e.bytes->size(), 4);
    std::copy(e.bytes->begin(), e.bytes->end(), out + at + kPerProgram);
    at += kPerProgram + e.bytes->size();
    ++programs;
  }
  std::memcpy(out + kHeader, kMagic, sizeof kMagic);
  put(out + kHeader + 8, kLayout, 4);
  put(out + kHeader + 12, programs, 4);
  put(out + kHeader + 16, at - kFirst, 8);
  const compiler::Digest d = guard({out, at});
  std::copy(d.begin(), d.end(), out + kDigestAt);
  size = at;
  return programs == entries_.size();
}

}  // namespace pumice::icd
