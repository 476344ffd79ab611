// SPDX-License-Identifier: MIT
/// What perf and gdb are told of generated routines: the lines of /tmp/perf-PID.map, and the object files of gdb's JIT interface, read as
/// gdb reads them.
#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "hw/radeon/jit/lane/routine.h"
#include "tests/hw/fast/lane/random_program.h"

/// The names and layouts are gdb's ("JIT Compilation Interface" of its manual).
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
extern jit_descriptor __jit_debug_descriptor;
}

namespace pumice::hw::fast::lane {
namespace {

struct Symbol {
  std::string name;
  uint64_t address, size;
};

/// The function symbols of an object file in memory.
std::vector<Symbol> symbols(const jit_code_entry& entry) {
  const auto header = reinterpret_cast<const Elf64_Ehdr*>(entry.symfile_addr);
  EXPECT_EQ(0, std::memcmp(header->e_ident, ELFMAG, SELFMAG));
  EXPECT_LE(header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr), entry.symfile_size);
  const auto section = reinterpret_cast<const Elf64_Shdr*>(entry.symfile_addr + header->e_shoff);
  std::vector<Symbol> found;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (section[i].sh_type != SHT_SYMTAB) continue;
    EXPECT_LE(section[i].sh_offset + section[i].sh_size, entry.symfile_size);
    const auto table = reinterpret_cast<const Elf64_Sym*>(entry.symfile_addr + section[i].sh_offset);
    const char* names = entry.symfile_addr + section[section[i].sh_link].sh_offset;
    for (size_t k = 0; k < section[i].sh_size / sizeof *table; ++k)
      if (ELF64_ST_TYPE(table[k].st_info) == STT_FUNC)
        found.push_back({names + table[k].st_name, section[table[k].st_shndx].sh_addr + table[k].st_value, table[k].st_size});
  }
  return found;
}

std::vector<Symbol> told_gdb() {
  std::vector<Symbol> all;
  for (const jit_code_entry* e = __jit_debug_descriptor.first_entry; e; e = e->next_entry) {
    EXPECT_EQ(e->next_entry ? e->next_entry->prev_entry : e, e);
    for (const Symbol& s : symbols(*e)) all.push_back(s);
  }
  return all;
}

std::shared_ptr<const Code> routine(const std::string& name, CodeNames names) { return assemble(Maker(1).make(), best_cpu(), name, names); }

class Routines : public testing::Test {
  void SetUp() override {
    if (best_cpu() == Cpu::portable) GTEST_SKIP() << "no generated routines on this processor";
  }
};

TEST_F(Routines, GdbSeesARoutineWhileItLives) {
  const auto first = routine("first", {.gdb = true});
  ASSERT_EQ(told_gdb().size(), 1u);
  {
    const auto second = routine("second", {.gdb = true}), silent = routine("silent", {});
    const auto seen = told_gdb();
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].name, "second");
    EXPECT_EQ(seen[0].address, reinterpret_cast<uintptr_t>(second->function()));
    EXPECT_EQ(seen[0].size, second->size());
  }
  const auto seen = told_gdb();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].name, "first");
  EXPECT_EQ(seen[0].address, reinterpret_cast<uintptr_t>(first->function()));
}

TEST_F(Routines, LongNamesAreCut) {
  const auto code = routine(std::string(1000, 'x'), {.gdb = true});
  ASSERT_EQ(told_gdb().size(), 1u);
  const std::string name = told_gdb()[0].name;
  EXPECT_GT(name.size(), 100u);
  EXPECT_EQ(name, std::string(name.size(), 'x'));
}

TEST_F(Routines, PerfReadsAddressSizeAndName) {
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::remove(path.c_str());
  const auto code = routine("shade", {.perf = true}), silent = routine("silent", {});
  std::ifstream map(path);
  std::stringstream text, expected;
  text << map.rdbuf();
  expected << std::hex << reinterpret_cast<uintptr_t>(code->function()) << ' ' << code->size() << " shade\n";
  EXPECT_EQ(text.str(), expected.str());
  std::remove(path.c_str());
}

TEST_F(Routines, CodeIsNeverWritableAndExecutable) {
  const auto code = routine("code", {});
  std::ifstream maps("/proc/self/maps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from, to;
    char access[5];
    ASSERT_EQ(std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, access), 3) << line;
    EXPECT_FALSE(access[1] == 'w' && access[2] == 'x') << line;
    const auto address = reinterpret_cast<uintptr_t>(code->function());
    if (address < from || address >= to) continue;
    found = true;
    EXPECT_STREQ(access, "r-xp");
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace pumice::hw::fast::lane
