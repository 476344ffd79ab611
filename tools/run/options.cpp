// SPDX-License-Identifier: MIT
#include "tools/run/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pumice::run {
namespace {

constexpr const char* kUsage =
    "usage: pumice-run [options] FILE...\n"
    "Runs vertex and fragment shaders (GLSL, SPIR-V text or binary) for 64 invocations on the reference and on the fast executor of a "
    "chip, and compares:\n"
    "the executors to the bit, and the reference with C++ that SPIRV-Cross makes of the same module and this machine's compiler builds "
    "($CXX, else c++; glm).\n"
    "  --chip CHIP        r500 (default), r300 or r5x\n"
    "  --stage STAGE      of GLSL files whose name does not say: vert or frag\n"
    "  --inputs FILE      inputs and uniforms by name; what it leaves out, and all without it, is random\n"
    "  --seed N           of the random numbers (default 1)\n"
    "  --range LOW,HIGH   of the random numbers (default -2,2)\n"
    "  --ulp N            units in the last place that a result may be off (default 64), or\n"
    "  --absolute X       this much (default 1e-5); r300: 128 times as much, the unit of its fragment program's 24-bit numbers\n"
    "  --texture WxH[,linear][,repeat|mirror|clamp]\n"
    "                     size and sampler of every texture (default 4x4: nearest, repeated; at most 2048x2048); linear: --absolute is "
    "2^-7 at\n"
    "                     least, sampler2DShadow stays nearest\n"
    "  --cpu SET          instruction set of the fast executor: portable, avx2, avx512 (default: the best) or all that this processor has\n"
    "  --values           all results\n"
    "  --cpp              inputs, uniforms, and the C++\n"
    "  --quiet            only what is not the same, and the sum\n"
    "  --table FILE       a row per shader: slots, temps, pairs, levels of indirection, or why it is refused\n"
    "  --flip S,W,B       bit B of word W of slot S of the fast executor's microcode is inverted: what a difference looks like\n"
    "  --flip-both S,W,B  the same in that of both: what the C++ finds\n"
    "Lines of a GLSL file's head say the same for that file: '// range: LOW HIGH', '// precision: ULP ABSOLUTE', '// r300: ULP ABSOLUTE',\n"
    "'// texture: WxH linear clamp'.\n"
    "A line of --inputs is 'NAME NUMBER...', or 'invocation N': what follows is for that one; '#' begins a remark.\n"
    "Exit status: 0 all the same, 1 something differs, is refused or could not be judged, 2 wrong usage or unreadable file.\n";

constexpr const char* kCpuNames[hw::fast::kCpus] = {"portable", "avx2", "avx512"};

/// "WxH", then perhaps "linear", and "repeat", "mirror" or "clamp"; words end at commas or blanks.
bool read_sampling(std::string text, Sampling& s) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::string word;
  char rest = 0;
  Sampling read;
  if (!(words >> word) || std::sscanf(word.c_str(), "%ux%u%c", &read.width, &read.height, &rest) != 2) return false;
  if (read.width - 1 >= kMostTexels || read.height - 1 >= kMostTexels) return false;
  while (words >> word) {
    using Wrap = Sampling::Wrap;
    if (word == "linear")
      read.linear = true;
    else if (word == "repeat" || word == "mirror" || word == "clamp")
      read.wrap = word == "repeat" ? Wrap::repeat : word == "mirror" ? Wrap::mirror : Wrap::clamp;
    else
      return false;
  }
  s = read;
  return true;
}

bool wrong(const std::string& text) {
  std::fprintf(stderr, "pumice-run: %s\n", text.c_str());
  return false;
}

}  // namespace

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--help" || arg == "-h") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    }
    if (arg == "--values" || arg == "--cpp" || arg == "--quiet") {
      (arg == "--values" ? o.values : arg == "--cpp" ? o.cpp : o.quiet) = true;
      continue;
    }
    if (!arg.starts_with("-")) {
      o.files.push_back(arg);
      continue;
    }
    if (i + 1 == argc) return wrong(arg + ": unknown option, or without its value");
    const std::string value = argv[++i];
    char rest = 0;
    bool good = true;
    if (arg == "--chip") {
      o.chip = value;
      good = value == "r500" || value == "r300" || value == "r5x";
    } else if (arg == "--stage") {
      o.stage = value;
      good = value == "vert" || value == "frag";
    } else if (arg == "--inputs") {
      o.inputs = value;
    } else if (arg == "--table") {
      o.table = value;
    } else if (arg == "--seed") {
      good = std::sscanf(value.c_str(), "%u%c", &o.seed, &rest) == 1;
    } else if (arg == "--range") {
      good = std::sscanf(value.c_str(), "%f,%f%c", &o.low, &o.high, &rest) == 2 && o.low < o.high;
    } else if (arg == "--ulp") {
      good = std::sscanf(value.c_str(), "%u%c", &o.tolerance.ulp, &rest) == 1;
    } else if (arg == "--absolute") {
      good = std::sscanf(value.c_str(), "%f%c", &o.tolerance.absolute, &rest) == 1 && o.tolerance.absolute >= 0;
    } else if (arg == "--texture") {
      good = read_sampling(value, o.sampling);
    } else if (arg == "--flip" || arg == "--flip-both") {
      Flip f;
      f.both = arg == "--flip-both";
      good = std::sscanf(value.c_str(), "%u,%u,%u%c", &f.slot, &f.word, &f.bit, &rest) == 3;
      o.flip = f;
    } else if (arg == "--cpu") {
      o.cpus.clear();
      for (int c = 0; c < hw::fast::kCpus; ++c) {
        if (value != "all" && value != kCpuNames[c]) continue;
        if (hw::fast::runs(hw::fast::Cpu(c)))
          o.cpus.push_back(hw::fast::Cpu(c));
        else if (value != "all")
          return wrong("--cpu " + value + ": this processor lacks it");
      }
      good = !o.cpus.empty();
    } else {
      return wrong(arg + ": unknown option");
    }
    if (!good) return wrong(arg + " " + value + ": see --help");
  }
  if (o.files.empty()) std::fputs(kUsage, stderr);
  return !o.files.empty();
}

Demands demands_of(const std::string& file, const Options& o, bool fp24) {
  Demands d{o.low, o.high, o.tolerance, o.sampling};
  Tolerance own;
  bool exact = false;
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i < 8 && std::getline(in, line); ++i) {
    std::sscanf(line.c_str(), "// range: %f %f", &d.low, &d.high);
    std::sscanf(line.c_str(), "// precision: %u %f", &d.tolerance.ulp, &d.tolerance.absolute);
    constexpr std::string_view kTexture = "// texture: ";
    if (line.starts_with(kTexture) && !read_sampling(line.substr(kTexture.size()), d.sampling)) d.wrong = line;
    exact |= std::sscanf(line.c_str(), "// r300: %u %f", &own.ulp, &own.absolute) == 2;
  }
  if (d.sampling.linear) d.tolerance.absolute = std::max(d.tolerance.absolute, kFilterError);
  if (fp24) d.tolerance = exact ? own : d.tolerance.for_fp24();
  return d;
}

}  // namespace pumice::run
