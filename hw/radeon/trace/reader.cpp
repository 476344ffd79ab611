// SPDX-License-Identifier: MIT
/// See reader.h.
#include "hw/radeon/trace/reader.h"

#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>

namespace pumice::hw::trace {

namespace {

/// Words that a payload must have; 0: there is no such kind.
uint32_t least_words(Kind kind) {
  switch (kind) {
    case Kind::map:
    case Kind::unmap:
    case Kind::packet:
    case Kind::host_register:
    case Kind::clock: return 2;
    case Kind::write:
    case Kind::wait:
    case Kind::reset:
    case Kind::note:
    case Kind::close: return 1;
    case Kind::end: return 4;
  }
  return 0;
}

}  // namespace

std::unique_ptr<Reader> Reader::open(const std::string& path, std::string& error) {
  std::unique_ptr<Reader> r(new Reader);
  r->file_ = std::fopen(path.c_str(), "rb");
  if (!r->file_) {
    error = path + ": " + std::strerror(errno);
    return nullptr;
  }
  const auto wrong = [&](const std::string& why) {
    error = path + ": " + why;
    return nullptr;
  };
  std::error_code no_size;
  const auto size = std::filesystem::file_size(path, no_size);
  r->file_bytes_ = no_size ? 0 : size;
  Header& h = r->header_;
  if (std::fread(&h, 1, sizeof h, r->file_) != sizeof h || std::memcmp(h.magic, kMagic, sizeof kMagic) != 0)
    return wrong(std::memcmp(h.magic, "RDPDUMP", 7) == 0 ? "a recording of the RDP: pumice-rdp play reads it" : "not a Pumice trace");
  if (h.version != kVersion)
    return wrong("a trace of version " + std::to_string(h.version) + ", this program reads version " + std::to_string(kVersion));
  if (h.bytes != sizeof h || h.digest != digest_of(&h, offsetof(Header, digest))) return wrong("the header is damaged");
  const auto* chip =
      std::find_if(std::begin(kCapabilities), std::end(kCapabilities), [&](const Capabilities& c) { return c.trace == h.profile; });
  if (chip == std::end(kCapabilities)) return wrong("a trace of an unknown chip, " + std::to_string(h.profile));
  if (h.page != kPageBytes) return wrong("a trace with pages of " + std::to_string(h.page) + " bytes");
  r->profile_ = static_cast<Profile>(chip - std::begin(kCapabilities));
  return r;
}

Reader::~Reader() {
  if (file_) std::fclose(file_);
}

bool Reader::fail(const std::string& why) {
  damage_ = "block " + std::to_string(block_) + ": " + why;
  ended_ = true;
  return false;
}

bool Reader::load_block() {
  if (ended_) return false;
  BlockHead head;
  const size_t got = std::fread(&head, 1, sizeof head, file_);
  if (got != sizeof head) {
    truncated_ = got != 0;
    block_ += truncated_;
    ended_ = true;
    return false;
  }
  ++block_;
  read_bytes_ += sizeof head + head.stored_bytes;
  if (head.magic != kBlockMagic) return fail("no block begins here");
  if (head.raw_bytes == 0 || head.raw_bytes > kMaxBlock || head.raw_bytes % 4 || head.stored_bytes > ZSTD_compressBound(kMaxBlock))
    return fail("impossible sizes");
  stored_.resize(head.stored_bytes);
  if (std::fread(stored_.data(), 1, stored_.size(), file_) != stored_.size()) {
    truncated_ = ended_ = true;
    return false;
  }
  raw_.resize(head.raw_bytes / 4);
  const size_t n = ZSTD_decompress(raw_.data(), head.raw_bytes, stored_.data(), stored_.size());
  if (ZSTD_isError(n) || n != head.raw_bytes) return fail("cannot be unpacked");
  if (digest_of(raw_.data(), head.raw_bytes) != head.digest) return fail("wrong digest");
  raw_bytes_ = head.raw_bytes;
  at_ = 0;
  return true;
}

const Record* Reader::peek() {
  if (have_) return &record_;
  if (at_ == raw_bytes_ && !load_block()) return nullptr;
  const auto bad = [&](const char* why) -> const Record* {
    fail(why);
    at_ = raw_bytes_ = 0;
    return nullptr;
  };
  RecordHead head;
  if (raw_bytes_ - at_ < sizeof head) return bad("a record is cut off");
  std::memcpy(&head, &raw_[at_ / 4], sizeof head);
  at_ += sizeof head;
  if (head.bytes > raw_bytes_ - at_) return bad("a record is cut off");
  const uint32_t least = least_words(static_cast<Kind>(head.kind));
  if (least == 0) return bad("a record of an unknown kind");
  if (head.bytes < least * 4) return bad("a record is too short");
  const size_t words = (size_t{head.bytes} + 3) / 4;
  record_ = {static_cast<Kind>(head.kind), head.bytes, std::span(raw_).subspan(at_ / 4, words)};
  at_ += words * 4;
  have_ = true;
  return &record_;
}

}  // namespace pumice::hw::trace
