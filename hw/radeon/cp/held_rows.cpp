// SPDX-License-Identifier: MIT
/// See held_rows.h.
#include "hw/radeon/cp/held_rows.h"

#include <algorithm>
#include <cmath>

#include "hw/radeon/cp/transfer.h"

namespace pumice::hw {

namespace {

constexpr size_t kMost = 64;
/// What a part may read and write: it stays in a core's second cache.
constexpr uint64_t kPartBytes = 512 << 10;
/// The fast executor prepares columns for pieces of 64 rows and columns.
constexpr uint32_t kPiece = 64;
/// Bytes of a destination from which stores go past the caches, unless another operation writes there, too.
constexpr uint64_t kPasses = 32 << 20;

constexpr transfer::Parts kScaleParts{0, 128 << 10, 256 << 10}, kCopyParts{0, 512 << 10, 1 << 20};

/// Columns of a part of kPiece rows.
uint32_t part_columns(const HeldRows::Operation& o) {
  const double texels = std::abs(double{o.input.s_step} * double{o.input.t_step});
  const double most = static_cast<double>(kPartBytes) / (sizeof(uint32_t) * kPiece * (1 + (texels < 64 ? texels : 64)));
  return std::max(static_cast<uint32_t>(most) / kPiece * kPiece, kPiece);
}

}  // namespace

bool HeldRows::joins(const Operation& o) const {
  if (operations_.empty()) return true;
  const Operation& first = operations_.front();
  if (operations_.size() == kMost || o.scales != first.scales || o.to.bytes != first.to.bytes || o.to.count != first.to.count) return false;
  const ByteRange from = o.from.hull(), to = o.to.hull();
  return std::none_of(operations_.begin(), operations_.end(), [&](const Operation& held) {
    const ByteRange written = held.to.hull();
    return written.overlaps(from) || held.from.hull().overlaps(to) || (written.overlaps(to) && held.to != o.to);
  });
}

bool HeldRows::writes(const ByteRange& range) const {
  return std::any_of(operations_.begin(), operations_.end(), [&](const Operation& o) { return o.to.hull().overlaps(range); });
}

void HeldRows::run(Crew& crew, const Scale& scale) {
  if (operations_.empty()) return;
  operations_.front().scales ? scale_all(crew, scale) : copy_all(crew);
  operations_.clear();
}

void HeldRows::scale_all(Crew& crew, const Scale& scale) {
  const uint32_t columns = operations_.front().input.columns, rows = operations_.front().input.rows;
  uint32_t width = columns;
  for (Operation& o : operations_) {
    if (operations_.size() > 1) width = std::min(width, part_columns(o));
    const auto writers = std::count_if(operations_.begin(), operations_.end(), [&](const Operation& other) { return other.to == o.to; });
    o.input.passes = writers == 1 && o.to.bytes * o.to.count >= kPasses;
  }
  const auto part = [&](const RowsPart& p) {
    for (const Operation& o : operations_) scale(o.input, p);
  };
  if (!transfer::worth_crew(crew, kScaleParts, operations_.front().to.bytes * rows * operations_.size()) && width == columns)
    return part({0, 0, columns, rows});
  const uint32_t across = (columns + width - 1) / width;
  crew.run((rows + kPiece - 1) / kPiece * across, [&](uint32_t i) {
    const uint32_t x = i % across * width, y = i / across * kPiece;
    part({x, y, std::min(width, columns - x), std::min(kPiece, rows - y)});
  });
}

void HeldRows::copy_all(Crew& crew) const {
  const Operation& first = operations_.front();
  if (operations_.size() == 1)
    return transfer::copy(crew, first.input.to, first.to.pitch, first.input.from, first.from.pitch, first.to.bytes, first.to.count, false);
  const uint64_t rows = first.to.count, step = std::max<uint64_t>(kPartBytes / 2 / first.to.bytes, 1);
  auto part = [&](uint32_t i) {
    const uint64_t y = i * step, count = std::min(step, rows - y);
    for (const Operation& o : operations_)
      transfer::copy(o.input.to + y * o.to.pitch, o.to.pitch, o.input.from + y * o.from.pitch, o.from.pitch, o.to.bytes, count);
  };
  const auto parts = static_cast<uint32_t>((rows + step - 1) / step);
  if (transfer::worth_crew(crew, kCopyParts, first.to.bytes * rows * operations_.size())) return crew.run(parts, part);
  for (uint32_t i = 0; i < parts; ++i) part(i);
}

}  // namespace pumice::hw
