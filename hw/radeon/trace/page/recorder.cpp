// SPDX-License-Identifier: MIT
/// See recorder.h.
#include "hw/radeon/trace/page/recorder.h"

#include "hw/db/chips.h"
#include "hw/db/formats.h"
#include "hw/radeon/cp/dump.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/format.h"
#include "hw/radeon/trace/inspect/draw_state.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "hw/radeon/trace/inspect/text.h"
#include "hw/radeon/trace/page/all_of.h"

namespace pumice::hw::trace {

namespace {

/// Packets between two draws that are kept.
constexpr size_t kMostPackets = 400;

uint64_t digest_of(const Memory& memory, uint64_t address, uint64_t size, std::span<const uint32_t> format) {
  Digest digest;
  digest.add(format.data(), format.size_bytes());
  std::vector<std::byte> bytes(size);
  memory.read(address, bytes.data(), size);
  digest.add(bytes.data(), size);
  return digest.value();
}

}  // namespace

PageRecorder::PageRecorder(const PageOptions& options, Profile profile)
    : options_(options), profile_(profile), writers_(profile), source_(make_names()) {
  data.chip = capabilities(profile).name;
  data.works = !options.quick;
}

bool PageRecorder::wanted(uint64_t draw) const { return options_.wants(draw, data.frames.size() - 1); }

bool PageRecorder::enough() const { return now_ >= options_.last_draw || (options_.frame && data.frames.size() > *options_.frame + 1); }

Inspector* PageRecorder::inspector(uint64_t draw) {
  if (!wanted(draw) || options_.quick) return nullptr;
  work_ = std::make_unique<PixelWork>();
  lives_.clear();
  if (options_.pixels.empty()) return work_.get();
  std::vector<Inspector*> all{work_.get()};
  for (const auto& [x, y] : options_.pixels) all.push_back(lives_.emplace_back(std::make_unique<PixelLife>(x, y, options_.sample)).get());
  for (const auto& life : lives_) life->call(names_ ? &(*names_)[size_t(x::Stage::fragment)] : nullptr);
  all_ = std::make_unique<AllOf>(std::move(all));
  return all_.get();
}

void PageRecorder::note(Note kind, const std::string& text) {
  if (kind == Note::program) data.program = text;
}

void PageRecorder::packet(const Where& where, std::span<const uint32_t> words) {
  writers_.packet(where, words);
  if (source_) source_->packet(words);
  if (!wanted(now_ + 1)) return;
  if (packets_.size() == kMostPackets)
    ++left_out_;
  else
    packets_.push_back(format("%05x ", where.dword) + dump_packet(profile_, words));
}

void PageRecorder::label(const PictureLabel& label) {
  data.frames.back().presented = label.address;
  data.frames.emplace_back();
}

PageEvent* PageRecorder::begin(const DrawContext& ctx) {
  now_ = ctx.draw;
  if (!wanted(now_)) {
    packets_.clear(), left_out_ = 0;
    if (now_ + 1 == options_.first_draw || options_.frame) before_ = std::make_unique<ChipState>(ctx.state);
    return nullptr;
  }
  PageEvent& e = data.events.emplace_back();
  e.draw = ctx.draw;
  e.frame = data.frames.size() - 1;
  if (ctx.reporter) e.packet = ctx.reporter->where.text(profile_);
  return &e;
}

void PageRecorder::draw(const DrawContext& ctx, const DrawInput&) {
  if (wanted(ctx.draw)) {
    views_ = surfaces_of(ctx, PageOptions::kMostPixels, options_.part);
    data.before(views_);
  }
  PageEvent* const e = begin(ctx);
  if (!e) return;
  e->extended = x::shaders(ctx.state);
  names_ = source_ ? source_->names(ctx, true) : nullptr;
  e->details = details(ctx, *e, e->extended ? Stages(kDrawStages) : Stages());
  before_ = std::make_unique<ChipState>(ctx.state);
}

void PageRecorder::dispatch(const DrawContext& ctx, const DispatchInput& input) {
  PageEvent* const e = begin(ctx);
  if (!e) return;
  if (ctx.reporter) {
    Where where = ctx.reporter->where;
    where.draw = 0;  // which would be called a draw
    e->packet = where.text(profile_);
  }
  const auto size = ctx.state.get<regs::r5x::X_CS_LOCAL_SIZE>();
  e->groups = format("%ux%ux%u workgroups of %ux%ux%u invocations", input.groups[0], input.groups[1], input.groups[2], size.X() + 1,
                     size.Y() + 1, size.Z() + 1);
  e->extended = true;
  names_ = source_ ? source_->names(ctx, false) : nullptr;
  e->details = details(ctx, *e, kDispatchStages);
  e->layers = base64(Layers().finish());
  before_ = std::make_unique<ChipState>(ctx.state);
}

Inspector* PageRecorder::dispatch_inspector(uint64_t dispatch) {
  invocations_.clear();
  if (!wanted(dispatch) || options_.quick || options_.invocations.empty()) return nullptr;
  std::vector<Inspector*> all;
  for (const auto& at : options_.invocations) {
    all.push_back(invocations_.emplace_back(std::make_unique<ComputeLife>(at)).get());
    invocations_.back()->call(names_ ? &(*names_)[size_t(x::Stage::compute)] : nullptr);
  }
  all_ = std::make_unique<AllOf>(std::move(all));
  return all_.get();
}

void PageRecorder::dispatched(const DrawContext& ctx) {
  if (told_) told_(ctx.draw);
  if (!wanted(ctx.draw) || data.events.empty() || data.events.back().draw != ctx.draw) return;
  PageEvent& e = data.events.back();
  e.details += ",\"lives\":[";
  size_t n = 0;
  for (const auto& life : invocations_) {
    if (life->lines().empty()) continue;
    Json json;
    json.open('{').member("lines", life->lines()).close('}');
    e.details += (n++ ? "," : "") + json.text();
  }
  e.details += "]}";
}

/// All but what is known when it is drawn: the object stays open.
std::string PageRecorder::details(const DrawContext& ctx, PageEvent& event, Stages stages) {
  if (!before_) reset(*(before_ = std::make_unique<ChipState>(profile_)), profile_);
  const std::vector<std::string> differences = difference_lines(*before_, ctx.state, &writers_);
  for (const std::string& l : differences) event.changes += !l.starts_with(' ');
  if (left_out_) packets_.push_back(format("... and %zu packets more", left_out_));
  Json json;
  json.open('{').member("changes", differences).member("registers", register_lines(ctx.state)).member("packets", packets_);
  json.member("programs", event.extended ? extended_program_lines(ctx, names_, stages) : program_lines(ctx.state, names_));
  if (event.extended) json.member("constants", extended_constant_lines(ctx, names_, stages));
  textures(ctx, stages, json);
  packets_.clear(), left_out_ = 0;
  return json.text();
}

uint32_t PageRecorder::picture(uint64_t digest, const std::function<Picture()>& make) {
  const auto [at, fresh] = picture_of_.try_emplace(digest, uint32_t(data.pictures.size()));
  if (fresh) data.pictures.push_back(base64(png(make(), options_.texture_side)));
  return at->second;
}

void PageRecorder::textures(const DrawContext& ctx, Stages stages, Json& json) {
  json.key("textures").open('[');
  const auto add = [&](const std::string& name, uint32_t number) {
    json.open('{').member("name", name).member("picture", number).close('}');
  };
  if (!stages.empty()) {
    for (const BoundImage& b : bound_images(ctx, names_, stages)) {
      const xt::Image& i = b.image;
      if (i.dim == xt::Dim::buffer || uint64_t{i.width} * i.height > PageOptions::kMostPixels) continue;
      const uint64_t size = std::min<uint64_t>(uint64_t{i.pitch} * i.height, i.layer_pitch ? i.layer_pitch : ~0ull);
      const uint32_t form[] = {i.format, i.width, i.height, i.stencil};
      add(b.name + format(": %ux%u ", i.width, i.height) + std::string(formats::info(i.format).name),
          picture(digest_of(ctx.memory, i.base + i.first_layer * i.layer_pitch, size, form), [&] {
            return trace::picture_of(ctx.memory, i, {0, 0, i.width, i.height});
          }));
    }
  } else {
    const uint32_t enabled = ctx.state.get<regs::TX_ENABLE>().raw;
    for (uint32_t unit = 0; unit < ctx.state.chip().texture_units; ++unit) {
      tx::Complaints complaints = 0;
      if (!(enabled >> unit & 1u)) continue;
      const tx::Texture t = tx::read_registers(ctx.state, unit, complaints);
      const tx::MipLevel level = tx::mip_level(t.mips, 0);
      const ByteRange bytes = footprint::texture(ctx.state, unit);
      if (complaints || uint64_t{level.width} * level.height * level.layers > PageOptions::kMostPixels) continue;
      const uint32_t form[] = {t.format1.raw, level.width, level.height, level.layers};
      add(format("unit %u: %ux%u", unit, level.width, level.height),
          picture(digest_of(ctx.memory, bytes.begin, bytes.size(), form), [&] { return trace::picture_of(ctx.memory, t); }));
    }
  }
  ctx.memory.take_fault();
  json.close(']');
}

void PageRecorder::drawn(const DrawContext& ctx) {
  if (told_) told_(ctx.draw);
  if (!wanted(ctx.draw) || data.events.empty() || data.events.back().draw != ctx.draw) return;
  PageEvent& e = data.events.back();
  Layers layers;
  for (const SurfaceView& v : views_) {
    const uint32_t number = data.surfaces.number(v);
    e.surfaces.push_back(number);
    if (work_)
      data.surfaces.after(number, v, work_->tiles(), layers);
    else
      data.surfaces.after(number, v, layers);
  }
  if (!e.surfaces.empty() && work_)
    for (const auto& w : work_->tiles()) layers.add(e.surfaces[0], LayerKind::work, work_tile(*w));
  e.layers = base64(layers.finish());
  if (work_) e.work = work_->totals;
  e.details += ",\"lives\":[";
  for (size_t i = 0, n = 0; i < lives_.size(); ++i) {
    if (!lives_[i]->covering()) continue;
    Json json;
    json.open('{').member("x", options_.pixels[i][0]).member("y", options_.pixels[i][1]).member("lines", lives_[i]->lines()).close('}');
    e.details += (n++ ? "," : "") + json.text();
  }
  e.details += "]}";
  work_.reset();
}

}  // namespace pumice::hw::trace
