// SPDX-License-Identifier: MIT
/// See dump.h.
#include "hw/radeon/cp/dump.h"

#include <cstring>

#include "hw/radeon/cp/packet.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw {

namespace {

using decode::hex;

class DumpVisitor final : public PacketVisitor {
 public:
  DumpVisitor(const decode::Tables& tables, std::string& out) : tables_(tables), out_(out) {}

  void nothing() override {}
  void label(std::span<const uint32_t> payload) override {
    ModuleLabel module;
    if (payload.size_bytes() < sizeof module || payload[0] != ModuleLabel::kMagic) return words("label", payload);
    std::memcpy(static_cast<void*>(&module), payload.data(), sizeof module);
    line(std::string(module.kind == ModuleLabel::Kind::module ? "module" : "program") + ", bytes from " + std::to_string(module.first) +
         " of " + std::to_string(module.bytes));
  }
  void registers(uint32_t offset, bool one_register, std::span<const uint32_t> values) override {
    for (const uint32_t v : values) {
      line(decode::describe(tables_, offset, v));
      if (!one_register) offset += 4;
    }
  }
  void draw(const DrawPacket& p) override {
    line(decode::describe(tables_, regs::VAP_VF_CNTL::offset, p.vf_cntl.raw));
    words("data", p.data);
  }
  void index_buffer(const IndexBufferPacket& p) override {
    line(std::to_string(p.dwords) + " dwords from " + hex(p.address) + " to " + decode::name(tables_, p.destination) +
         (p.one_register ? "" : " and on") + ", skip " + std::to_string(p.skip));
  }
  void clear_ram(OnChipRam ram, uint32_t start, uint32_t count, uint32_t value) override {
    static constexpr const char* kNames[] = {"ZMASK", "HIZ", "CMASK"};
    line(std::string(kNames[static_cast<size_t>(ram)]) + " " + std::to_string(start) + " + " + std::to_string(count) + " = " + hex(value));
  }
  void wait_mem(const MemoryTest& test) override { line("until " + condition(test)); }
  void wait_semaphore(uint32_t word) override { line("until semaphore " + hex(word, 2) + " is not 0, then one less"); }
  void cond_exec(const MemoryTest& test, uint32_t count) override {
    line("next " + std::to_string(count) + " dwords if " + condition(test));
  }
  void pred_exec(uint32_t devices, uint32_t count) override {
    line("next " + std::to_string(count) + " dwords on devices " + hex(devices, 2));
  }
  void settings_2d(std::span<const RegisterValue> settings) override {
    for (const auto& [offset, value] : settings) line(decode::describe(tables_, offset, value));
  }
  void paint(const Rect& r) override { line("paint " + rect(r)); }
  void blit(const Blit& b) override {
    line("copy " + std::to_string(b.source_x) + "," + std::to_string(b.source_y) + " to " + rect(b.destination));
  }
  void host_blit(const HostBlit& b) override {
    line("host data to " + rect(b.destination));
    words("data", b.data);
  }
  void polyline(std::span<const Point2d> points) override {
    std::string text = "lines";
    for (const Point2d& p : points) text += " " + std::to_string(p.x) + "," + std::to_string(p.y);
    line(text);
  }
  void dispatch(const DispatchPacket& p) override {
    const auto three = [](const std::array<uint32_t, 3>& v) {
      return std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]);
    };
    line(p.indirect ? "workgroups at " + hex(p.address, 12) : "workgroups " + three(p.groups) + " from " + three(p.first));
  }
  void copy(const CopyPacket& p) override {
    const auto place = [&](GpuAddress at, uint32_t pitch) {
      return hex(at, 12) + (p.rows == 1 ? "" : ", " + std::to_string(pitch) + " apart,");
    };
    line((p.rows == 1 ? "" : std::to_string(p.rows) + " rows of ") + std::to_string(p.bytes) + " bytes from " +
         place(p.source, p.source_pitch) + " to " + place(p.destination, p.pitch));
  }
  void fill(const FillPacket& p) override {
    std::string value;
    for (const uint32_t dword : p.pattern)
      if (&dword == p.pattern.data() || p.rows != 1) value += " " + hex(dword);
    const std::string what =
        p.rows == 1 ? std::to_string(p.row_bytes / 4) + " dwords"
                    : std::to_string(p.rows) + " rows of " + std::to_string(p.row_bytes) + " bytes, " + std::to_string(p.pitch) + " apart,";
    line(what + " at " + hex(p.destination, 12) + " =" + value + (p.surface ? ", surface " + std::to_string(p.surface) : "") +
         (p.unstored ? ", unstored" : ""));
  }
  void scale(const ScalePacket& p) override {
    const auto surface = [](uint32_t width, uint32_t height, GpuAddress at, uint32_t pitch) {
      return std::to_string(width) + "x" + std::to_string(height) + " at " + hex(at, 12) + ", pitch " + std::to_string(pitch);
    };
    const auto axis = [](float first, float step) { return std::to_string(first) + " + i * " + std::to_string(step); };
    line(surface(p.columns, p.rows, p.destination, p.pitch) + " from " + surface(p.width, p.height, p.source, p.source_pitch));
    line("S = " + axis(p.s, p.s_step) + ", T = " + axis(p.t, p.t_step) + (p.linear ? ", linear" : ", point") + (p.swap ? ", swapped" : ""));
  }
  void resolve(const ResolvePacket& p) override {
    static constexpr const char* kKinds[] = {"unsigned bytes", "sRGB bytes", "half floats"};
    const auto surface = [](GpuAddress at, uint32_t pitch, uint32_t number) {
      return hex(at, 12) + ", pitch " + std::to_string(pitch) + (number ? ", surface " + std::to_string(number) : "");
    };
    line(std::to_string(p.width) + "x" + std::to_string(p.height) + " pixels of " + std::to_string(p.pixel_bytes) + " bytes (" +
         kKinds[static_cast<size_t>(p.kind)] + "), " + std::to_string(p.samples()) + " samples");
    line("at " + surface(p.destination, p.pitch, p.surface) + " from " + surface(p.source, p.source_pitch, p.source_surface));
  }
  void write(const WritePacket& p) override {
    static constexpr const char* kKinds[] = {"value", "timestamp", "samples passed"};
    const auto kind = static_cast<uint32_t>(p.kind), first = static_cast<uint32_t>(WritePacket::Kind::first_count);
    line((kind < first ? std::string(kKinds[kind]) : "counter " + std::to_string(kind - first) + " of the pipeline") +
         (p.kind == WritePacket::Kind::value ? " " + hex(p.value, 16) : "") + " to " + hex(p.destination, 12));
  }
  void bad(const std::string& why) override { line("BAD: " + why); }

 private:
  void line(const std::string& text) { out_ += "    " + text + "\n"; }
  void words(const char* what, std::span<const uint32_t> values) {
    constexpr size_t kShown = 16;
    if (values.empty()) return;
    std::string text = std::string(what) + ", " + std::to_string(values.size()) + " dwords:";
    for (size_t i = 0; i < values.size() && i < kShown; ++i) text += " " + hex(values[i]);
    line(text + (values.size() > kShown ? " .." : ""));
  }
  static std::string rect(const Rect& r) {
    return std::to_string(r.x) + "," + std::to_string(r.y) + " " + std::to_string(r.width) + "x" + std::to_string(r.height);
  }
  static std::string condition(const MemoryTest& t) {
    static constexpr const char* kOperators[] = {"always", "<", "<=", "==", "!=", ">=", ">"};
    return "([" + hex(t.address) + "] & " + hex(t.mask) + ") " + kOperators[t.function] + " " + hex(t.reference);
  }

  const decode::Tables& tables_;
  std::string& out_;
};

}  // namespace

std::string dump_packet(Profile profile, std::span<const uint32_t> packet) {
  const decode::Tables& tables = decode::tables(profile);
  std::string out = packet_title(tables, packet[0]) + "\n";
  DumpVisitor visitor(tables, out);
  visit_packet(profile, packet, visitor);
  return out;
}

std::string dump_stream(Profile profile, std::span<const uint32_t> words) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const size_t size = packet_dwords(words[at]);
    out += hex(at, 6) + " ";
    if (size > words.size() - at)
      return out + packet_title(decode::tables(profile), words[at]) + "\n    BAD: cut off, " + std::to_string(size) + " dwords announced\n";
    out += dump_packet(profile, words.subspan(at, size));
    at += size;
  }
  return out;
}

}  // namespace pumice::hw
