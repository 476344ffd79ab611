// SPDX-License-Identifier: MIT
/// See rdp.h. Depth is shown by its code of 14 bits, which orders like the depth.
#include "hw/radeon/trace/page/rdp.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "hw/radeon/trace/inspect/text.h"
#include "hw/rdp/listing.h"
#include "hw/rdp/tools/picture.h"
#include "hw/rdp/tools/script.h"

namespace pumice::hw::trace {

namespace {

constexpr uint32_t kMostSide = 1024;  ///< of a colour image: what a scissor can name

bool is_primitive(uint64_t word) {
  const rdp::Op op = rdp::opcode(word);
  return rdp::is_triangle(word) || op == rdp::Op::texture_rectangle || op == rdp::Op::texture_rectangle_flip ||
         op == rdp::Op::fill_rectangle;
}

/// Without the place in the list and the words.
std::string text_of(const std::vector<uint64_t>& command) {
  const std::string lines = rdp::list_commands(command);
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = lines.substr(at, end - at);
    out += (out.empty() ? "" : "; ") + line.substr(std::min<size_t>(line.size(), 25));
    at = end + 1;
  }
  return out;
}

/// Plays the words of a dump command by command.
class RdpReader final : private rdp::PixelWatcher {
 public:
  RdpReader(const rdp::Script& script, const PageOptions& options, PageData& data)
      : script_(script), options_(options), data_(data), memory_(script.rdram_size), rdp_(memory_) {
    if (!options.quick) rdp_.set_execution(rdp::Execution::reference);
  }

  uint64_t play() {
    for (const rdp::Step& s : script_.steps) {
      switch (s.kind) {
        case rdp::Step::Kind::bytes: bytes(s); break;
        case rdp::Step::Kind::hidden:
          for (uint32_t i = 0; i < s.data.size(); ++i) rdp_.rdram().set_hidden(s.address / 2 + i, s.data[i]);
          break;
        case rdp::Step::Kind::words:
          for (const uint64_t w : s.words) word(w);
          break;
        case rdp::Step::Kind::frame: data_.frames.emplace_back(); break;
      }
    }
    return draws_;
  }

 private:
  void bytes(const rdp::Step& s) {
    const size_t n = s.address < memory_.size() ? std::min(s.data.size(), memory_.size() - s.address) : 0;
    if (n) std::copy_n(s.data.begin(), n, memory_.begin() + static_cast<std::ptrdiff_t>(s.address));
    rdp_.rdram().cpu_wrote(s.address, static_cast<uint32_t>(n));
  }

  void word(uint64_t w) {
    command_.push_back(w);
    if (command_.size() < rdp::command_words(command_[0])) return;
    const std::string text = text_of(command_);
    if (is_primitive(command_[0]))
      primitive(text);
    else
      attribute(text);
    command_.clear();
  }

  void attribute(const std::string& text) {
    rdp_.enqueue(command_);
    changes_.push_back(text);
    // Tiles have one each.
    const auto op = rdp::opcode(command_[0]);
    const bool of_tile = op == rdp::Op::set_tile || op == rdp::Op::set_tile_size;
    state_[uint32_t(op) << 3 | (of_tile ? uint32_t(command_[0] >> 24 & 7) : 0)] = text;
  }

  void primitive(const std::string& text) {
    ++draws_;
    const bool shown = options_.wants(draws_, data_.frames.size() - 1);
    const std::vector<SurfaceView> views = shown ? surfaces() : std::vector<SurfaceView>();
    if (shown) data_.before(views);
    if (shown && !options_.quick) work_ = std::make_unique<PixelWork>();
    rdp_.watch(work_ ? this : nullptr);
    rdp_.enqueue(command_);
    rdp_.sync();
    if (shown) event(text, views);
    changes_.clear();
  }

  void event(const std::string& text, const std::vector<SurfaceView>& views) {
    PageEvent& e = data_.events.emplace_back();
    e.draw = draws_;
    e.frame = data_.frames.size() - 1;
    e.packet = "primitive " + std::to_string(draws_) + ", " + text.substr(0, 160);
    e.changes = changes_.size();
    Layers layers;
    for (const SurfaceView& v : views) {
      e.surfaces.push_back(data_.surfaces.number(v));
      data_.surfaces.after(e.surfaces.back(), v, layers);
    }
    if (work_) add_work(e, views, layers);
    e.layers = base64(layers.finish());
    std::vector<std::string> state, packets = changes_;
    for (const auto& [op, line] : state_) state.push_back(line);
    packets.push_back(text);
    Json json;
    json.open('{').member("changes", changes_).member("registers", state).member("packets", packets);
    json.member("programs", std::vector<std::string>{"The RDP has no programs: set_combine_mode and set_other_modes are its pipeline."});
    json.key("textures").open('[').close(']').key("lives").open('[').close(']').close('}');
    e.details = json.text();
  }

