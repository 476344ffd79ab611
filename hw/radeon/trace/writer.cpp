// SPDX-License-Identifier: MIT
/// See writer.h.
#include "hw/radeon/trace/writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>

namespace pumice::hw::trace {

namespace {

constexpr int kLevel = 1;
constexpr size_t kFull = 1u << 20;
/// Kept free below the limit for the record that says so.
constexpr uint64_t kReserve = 256;
constexpr uint32_t kMostNames = 10000;

/// Locked for as long as the recording runs: two devices or two processes never share a file. -1: not to be had, errno says why
/// (EWOULDBLOCK: another recording uses the file).
int open_locked(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return -1;
  struct stat info {};
  if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) return fd;  // a pipe or /dev/null: nothing to share
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(fd, 0) == 0) return fd;
  const int why = errno;
  ::close(fd);
  errno = why;
  return -1;
}

}  // namespace

struct Writer::Compressor {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ~Compressor() { ZSTD_freeCCtx(context); }
};

std::unique_ptr<Writer> Writer::create(const std::string& path, uint32_t first, uint64_t limit, Profile profile, uint64_t instruction_limit,
                                       std::string& error) {
  std::unique_ptr<Writer> w(new Writer);
  for (uint32_t i = first; i < first + kMostNames && w->fd_ < 0; ++i) {
    w->path_ = i ? path + "." + std::to_string(i) : path;
    w->fd_ = open_locked(w->path_);
    if (w->fd_ < 0 && errno != EWOULDBLOCK) break;
  }
  if (w->fd_ < 0) {
    error = w->path_ + ": " + std::strerror(errno);
    return nullptr;
  }
  w->owner_ = getpid();
  w->limit_ = limit;
  w->compressor_ = std::make_unique<Compressor>();
  Header h{};
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.version = kVersion;
  h.bytes = sizeof h;
  h.profile = capabilities(profile).trace;
  h.page = static_cast<uint32_t>(kPageBytes);
  h.instruction_limit = instruction_limit;
  h.digest = digest_of(&h, offsetof(Header, digest));
  if (!w->compressor_->context || !w->append(&h, sizeof h)) {
    error = w->error_.empty() ? "out of memory" : w->error_;
    return nullptr;
  }
  return w;
}

Writer::~Writer() { close(); }

bool Writer::fail(const std::string& why) {
  if (fd_ < 0) return false;
  error_ = path_ + ": " + why;
  // Never a partial block: readers take the end of the last complete block as the end of the file.
  if (ftruncate(fd_, static_cast<off_t>(size_)) != 0) error_ += "; the file ends in a broken block";
  ::close(fd_);
  fd_ = -1;
  return false;
}

bool Writer::append(const void* data, size_t size) {
  const auto* at = static_cast<const char*>(data);
  for (size_t left = size; left > 0;) {
    const ssize_t n = ::write(fd_, at, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(n == 0 ? "nothing more can be written" : std::strerror(errno));
    at += n;
    left -= static_cast<size_t>(n);
  }
  size_ += size;
  return true;
}

bool Writer::record(Kind kind, std::span<const uint32_t> numbers, std::span<const std::byte> bytes) {
  if (fd_ < 0) return false;
  const RecordHead head{static_cast<uint32_t>(kind), static_cast<uint32_t>(numbers.size_bytes() + bytes.size())};
  const auto put = [&](const void* data, size_t size) {
    const auto* p = static_cast<const std::byte*>(data);
    raw_.insert(raw_.end(), p, p + size);
  };
  put(&head, sizeof head);
  put(numbers.data(), numbers.size_bytes());
  put(bytes.data(), bytes.size());
  raw_.resize((raw_.size() + 3) & ~size_t{3});
  return raw_.size() < kFull || flush();
}

bool Writer::flush() {
  if (fd_ < 0) return false;
  if (raw_.empty()) return true;
  if (getpid() != owner_) {  // the parent's recording
    ::close(fd_);
    fd_ = -1;
    return false;
  }
  stored_.resize(sizeof(BlockHead) + ZSTD_compressBound(raw_.size()));
  const size_t packed = ZSTD_compressCCtx(compressor_->context, stored_.data() + sizeof(BlockHead), stored_.size() - sizeof(BlockHead),
                                          raw_.data(), raw_.size(), kLevel);
  if (ZSTD_isError(packed)) return fail(ZSTD_getErrorName(packed));
  const BlockHead head{kBlockMagic, static_cast<uint32_t>(raw_.size()), static_cast<uint32_t>(packed), 0,
                       digest_of(raw_.data(), raw_.size())};
  std::memcpy(stored_.data(), &head, sizeof head);
  raw_.clear();
  const size_t size = sizeof head + packed;
  if (limit_ && size_ + size + kReserve > limit_) {
    limit_ = 0;
    const uint32_t why = static_cast<uint32_t>(Close::size_limit);
    return record(Kind::close, {&why, 1}) && flush() && fail("the size limit is reached");
  }
  return append(stored_.data(), size);
}

void Writer::close() {
  if (fd_ < 0) return;
  const uint32_t why = static_cast<uint32_t>(Close::complete);
  if (!record(Kind::close, {&why, 1}) || !flush()) return;
  ::close(fd_);
  fd_ = -1;
}

}  // namespace pumice::hw::trace
