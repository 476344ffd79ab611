// SPDX-License-Identifier: MIT
/// pumice-trace: runs an application while the driver records (docs/trace.md), then says where the recordings lie and what reads them.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "hw/radeon/trace/format.h"

namespace pumice::hw::trace {

namespace {

namespace fs = std::filesystem;

constexpr char kHelp[] =
    "usage: pumice-trace [OPTIONS] [--] APP [ARGS...]\n"
    "Runs an application with the driver recording what the chip does, then says where the recording lies and what reads it.\n"
    "  -o FILE      the recording (default: APP.pmt here, or APP-2.pmt and so on if that exists)\n"
    "  --force      replace FILE if it exists\n"
    "  --limit MIB  end the recording when it is this large; the application goes on\n"
    "  --chip NAME  the chip: r5x, r500, r300, rdp or all (PUMICE_CHIP)\n"
    "Further devices of the application are recorded to FILE.1, FILE.2 and so on. The loader finds the driver as it always does; with\n"
    "VK_DRIVER_FILES from a build folder.\n"
    "Exit code: the application's (128 and the signal's number if one ended it); 2 for a wrong option or file, 3 if the application ended\n"
    "well and nothing was recorded, 127 if it cannot be started.\n";

constexpr int kUsage = 2, kNothing = 3, kCannotStart = 127;

struct Options {
  std::string out, limit, chip;
  bool force = false;
  std::vector<char*> command;  ///< ends with a null
};

/// 0: run the command. Otherwise the exit code.
int parse(int argc, char** argv, Options& o, bool& help) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") return help = true, 0;
    if (word == "--") {
      ++i;
      break;
    }
    if (word == "--force") {
      o.force = true;
      continue;
    }
    std::string* value = word == "-o" ? &o.out : word == "--limit" ? &o.limit : word == "--chip" ? &o.chip : nullptr;
    if (!value) return std::fprintf(stderr, "pumice-trace: unknown option '%s'; --help lists them\n", word.c_str()), kUsage;
    if (i + 1 == argc || !*argv[i + 1]) return std::fprintf(stderr, "pumice-trace: %s needs a value\n", word.c_str()), kUsage;
    *value = argv[++i];
  }
  if (!o.limit.empty() &&
      (o.limit.find_first_not_of("0123456789") != std::string::npos || std::strtoull(o.limit.c_str(), nullptr, 10) == 0))
    return std::fprintf(stderr, "pumice-trace: --limit %s: expected a number of MiB, at least 1\n", o.limit.c_str()), kUsage;
  for (; i < argc; ++i) o.command.push_back(argv[i]);
  if (o.command.empty()) return std::fprintf(stderr, "pumice-trace: which application? --help\n"), kUsage;
  o.command.push_back(nullptr);
  return 0;
}

/// The file to record to, absolute because applications change their folder. Empty after a message if it cannot be used.
fs::path choose_file(const Options& o) {
  std::error_code ignored;
  const std::string name = fs::path(o.command[0]).filename().string();
  fs::path file = o.out.empty() ? name + ".pmt" : o.out;
  if (o.out.empty())
    for (int n = 2; fs::exists(file, ignored); ++n) file = name + "-" + std::to_string(n) + ".pmt";
  file = fs::absolute(file, ignored);
  if (fs::exists(file, ignored) && !o.force)
    return std::fprintf(stderr, "pumice-trace: %s exists; --force replaces it\n", file.c_str()), fs::path();
  const bool existed = fs::exists(file, ignored);
  if (!std::ofstream(file, std::ios::app))
    return std::fprintf(stderr, "pumice-trace: %s: %s\n", file.c_str(), std::strerror(errno)), fs::path();
  if (!existed) fs::remove(file, ignored);
  return file;
}

/// Recordings of an earlier run would be taken for this one's.
void remove_old(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  for (int n = 1; fs::remove(file.string() + "." + std::to_string(n), ignored); ++n) {
  }
}

/// The application's exit code as a shell tells it.
int run(const Options& o, const fs::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("PUMICE_TRACE", file.c_str(), 1);
    if (!o.limit.empty()) setenv("PUMICE_TRACE_LIMIT", o.limit.c_str(), 1);
    if (!o.chip.empty()) setenv("PUMICE_CHIP", o.chip.c_str(), 1);
    execvp(o.command[0], o.command.data());
    std::fprintf(stderr, "pumice-trace: %s: %s\n", o.command[0], std::strerror(errno));
    _exit(kCannotStart);
  }
  if (child < 0) return std::fprintf(stderr, "pumice-trace: fork: %s\n", std::strerror(errno)), kCannotStart;
  // Ctrl-C reaches both: the application ends, what it leaves is told here.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// One line for the recording and one for each way on. False: there is no such file.
bool tell(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  char magic[sizeof kMagic] = {};
  in.read(magic, sizeof magic);
  std::error_code ignored;
  const double mib = double(fs::file_size(file, ignored)) / (1 << 20);
  const char* path = file.c_str();
  std::fprintf(stderr, "pumice-trace: %s, %.1f MiB\n", path, mib);
  if (std::memcmp(magic, kMagic, sizeof kMagic) == 0)
    std::fprintf(stderr,
                 "  pumice-replay %s                      plays it and compares\n"
                 "  pumice-replay %s --draw 1             one draw: registers, programs, targets\n"
                 "  pumice-inspect %s --frame 0 -o %s.html\n",
                 path, path, path, path);
  else
    std::fprintf(stderr, "  pumice-rdp play %s\n  pumice-inspect %s -o %s.html\n", path, path, path);
  return true;
}

int trace(int argc, char** argv) {
  Options o;
  bool help = false;
  if (const int code = parse(argc, argv, o, help)) return code;
  if (help) return std::fputs(kHelp, stdout), 0;
  const fs::path file = choose_file(o);
  if (file.empty()) return kUsage;
  remove_old(file);
  const int code = run(o, file);
  if (code == kCannotStart && !fs::exists(file)) return code;
  bool any = tell(file);
  for (int n = 1; tell(file.string() + "." + std::to_string(n)); ++n) any = true;
  if (any) return code;
  std::fprintf(
      stderr,
      "pumice-trace: nothing was recorded: the application made no device of this driver. `./pumice doctor APP` shows what it asked "
      "for; VK_DRIVER_FILES selects a driver that is not installed.\n");
  return code ? code : kNothing;
}

}  // namespace

}  // namespace pumice::hw::trace

int main(int argc, char** argv) { return pumice::hw::trace::trace(argc, argv); }
