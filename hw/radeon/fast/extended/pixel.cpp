// SPDX-License-Identifier: MIT
/// See pixel.h.
#include "hw/radeon/fast/extended/pixel.h"

namespace pumice::hw::fast::extended {

struct PixelWorker::Impl {};

PixelWorker::PixelWorker(Memory&, ReportQueue&, const std::atomic<bool>&, std::atomic<uint64_t>&, Cpu) {}
PixelWorker::~PixelWorker() = default;

std::shared_ptr<const PixelJob> PixelJob::prepare(DrawContext&, Routines&, std::string*) { return nullptr; }

void PixelWorker::begin(const PixelJob&, const Draw&) {}
void PixelWorker::block(const raster::Record&, int32_t, int32_t, const LaneMask*) {}
void PixelWorker::end() {}

}  // namespace pumice::hw::fast::extended