  void pixel(int x, int y, rdp::Fate fate) override {
    using rdp::Fate;
    const uint32_t cycles = rdp_.state().cycle_type() == rdp::kTwoCycle ? 2 : 1;
    work_->pixel(x, y, cycles, fate == Fate::failed_depth, fate == Fate::failed_alpha || fate == Fate::without_coverage,
                 fate == Fate::written);
  }

  void add_work(PageEvent& e, const std::vector<SurfaceView>& views, Layers& layers) {
    e.work = work_->totals;
    e.work.primitives = 1;
    // Pixels behind the end of a row belong to the next one.
    if (!views.empty())
      for (const auto& w : work_->tiles())
        if (w->x * kTile < views[0].width && w->y * kTile < views[0].height) layers.add(e.surfaces[0], LayerKind::work, work_tile(*w));
    work_.reset();
  }

  /// The colour image, as high as the scissor, and the depth image if it is used.
  std::vector<SurfaceView> surfaces() {
    const rdp::State& s = rdp_.state();
    std::vector<SurfaceView> out;
    const uint32_t width = s.color_image.width, height = (s.scissor.yl + 3) >> 2, size = s.color_image.size;
    if (!size || !width || width > kMostSide || !height || height > kMostSide) return out;
    out.push_back(view(s.color_image.address, width, height, size, false));
    if (s.modes.z_compare_en() || s.modes.z_update_en()) out.push_back(view(s.z_address, width, height, 2, true));
    return out;
  }

  SurfaceView view(uint32_t address, uint32_t width, uint32_t height, uint32_t size, bool depth) {
    SurfaceView v;
    v.depth = depth;
    v.base = address;
    v.width = width, v.height = height;
    v.format = depth ? "14 bits" : std::to_string(4 << size) + " bits";
    v.bytes = [this, address, bytes = (width * height << size) / 2] {
      std::vector<std::byte> copy(bytes);
      const uint32_t n = address < memory_.size() ? std::min<uint32_t>(bytes, uint32_t(memory_.size()) - address) : 0;
      std::memcpy(copy.data(), memory_.data() + (n ? address : 0), n);
      return copy;
    };
    v.read = [this, address, width, size, depth](const Area& a) {
      Bytes out;
      for (uint32_t y = a.y; y < a.y + a.height; ++y) {
        const uint32_t first = y * width + a.x;
        if (depth) {
          for (uint32_t x = 0; x < a.width; ++x) {
            const uint32_t code = (rdp_.rdram().read16(address / 2 + first + x) >> 2) << 10;
            for (uint32_t c = 0; c < 4; ++c) out.push_back(c < 3 ? uint8_t(code >> 8 * c) : 0);
          }
          continue;
        }
        const rdp::Picture row = rdp::picture_of(rdp_.rdram(), {address + (first << size >> 1), a.width, 1, size});
        for (uint32_t x = 0; x < a.width; ++x) {
          out.insert(out.end(), &row.rgb[3 * x], &row.rgb[3 * x] + 3);
          out.push_back(255);
        }
      }
      return out;
    };
    return v;
  }

  const rdp::Script& script_;
  const PageOptions& options_;
  PageData& data_;
  std::vector<uint8_t> memory_;
  rdp::Rdp rdp_;
  std::vector<uint64_t> command_;
  std::vector<std::string> changes_;       ///< attribute commands since the primitive before
  std::map<uint32_t, std::string> state_;  ///< the last one of each kind
  uint64_t draws_ = 0;
  std::unique_ptr<PixelWork> work_;  ///< of the primitive under way
};

}  // namespace

bool is_rdp(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  char magic[7] = {};
  return file && std::fread(magic, 1, sizeof magic, file.get()) == sizeof magic && std::memcmp(magic, "RDPDUMP", sizeof magic) == 0;
}

std::string read_rdp(const std::string& path, const PageOptions& options, PageData& data, uint64_t& draws) {
  rdp::Script script;
  std::string error;
  if (!rdp::read_script(path, "", script, error)) return error;
  data.chip = "rdp";
  data.works = !options.quick;
  draws = RdpReader(script, options, data).play();
  return {};
}

}  // namespace pumice::hw::trace
