// SPDX-License-Identifier: MIT
/// Composites (mostly no code: leaves and swizzles) and matrix products (columns of multiply-adds).
#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;

bool Translator::composite(const Inst& in) {
  switch (in.op) {
    case spv::OpUndef:
      // What has no value may be undefined as long as nothing uses it.
      switch (spv_.def(in.type).op) {
        case spv::OpTypePointer:
        case spv::OpTypeImage:
        case spv::OpTypeSampler:
        case spv::OpTypeSampledImage:
        case spv::OpTypeRuntimeArray: return true;
        default: set(in, constant_leaves(in.result)); return true;
      }
    case spv::OpCopyLogical: set(in, leaves(in[0])); return true;
    case spv::OpCompositeConstruct: {
      Leaves parts;
      for (Id part : in.operands) {
        const Leaves l = leaves(part);
        parts.insert(parts.end(), l.begin(), l.end());
      }
      if (is_leaf(in.type)) {
        Vec<Operand> lanes;
        for (const Operand& p : parts)
          for (unsigned i = 0; i < p.comps; ++i) lanes.push_back(p.lane(i));
        set(in, lanes_to(in, lanes));
      } else {
        set(in, parts);
      }
      return true;
    }
    case spv::OpCompositeExtract: {
      Leaves value = leaves(in[0]);
      Id type = spv_.def(in[0]).type;
      size_t first = 0;
      for (size_t i = 1; i < in.size(); ++i) {
        if (spv_.def(type).op == spv::OpTypeVector) {
          set(in, value.at(first).lane(in[i]));
          return true;
        }
        first += first_leaf(type, in[i]);
        type = member_type(type, in[i]);
      }
      const size_t count = leaf_count(type);
      if (first > value.size() || count > value.size() - first) fail(in, "a part beyond its composite", "the SPIR-V is not valid");
      set(in, Leaves(value.begin() + long(first), value.begin() + long(first + count)));
      return true;
    }
    case spv::OpCompositeInsert: {
      const Leaves part = leaves(in[0]);
      Leaves value = leaves(in[1]);
      Id type = in.type;
      size_t first = 0;
      for (size_t i = 2; i < in.size(); ++i) {
        if (spv_.def(type).op == spv::OpTypeVector) {
          Operand& old = value.at(first);
          Vec<Operand> lanes;
          for (unsigned lane = 0; lane < old.comps; ++lane) lanes.push_back(lane == in[i] ? part.at(0) : old.lane(lane));
          old = b_.vec(lanes);
          set(in, value);
          return true;
        }
        first += first_leaf(type, in[i]);
        type = member_type(type, in[i]);
      }
      for (size_t i = 0; i < part.size(); ++i) value.at(first + i) = part[i];
      set(in, value);
      return true;
    }
    case spv::OpVectorShuffle: {
      const Operand a = operand(in[0]), b = operand(in[1]);
      Vec<Operand> lanes;
      for (size_t i = 2; i < in.size(); ++i) {
        const uint32_t k = in[i] == 0xFFFFFFFF ? 0 : in[i];  // undefined lanes: any
        lanes.push_back(k < a.comps ? a.lane(k) : b.lane(k - a.comps));
      }
      set(in, lanes_to(in, lanes));
      return true;
    }
    case spv::OpVectorExtractDynamic: set(in, extract_dynamic(operand(in[0]), index_operand(in[1]))); return true;
    case spv::OpVectorInsertDynamic: set(in, insert_dynamic(operand(in[0]), operand(in[1]), index_operand(in[2]))); return true;
    default: return false;
  }
}

bool Translator::matrix(const Inst& in) {
  auto times_vector = [&](const Leaves& m, const Operand& v) {
    Operand sum = b_.mul(m[0], v.lane(0));
    for (unsigned i = 1; i < m.size(); ++i) sum = b_.mad(m[i], v.lane(i), sum);
    return sum;
  };
  switch (in.op) {
    case spv::OpMatrixTimesVector: set(in, times_vector(columns(in[0]), operand(in[1]))); return true;
    case spv::OpVectorTimesMatrix: {
      const Operand v = operand(in[0]);
      Vec<Operand> lanes;
      for (const Operand& column : columns(in[1])) lanes.push_back(b_.dot(v, column));
      set(in, lanes_to(in, lanes));
      return true;
    }
    case spv::OpMatrixTimesMatrix: {
      const Leaves m = columns(in[0]);
      Leaves r;
      for (const Operand& column : columns(in[1])) r.push_back(times_vector(m, column));
      set(in, r);
      return true;
    }
    case spv::OpMatrixTimesScalar: {
      const Operand s = operand(in[1]);
      Leaves r;
      for (const Operand& column : columns(in[0])) r.push_back(product(in, column, s));
      set(in, r);
      return true;
    }
    case spv::OpOuterProduct: {
      const Operand column = operand(in[0]), row = operand(in[1]);
      Leaves r;
      for (unsigned i = 0; i < row.comps; ++i) r.push_back(product(in, column, row.lane(i)));
      set(in, r);
      return true;
    }
    case spv::OpTranspose: {
      const Leaves m = columns(in[0]);
      Leaves r;
      for (unsigned row = 0; row < m[0].comps; ++row) {
        Vec<Operand> lanes;
        for (const Operand& column : m) lanes.push_back(column.lane(row));
        r.push_back(b_.vec(lanes));
      }
      set(in, r);
      return true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::frontend
