// SPDX-License-Identifier: MIT
/// See shared_timeline.h.
#include "icd/shared_timeline.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace pumice::icd {

/// The contents of the file. Another process may have another build of the driver: `kind` changes with the layout.
struct SharedTimeline::Page {
  static constexpr uint64_t kKind = 0x31306C742D6D7570;  // "pum-tl01"
  std::atomic<uint64_t> kind;
  std::atomic<uint64_t> value;
  std::atomic<uint32_t> changes;  ///< the futex: counts changes of `value`
};

namespace {

constexpr uint64_t kBytes = 4096;
static_assert(std::atomic<uint64_t>::is_always_lock_free && sizeof(std::atomic<uint32_t>) == 4, "shared between processes");

void futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), operation, value, timeout, nullptr, 0);
}

}  // namespace

SharedTimeline::Page* SharedTimeline::map(int fd) {
  void* p = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return p == MAP_FAILED ? nullptr : static_cast<Page*>(p);
}

std::shared_ptr<const SharedTimeline> SharedTimeline::create(uint64_t value) {
  FileDescriptor file = make_memory_file(kBytes);
  Page* page = file ? map(file.get()) : nullptr;
  if (!page) return nullptr;
  page->value = value;
  page->kind = Page::kKind;
  return std::shared_ptr<const SharedTimeline>(new SharedTimeline(std::move(file), page));
}

std::shared_ptr<const SharedTimeline> SharedTimeline::import(int fd) {
  if (file_bytes(fd) != kBytes) return nullptr;
  Page* page = map(fd);
  if (!page) return nullptr;
  if (page->kind != Page::kKind) {
    munmap(page, kBytes);
    return nullptr;
  }
  return std::shared_ptr<const SharedTimeline>(new SharedTimeline(FileDescriptor(fd), page));
}

SharedTimeline::~SharedTimeline() { munmap(page_, kBytes); }

uint64_t SharedTimeline::value() const { return page_->value.load(std::memory_order_acquire); }

void SharedTimeline::reach(uint64_t n) const {
  for (uint64_t old = value(); old < n && !page_->value.compare_exchange_weak(old, n);) {
  }
  ++page_->changes;
  futex(page_->changes, FUTEX_WAKE, INT32_MAX, nullptr);
}

bool SharedTimeline::wait(uint64_t n, std::chrono::milliseconds patience) const {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const uint32_t seen = page_->changes;
    if (value() >= n) return true;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    const timespec timeout{static_cast<time_t>(left / 1000000000), static_cast<long>(left % 1000000000)};
    futex(page_->changes, FUTEX_WAIT, seen, &timeout);
  }
}

}  // namespace pumice::icd
