// SPDX-License-Identifier: MIT
/// See page_data.h.
#include "hw/radeon/trace/page/page_data.h"

namespace pumice::hw::trace {

void PageData::before(const std::vector<SurfaceView>& views) {
  Layers layers;
  PageEvent e;
  e.frame = frames.size() - 1;
  for (const SurfaceView& v : views) e.surfaces.push_back(surfaces.before(v, e.frame, layers));
  const Bytes& bytes = layers.finish();
  if (bytes.empty()) return;
  e.layers = base64(bytes);
  events.push_back(std::move(e));
}

}  // namespace pumice::hw::trace
