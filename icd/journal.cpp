// SPDX-License-Identifier: MIT
#include "icd/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <unordered_set>

#include "icd/debug.h"

namespace pumice::icd {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

class Journal {
 public:
  Journal() {
    const std::string& path = environment().log;
    if (path.empty()) return;
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd_ < 0 && !environment().on(Debug::quiet))
      std::fprintf(stderr, "pumice: PUMICE_LOG=%s: %s; nothing is logged\n", path.c_str(), std::strerror(errno));
  }
  bool open() const { return fd_ >= 0; }
  void write(const std::string& line) {
    constexpr size_t kMostLines = 10000;  // bounds the set: an application may make any number of different requests
    std::lock_guard lock(mutex_);
    if (written_.size() >= kMostLines || !written_.insert(line).second) return;
    // One write: lines of several processes stay whole.
    for (const std::string whole = line + '\n'; ::write(fd_, whole.data(), whole.size()) < 0 && errno == EINTR;) {
    }
  }

 private:
  int fd_ = -1;
  std::mutex mutex_;
  std::unordered_set<std::string> written_;
};

/// Never destroyed: the queue's thread may still write while the process ends. Not allocated: loaders unload the driver with each
/// instance, and every time again some memory would be lost.
Journal& the_journal() {
  alignas(Journal) static std::byte place[sizeof(Journal)];
  static Journal& j = *new (place) Journal;
  return j;
}

}  // namespace

bool journal_wanted() { return the_journal().open(); }

void journal(const char* topic, std::string_view asked, std::string_view got, bool ok) {
  if (!journal_wanted()) return;
  the_journal().write("{\"pid\": " + std::to_string(::getpid()) + ", \"topic\": " + quoted(topic) + ", \"asked\": " + quoted(asked) +
                      ", \"got\": " + quoted(got) + ", \"ok\": " + (ok ? "true" : "false") + "}");
}

}  // namespace pumice::icd
