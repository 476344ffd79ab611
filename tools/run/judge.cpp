// SPDX-License-Identifier: MIT
#include "tools/run/judge.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace pumice::run {
namespace {

constexpr unsigned kSeconds = 20;  ///< for all invocations of a shader
constexpr const char* kRuntime =
#include "tools/run/judge_runtime.inc"
    ;

/// A folder that goes with the object.
class Folder {
 public:
  Folder() {
    const char* base = std::getenv("TMPDIR");
    std::string name = std::string(base && *base ? base : "/tmp") + "/pumice-run-XXXXXX";
    if (mkdtemp(name.data())) path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A module's C++ in a namespace of its own, without what belongs to SPIRV-Cross' own runtime, and the function that runs it.
std::string in_namespace(const Module& m, size_t n) {
  std::istringstream in(m.cpp);
  std::string line, body, undefine;
  while (std::getline(in, line)) {
    if (line.starts_with("spirv_cross_shader_t")) break;
    if (line.starts_with("#include") || line.starts_with("using namespace")) continue;
    if (line.find("s.register_push_constant(") != std::string::npos) continue;  // names a variable that is not there
    if (line.starts_with("#define ")) undefine += "#undef " + line.substr(8, line.find(' ', 8) - 8) + "\n";
    body += line + "\n";
  }
  std::string fill;
  for (size_t b = 0; b < m.blocks.size(); ++b) {
    const Block& block = m.blocks[b];
    for (const Leaf& leaf : block.leaves)
      fill += "    put(r." + block.cpp + (block.push ? "" : "__") + ".value." + leaf.path + ", block[" + std::to_string(b) + "] + " +
              std::to_string(leaf.offset) + ", " + std::to_string(leaf.stride) + ", " + (leaf.row_major ? "true" : "false") + ");\n";
  }
  const std::string id = std::to_string(n), shader = "shader_" + id + "::Impl::Shader";
  return "namespace shader_" + id + " {\n" + body + "}\n" + undefine + "extern \"C\" void run_" + id +
         "(const float (*in)[16][4], const unsigned char* const* block, float (*out)[18][4], unsigned char* killed, const float "
         "(*place)[5]) "
         "{\n  (void)block;\n  run_quad<" +
         shader + ", " + shader + "::Resources>(in, out, killed, place, [&](" + shader + "::Resources& r) {\n    (void)r;\n" + fill +
         "  });\n}\n";
}

/// Gives modules that the compiler's messages name their `no_judge`; false: none is named, and `first` is the first message.
bool blame(const std::filesystem::path& messages, std::span<Module> modules, std::string& first) {
  std::ifstream errors(messages);
  std::string line;
  bool any = false;
  // Inside a template the place in the module follows: "required from here".
  const std::regex at("module_(\\d+):\\d+(?::\\d+)?: +(?:(?:fatal )?error: (.*)|required from.*)");
  std::smatch match;
  while (std::getline(errors, line)) {
    if (first.empty() || (first.find("error") == std::string::npos && line.find("error") != std::string::npos)) first = line;
    if (!std::regex_search(line, match, at)) continue;
    Module& m = modules[std::stoul(match[1])];
    if (!m.no_judge.empty()) continue;
    m.no_judge = "its C++ does not compile: " + (match[2].length() ? match[2].str() : first);
    any = true;
  }
  return any;
}

}  // namespace

std::unique_ptr<Judge> Judge::build(std::span<Module> modules, std::string& error) {
  static_assert(kLocations == 16 && kSlots == 18);  // judge_runtime.inc
  const Folder folder;
  if (folder.path().empty()) {
    error = std::string("no folder for the C++: ") + std::strerror(errno);
    return nullptr;
  }
  const std::filesystem::path source = folder.path() / "judge.cpp", library = folder.path() / "judge.so",
                              messages = folder.path() / "messages";
  const char* chosen = std::getenv("CXX");
  const std::string compiler = chosen && *chosen ? chosen : "c++";
  const std::string command = "LC_ALL=C " + compiler + " -std=c++17 -w -O0 -ffp-contract=off -fPIC -shared -o '" + library.string() +
                              "' '" + source.string() + "' 2> '" + messages.string() + "'";
  // All in one translation unit: most of the time is glm's. What does not compile is left out in the next attempt.
  for (bool again = true; again;) {
    {
      std::ofstream file(source);
      file << kRuntime;
      for (size_t i = 0; i < modules.size(); ++i)
        if (modules[i].no_judge.empty()) file << "#line 1 \"module_" << i << "\"\n" << in_namespace(modules[i], i);
    }
    if (std::system(command.c_str()) == 0) break;
    std::string first;
    again = blame(messages, modules, first);
    if (!again) {
      error = compiler + ": " + (first.empty() ? "failed without a message" : first);
      return nullptr;
    }
  }
  std::unique_ptr<Judge> judge(new Judge);
  judge->library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!judge->library_) {
    error = std::string("the C++ of the shaders cannot be loaded: ") + dlerror();
    return nullptr;
  }
  judge->sample_as_ = reinterpret_cast<decltype(judge->sample_as_)>(dlsym(judge->library_, "sample_as"));
  for (size_t i = 0; i < modules.size(); ++i) {
    judge->functions_.push_back(modules[i].no_judge.empty() ? dlsym(judge->library_, ("run_" + std::to_string(i)).c_str()) : nullptr);
    if (!judge->functions_.back() && modules[i].no_judge.empty()) modules[i].no_judge = "its function is not in the library";
  }
  return judge;
}

Judge::~Judge() {
  if (library_) dlclose(library_);
}

namespace {

/// What an evaluation leaves behind, in memory that a child process shares.
struct Shared {
  size_t bytes;
  void* memory;
  explicit Shared(size_t n) : bytes(n), memory(mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  ~Shared() {
    if (memory != MAP_FAILED) munmap(memory, bytes);
  }
  Shared(const Shared&) = delete;
};

}  // namespace

Results Judge::run(size_t n, const Inputs& inputs, std::string& error) const {
  using Function = void (*)(const float(*)[16][4], const unsigned char* const*, float(*)[18][4], unsigned char*, const float(*)[5]);
  const auto function = reinterpret_cast<Function>(functions_.at(n));
  std::vector<const unsigned char*> blocks;
  for (const auto& b : inputs.blocks) blocks.push_back(b.data());
  const Shared shared(inputs.invocations * (sizeof(Result) + 1));
  if (shared.memory == MAP_FAILED) {
    error = std::strerror(errno);
    return {};
  }
  auto* value = static_cast<Result*>(shared.memory);
  auto* killed = reinterpret_cast<uint8_t*>(value + inputs.invocations);
  // In a process of its own: C++ may crash where SPIR-V gives some value (an index outside of an array), or never end.
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSeconds);
    const Sampling& s = inputs.sampling;
    sample_as_(int(s.width), int(s.height), s.linear, int(s.wrap));
    for (uint32_t first = 0; first < inputs.invocations; first += 4) {
      float place[4][5];
      for (uint32_t lane = 0; lane < 4; ++lane) {
        const uint32_t i = first + lane;
        const float values[5] = {float(pixel_x(i)), float(pixel_y(i)), kDepth, float(i), float(kInstance)};
        std::memcpy(place[lane], values, sizeof values);
      }
      function(reinterpret_cast<const float(*)[16][4]>(&inputs.values[first]), blocks.data(),
               reinterpret_cast<float(*)[18][4]>(&value[first]), &killed[first], place);
    }
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    error = std::strerror(errno);
  else if (WIFSIGNALED(status))
    error = WTERMSIG(status) == SIGALRM ? "its C++ does not end" : std::string("its C++ crashes: ") + strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status))
    error = "its C++ ends with status " + std::to_string(WEXITSTATUS(status));
  if (!error.empty()) return {};
  return {{value, value + inputs.invocations}, {killed, killed + inputs.invocations}};
}

}  // namespace pumice::run
