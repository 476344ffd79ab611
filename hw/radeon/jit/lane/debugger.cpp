// SPDX-License-Identifier: MIT
/// See debugger.h. gdb stops at __jit_debug_register_code and reads an object file in memory: here an ELF with one section where the code
/// is and one function symbol. The list of them is the one thing of the process that both sides must know by name, hence global.
#include "hw/radeon/jit/lane/debugger.h"

#include <elf.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <mutex>

extern "C" {
struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};
__attribute__((used)) jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
__attribute__((noinline, used)) void __jit_debug_register_code() { asm volatile("" ::: "memory"); }
}

namespace pumice::hw::fast::lane {
namespace {

std::mutex gdb_list;
enum : uint32_t { kRegister = 1, kUnregister = 2 };

void announce(uint32_t action, jit_code_entry* entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
}

struct Object {
  Elf64_Ehdr header{};
  Elf64_Shdr section[5]{};  ///< null, .text, .symtab, .strtab, .shstrtab
  Elf64_Sym symbol[2]{};
  char names[48] = "\0.text\0.symtab\0.strtab\0.shstrtab";
  char strings[128]{};
};

}  // namespace

void tell_perf(const void* address, size_t size, const std::string& name) {
  char path[64];
  std::snprintf(path, sizeof path, "/tmp/perf-%d.map", int(getpid()));
  if (FILE* f = std::fopen(path, "a")) {
    std::fprintf(f, "%lx %zx %s\n", static_cast<unsigned long>(reinterpret_cast<uintptr_t>(address)), size, name.c_str());
    std::fclose(f);
  }
}

struct GdbSymbol::Entry {
  jit_code_entry list{};
  Object object;
};

GdbSymbol::GdbSymbol(const void* address, size_t size, const std::string& name) : entry_(std::make_unique<Entry>()) {
  Object& o = entry_->object;
  std::memcpy(o.header.e_ident, ELFMAG, SELFMAG);
  o.header.e_ident[EI_CLASS] = ELFCLASS64;
  o.header.e_ident[EI_DATA] = ELFDATA2LSB;
  o.header.e_ident[EI_VERSION] = EV_CURRENT;
  o.header.e_type = ET_REL;
  o.header.e_machine = EM_X86_64;
  o.header.e_version = EV_CURRENT;
  o.header.e_shoff = offsetof(Object, section);
  o.header.e_ehsize = sizeof(Elf64_Ehdr);
  o.header.e_shentsize = sizeof(Elf64_Shdr);
  o.header.e_shnum = 5;
  o.header.e_shstrndx = 4;
  const auto section = [&](int i, uint32_t name_at, uint32_t type, size_t offset, size_t length) {
    o.section[i].sh_name = name_at, o.section[i].sh_type = type, o.section[i].sh_offset = offset, o.section[i].sh_size = length;
    o.section[i].sh_addralign = 8;
  };
  section(1, 1, SHT_NOBITS, 0, size);
  o.section[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  o.section[1].sh_addr = reinterpret_cast<uintptr_t>(address);
  section(2, 7, SHT_SYMTAB, offsetof(Object, symbol), sizeof o.symbol);
  o.section[2].sh_entsize = sizeof(Elf64_Sym);
  o.section[2].sh_link = 3;
  o.section[2].sh_info = 1;  // the first global symbol
  section(3, 15, SHT_STRTAB, offsetof(Object, strings), sizeof o.strings);
  section(4, 23, SHT_STRTAB, offsetof(Object, names), sizeof o.names);
  std::memcpy(o.strings + 1, name.data(), std::min(name.size(), sizeof o.strings - 2));
  o.symbol[1].st_name = 1;
  o.symbol[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  o.symbol[1].st_shndx = 1;
  o.symbol[1].st_size = size;

  jit_code_entry& e = entry_->list;
  e.symfile_addr = reinterpret_cast<const char*>(&o);
  e.symfile_size = sizeof o;
  const std::lock_guard lock(gdb_list);
  e.next_entry = __jit_debug_descriptor.first_entry;
  if (e.next_entry) e.next_entry->prev_entry = &e;
  __jit_debug_descriptor.first_entry = &e;
  announce(kRegister, &e);
}

GdbSymbol::~GdbSymbol() {
  const std::lock_guard lock(gdb_list);
  jit_code_entry& e = entry_->list;
  (e.prev_entry ? e.prev_entry->next_entry : __jit_debug_descriptor.first_entry) = e.next_entry;
  if (e.next_entry) e.next_entry->prev_entry = e.prev_entry;
  announce(kUnregister, &e);
}

}  // namespace pumice::hw::fast::lane
