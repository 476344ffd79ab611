// SPDX-License-Identifier: MIT
/// See document.h. Blocks that the page decodes on demand are script elements of type text/plain, as base64:
///   t0, t1, …  details of kDrawsOfBlock draws each, a zlib stream of a JSON array
///   l0, l1, …  layers of an event (layers.h)
///   p0, p1, …  PNG pictures of textures
#include "hw/radeon/trace/page/document.h"

#include <cstdio>
#include <memory>

#include "hw/radeon/trace/inspect/text.h"
#include "page_template.h"

namespace pumice::hw::trace {

namespace {

constexpr size_t kDrawsOfBlock = 16;

std::string index_of(const std::string& title, const PageData& r, const PageOptions& options) {
  Json j;
  j.open('{').member("title", title).member("program", r.program);
  j.member("chip", r.chip);
  j.member("tile", kTile).member("block", kDrawsOfBlock).member("quick", int(!r.works));
  j.key("surfaces").open('[');
  for (const Surfaces::Known& s : r.surfaces.all())
    j.open('{')
        .member("name", format("%s 0x%08llx %ux%u %s", s.depth ? "depth" : "colour", static_cast<unsigned long long>(s.base), s.width,
                               s.height, s.format.c_str()))
        .member("depth", int(s.depth))
        .member("base", s.base)
        .member("width", s.width)
        .member("height", s.height)
        .close('}');
  j.close(']').key("frames").open('[');
  for (const PageFrame& f : r.frames) j.value(f.presented ? int64_t(*f.presented) : -1);
  j.close(']').key("pixels").open('[');
  for (const auto& [x, y] : options.pixels) j.open('[').value(x).value(y).close(']');
  j.close(']').key("events").open('[');
  for (const PageEvent& e : r.events) {
    j.open('{').member("frame", e.frame).key("surfaces").open('[');
    for (const uint32_t s : e.surfaces) j.value(s);
    j.close(']');
    if (e.draw) {
      const WorkTotals& w = e.work;
      j.member("draw", e.draw).member("packet", e.packet).member("changes", e.changes).member("extended", int(e.extended));
      if (!e.groups.empty()) j.member("groups", e.groups);
      j.key("work").open('[');
      for (const uint64_t v :
           {w.primitives, w.vertices, w.vertex_instructions, w.fragments, w.instructions, w.texels, w.failed, w.killed, w.written})
        j.value(int64_t(v));
      j.close(']');
    }
    j.close('}');
  }
  return j.close(']').close('}').text();
}

}  // namespace

bool write_page(const std::string& path, const std::string& title, const PageData& data, const PageOptions& options) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) return false;
  const auto put = [&](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file.get()); };
  const auto block = [&](char kind, size_t number, const std::string& text) {
    put(format("<script type=\"text/plain\" id=\"%c%zu\">", kind, number)), put(text), put("</script>\n");
  };
  std::string safe;
  for (const char c : title) safe += c == '<' || c == '>' || c == '&' ? '_' : c;
  put(page::kBegin), put(safe), put(page::kStyle);
  put("<script type=\"application/json\" id=\"index\">"), put(index_of(title, data, options)), put("</script>\n");
  std::string details;
  size_t draws = 0, events = 0;
  const auto finish = [&] {
    if (details.empty()) return;
    details += ']';
    block('t', (draws - 1) / kDrawsOfBlock, base64(deflated({reinterpret_cast<const uint8_t*>(details.data()), details.size()})));
    details.clear();
  };
  for (const PageEvent& e : data.events) {
    block('l', events++, e.layers);
    if (!e.draw) continue;
    details += (details.empty() ? "[" : ",") + e.details;
    if (++draws % kDrawsOfBlock == 0) finish();
  }
  finish();
  for (size_t i = 0; i < data.pictures.size(); ++i) block('p', i, data.pictures[i]);
  put(page::kEnd);
  return std::fflush(file.get()) == 0 && !std::ferror(file.get());
}

}  // namespace pumice::hw::trace
