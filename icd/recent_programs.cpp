// SPDX-License-Identifier: MIT
#include "icd/recent_programs.h"

#include <bit>
#include <cstring>

#include "icd/shader_codes.h"

namespace pumice::icd {
namespace {

constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
uint64_t mix(uint64_t h, uint64_t x) { return std::rotl(h ^ x, 29) * kFactor; }

/// Four sums side by side, 32 bytes per step.
uint64_t hash_of(const void* data, size_t bytes) {
  const auto* p = static_cast<const uint8_t*>(data);
  uint64_t lane[4] = {bytes, 1, 2, 3};
  for (; bytes >= 32; bytes -= 32, p += 32) {
    uint64_t x[4];
    std::memcpy(x, p, sizeof x);
    for (int i = 0; i < 4; ++i) lane[i] = mix(lane[i], x[i]);
  }
  uint64_t x[4]{};
  if (bytes) std::memcpy(x, p, bytes);
  uint64_t h = 0;
  for (int i = 0; i < 4; ++i) h = mix(h, mix(lane[i], x[i]));
  return h ^ h >> 32;
}

}  // namespace

ShaderCode::ShaderCode(std::span<const uint32_t> code) : ShaderCode(code, hash_of(code.data(), code.size_bytes())) {}

std::shared_ptr<const ShaderCode> ShaderCodes::get(std::span<const uint32_t> words) {
  const uint64_t hash = hash_of(words.data(), words.size_bytes());
  std::lock_guard lock(mutex_);
  std::weak_ptr<const ShaderCode>& place = places_[hash % kPlaces];
  if (std::shared_ptr<const ShaderCode> known = place.lock())
    if (known->hash == hash && known->words.size() == words.size() && !std::memcmp(known->words.data(), words.data(), words.size_bytes()))
      return known;
  auto code = std::make_shared<const ShaderCode>(words, hash);
  place = code;
  return code;
}

const compiler::Digest& ShaderCode::digest() const {
  std::call_once(once_, [this] { digest_ = compiler::digest(words); });
  return digest_;
}

RecentPrograms::Source::Source(CodePtr v, CodePtr f, std::vector<uint8_t> r)
    : vertex(std::move(v)), fragment(std::move(f)), rest(std::move(r)), hash(hash_of(rest.data(), rest.size())) {
  hash = mix(hash, vertex->hash);
  if (fragment) hash = mix(hash, fragment->hash);
}

bool RecentPrograms::Source::operator==(const Source& o) const {
  const auto same = [](const CodePtr& a, const CodePtr& b) { return a == b || (a && b && a->hash == b->hash && a->words == b->words); };
  return hash == o.hash && rest == o.rest && same(vertex, o.vertex) && same(fragment, o.fragment);
}

size_t RecentPrograms::Source::bytes() const {
  return rest.size() + vertex->words.size() * 4 + (fragment ? fragment->words.size() * 4 : 0);
}

RecentPrograms::ProgramPtr RecentPrograms::find(const Source& source) {
  std::lock_guard lock(mutex_);
  const auto at = by_hash_.find(source.hash);
  if (at == by_hash_.end() || !(at->second->source == source)) return nullptr;
  entries_.splice(entries_.begin(), entries_, at->second);
  return at->second->program;
}

void RecentPrograms::drop(Entries::iterator entry) {
  bytes_ -= entry->source.bytes();
  by_hash_.erase(entry->source.hash);
  entries_.erase(entry);
}

void RecentPrograms::add(Source source, ProgramPtr program) {
  std::lock_guard lock(mutex_);
  if (const auto at = by_hash_.find(source.hash); at != by_hash_.end()) drop(at->second);
  bytes_ += source.bytes();
  entries_.push_front({std::move(source), std::move(program)});
  by_hash_[entries_.front().source.hash] = entries_.begin();
  while (entries_.size() > most_programs_ || (bytes_ > most_bytes_ && entries_.size() > 1)) drop(std::prev(entries_.end()));
}

}  // namespace pumice::icd
