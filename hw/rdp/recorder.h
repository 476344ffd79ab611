// SPDX-License-Identifier: MIT
/// Records what a card's RDP does as an RDPDUMP2 file, which `pumice-rdp play` and several emulators' tools read: memory that others wrote
/// before a list, with its hidden bits, and the commands.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "hw/rdp/ref/rdram.h"

namespace pumice::hw::rdp {

class Recorder {
 public:
  /// An existing file is replaced. `limit`: bytes after which the recording ends; 0: none. Null: the file cannot be written.
  static std::unique_ptr<Recorder> open(const std::string& path, uint64_t limit, Rdram& ram);

  /// Before a list: what has changed in memory since done(), or since all of it was 0.
  void memory();
  /// A word that is fetched; commands are written when they are whole.
  void word(uint64_t word);
  /// Behind a list, all of which is in memory: what it wrote is no change.
  void done();
  /// A picture is shown.
  void frame();
  /// Why recording has ended; empty while it goes on. Returned once.
  std::string take_problem();

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  Recorder(std::FILE* file, uint64_t limit, Rdram& ram);
  void number(uint32_t v);
  void bytes(uint32_t address, uint32_t size);
  void hidden(uint32_t halfword, uint32_t count);
  /// Adds what was collected to the file, and an end that the next call writes over: the file is whole after each list.
  void flush();

  std::unique_ptr<std::FILE, Close> file_;
  const uint64_t limit_;
  Rdram& ram_;
  std::vector<uint8_t> out_, shadow_, shadow_hidden_;
  std::vector<uint64_t> command_;  ///< words of one that is not whole
  uint64_t written_ = 0;
  std::string problem_;
};

}  // namespace pumice::hw::rdp
