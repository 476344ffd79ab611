// SPDX-License-Identifier: MIT
/// Scaled and plain copies of rows (X_SCALE, X_COPY_ROWS) that follow each other. They are held back until something else comes, then
/// executed together: a part of the destination after the other, all operations on it in their order, so that what one of them leaves in
/// the caches is there for the next. Only operations join that cannot tell: none reads what another one writes, and those that write the
/// same memory write the same rows.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "hw/common/threads/crew.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/footprint/rows.h"

namespace pumice::hw {

class HeldRows {
 public:
  /// Source and destination do not overlap, nor do rows of the destination.
  struct Operation {
    Rows from, to;
    bool scales = false;  ///< else it copies: of `input` only the pointers are used
    ScaleInput input;
  };
  /// Scales a part, on any thread.
  using Scale = std::function<void(const ScaleInput&, const RowsPart&)>;

  bool empty() const { return operations_.empty(); }
  bool joins(const Operation& o) const;
  void add(const Operation& o) { operations_.push_back(o); }
  /// Whether one of them is going to write some of these bytes.
  bool writes(const ByteRange& range) const;
  /// Executes all of them.
  void run(Crew& crew, const Scale& scale);
  void clear() { operations_.clear(); }

 private:
  void scale_all(Crew& crew, const Scale& scale);
  void copy_all(Crew& crew) const;

  std::vector<Operation> operations_;
};

}  // namespace pumice::hw
