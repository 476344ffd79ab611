// SPDX-License-Identifier: MIT
/// The card: DP registers go to the RDP, the others to the DMA engine and the scan-out.
#include "hw/rdp/card.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "hw/rdp/listing.h"
#include "hw/rdp/rdp.h"
#include "hw/rdp/recorder.h"
#include "hw/rdp/scan_out.h"
#include "hw/rdp/tables.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kFirst = DMA_SRC::offset, kEnd = SCAN_CNTL::offset + 4;

/// Page aligned, so that mappings of it are.
struct Pages {
  explicit Pages(size_t n) : bytes(static_cast<uint8_t*>(::operator new (n, std::align_val_t{4096}))), size(n) { std::memset(bytes, 0, n); }
  ~Pages() { ::operator delete (bytes, std::align_val_t{4096}); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  uint8_t* bytes;
  size_t size;
};

class CardModel final : public Card {
 public:
  explicit CardModel(const CardConfig& c)
      : rdram_(c.rdram_size), rdp_({rdram_.bytes, rdram_.size}, ByteOrder::big_endian, {dmem_.bytes, dmem_.size}) {
    rdp_.set_threads(c.threads);
    if (c.reference) rdp_.set_execution(Execution::reference);
    if (c.on_interrupt) rdp_.on_sync_full(c.on_interrupt);
    if (c.on_hang)
      rdp_.on_fault([say = c.on_hang](Fault fault, uint64_t word) {
        char text[160];
        std::snprintf(text, sizeof text, "%s at command %016llX %s", fault_text(fault), static_cast<unsigned long long>(word),
                      kCommands[word >> 56 & 0x3F].name);
        say(text);
      });
    if (c.trace.empty()) return;
    on_trace_ = c.on_trace;
    recorder_ = Recorder::open(c.trace, c.trace_limit, rdp_.rdram());
    if (!recorder_ && on_trace_) on_trace_(c.trace + ": cannot be written: " + std::strerror(errno));
    if (recorder_) rdp_.on_fetch([this](uint64_t word) { record(word); });
  }

  std::span<std::byte> rdram() override { return std::as_writable_bytes(std::span(rdram_.bytes, rdram_.size)); }
  std::span<std::byte> dmem() override { return std::as_writable_bytes(std::span(dmem_.bytes, dmem_.size)); }

  uint32_t read(uint32_t offset) override {
    if (offset < kFirst) return rdp_.read(offset);
    return offset < kEnd && offset % 4 == 0 ? registers_[(offset - kFirst) / 4] : 0;
  }

  void write(uint32_t offset, uint32_t value) override {
    if (offset < kFirst) return recorder_ ? recorded_write(offset, value) : rdp_.write(offset, value);
    if (offset >= kEnd || offset % 4) return;
    registers_[(offset - kFirst) / 4] = value;
    if (offset == DMA_ROWS::offset) return move();
    if (offset == SCAN_CNTL::offset) return show();
  }

  std::string listing(uint32_t address, uint32_t bytes) override {
    std::vector<uint64_t> words;
    for (uint32_t at = 0; at + 8 <= bytes; at += 8) words.push_back(rdp_.rdram().read64(address + at));
    return list_commands(words);
  }

  void cpu_wrote(uint32_t address, uint32_t length) override { rdp_.rdram().cpu_wrote(address, length); }

 private:
  template <class R>
  R get() const {
    R r;
    r.raw = registers_[(R::offset - kFirst) / 4];
    return r;
  }

  /// A write that may start a list: memory before its first word, and what it wrote behind its last.
  void recorded_write(uint32_t offset, uint32_t value) {
    rdp_.sync();
    fetches_ = false;
    rdp_.write(offset, value);
    if (!fetches_) return;
    rdp_.sync();
    recorder_->done();
    tell();
  }
  void record(uint64_t word) {
    if (!fetches_) recorder_->memory();
    fetches_ = true;
    recorder_->word(word);
  }
  void tell() {
    if (const std::string problem = recorder_->take_problem(); !problem.empty() && on_trace_) on_trace_(problem);
  }

  uint8_t source_byte(bool dmem, uint64_t address) const {
    if (dmem) return dmem_.bytes[address % kDmemBytes];
    return address < rdram_.size ? rdram_.bytes[address] : 0;
  }

  void move() {
    rdp_.sync();
    const auto src = get<DMA_SRC>();
    const uint32_t bytes = get<DMA_ROW>().BYTES();
    std::vector<uint8_t> row(bytes);
    uint64_t from = src.ADDRESS(), to = get<DMA_DST>().ADDRESS();
    for (uint32_t i = 0; i < get<DMA_ROWS>().COUNT(); ++i, from += get<DMA_SRC_PITCH>().BYTES(), to += get<DMA_DST_PITCH>().BYTES()) {
      if (to >= rdram_.size) return;  // as all later rows
      if (!src.DMEM() && from + bytes <= rdram_.size)
        std::copy_n(rdram_.bytes + from, bytes, row.data());
      else
        for (uint32_t b = 0; b < bytes; ++b) row[b] = source_byte(src.DMEM(), from + b);
      rdp_.rdram().cpu_write(to, row);
    }
  }

  void show() {
    rdp_.sync();
    scan_out(rdp_.rdram(), {get<SCAN_ORIGIN>(), get<SCAN_STRIDE>(), get<SCAN_SIZE>(), get<SCAN_DST>(), get<SCAN_DST_PITCH>(),
                            get<SCAN_DST_SIZE>(), get<SCAN_X_SCALE>(), get<SCAN_Y_SCALE>(), get<SCAN_CNTL>()});
    if (!recorder_) return;
    recorder_->frame();
    tell();
  }

  Pages rdram_, dmem_{kDmemBytes};
  Rdp rdp_;
  std::unique_ptr<Recorder> recorder_;
  std::function<void(const std::string&)> on_trace_;
  bool fetches_ = false;  ///< the write under way has fetched a word
  uint32_t registers_[(kEnd - kFirst) / 4] = {};
};

}  // namespace

std::unique_ptr<Card> Card::create(const CardConfig& config) {
  if (!config.rdram_size || config.rdram_size % 8 || config.rdram_size > kMaxRdram) return nullptr;
  return std::make_unique<CardModel>(config);
}

}  // namespace pumice::hw::rdp
