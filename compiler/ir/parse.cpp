// SPDX-License-Identifier: MIT
/// Reads the text form of a module; grammar in ir.h. Accepts what print() writes (plus comments and free white space) and checks form
/// only: validate() checks meaning.
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "compiler/ir/ir.h"
#include "compiler/ir/names.h"
#include "compiler/stages.h"

namespace pumice::compiler::ir {
namespace {

constexpr uint32_t kMaxValue = 1u << 20;  // bounds the table size for malformed input
constexpr int kMaxDepth = 200;

template <size_t N>
std::optional<size_t> find_name(const std::string_view (&names)[N], std::string_view name) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == name) return i;
  return std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, Module& out) : text_(text), m_(out) {}

  bool run(std::string& error) {
    m_ = Module{};
    if (header() && declarations()) list(m_.body, 0);
    if (error_.empty()) {
      skip();
      if (at_ < text_.size()) fail("unexpected text");
    }
    error = error_;
    return error.empty();
  }

 private:
  bool fail(const std::string& what) {
    if (!error_.empty()) return false;
    size_t line = 1;
    for (size_t i = 0; i < at_ && i < text_.size(); ++i) line += text_[i] == '\n';
    error_ = "line " + std::to_string(line) + ": " + what;
    return false;
  }
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (std::isspace(static_cast<unsigned char>(text_[at_])))
        ++at_;
      else
        return;
    }
  }
  bool peek(std::string_view s) {
    skip();
    if (text_.substr(at_, s.size()) != s) return false;
    // A word must end where it ends: "if" is no prefix of "iffy".
    auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !is_word(s.back()) || at_ + s.size() >= text_.size() || !is_word(text_[at_ + s.size()]);
  }
  bool accept(std::string_view s) {
    if (!peek(s)) return false;
    at_ += s.size();
    return true;
  }
  bool expect(std::string_view s) { return accept(s) || fail("expected '" + std::string(s) + "'"); }
  std::string_view word() {
    skip();
    const size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return text_.substr(start, at_ - start);
  }
  bool number(uint32_t& v) {
    skip();
    const auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (r.ec != std::errc{}) return fail("expected a number");
    at_ = size_t(r.ptr - text_.data());
    return true;
  }
  bool key(std::string_view name, uint32_t& v) { return expect(name) && expect("=") && number(v); }
  bool real(float& f) {
    skip();
    size_t end = at_;
    while (end < text_.size() && !std::isspace(static_cast<unsigned char>(text_[end]))) ++end;
    const std::string s(text_.substr(at_, end - at_));
    if (s.starts_with("0x")) {
      uint32_t bits = 0;
      const auto r = std::from_chars(s.data() + 2, s.data() + s.size(), bits, 16);
      if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return fail("bad bits '" + s + "'");
      f = std::bit_cast<float>(bits);
    } else if (s == "inf" || s == "-inf") {
      f = s[0] == '-' ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
    } else {
      const auto r = std::from_chars(s.data(), s.data() + s.size(), f);
      if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return fail("bad number '" + s + "'");
    }
    at_ = end;
    return true;
  }
  /// A lane of a constant of an integer or boolean type, signed or not.
  bool integer(uint32_t& word) {
    skip();
    int64_t v = 0;
    const auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (r.ec != std::errc{} || v < INT32_MIN || v > int64_t{UINT32_MAX}) return fail("expected a number of 32 bits");
    at_ = size_t(r.ptr - text_.data());
    word = uint32_t(v);
    return true;
  }
  bool at_real() {
    skip();
    if (at_ >= text_.size()) return false;
    const char c = text_[at_];
    return std::isdigit(static_cast<unsigned char>(c)) || c == '-' || text_.substr(at_, 3) == "inf";
  }
  bool type(Type& t, uint8_t& comps) {
    std::string_view w = word();
    comps = 1;
    if (w.size() > 2 && w[w.size() - 2] == 'x') {
      comps = uint8_t(w.back() - '0');
      w.remove_suffix(2);
    }
    const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeInfo& row) { return row.text == w; });
    if (found == std::end(kTypes) || comps < 1 || comps > 4) return fail("expected a type");
    t = Type(found - std::begin(kTypes));
    m_.wide |= is_wide(t);
    return true;
  }
  bool id(ValueId& v) { return expect("%") && number(v) && (v != 0 && v < kMaxValue ? true : fail("bad value number")); }
  bool define(ValueId& v) {
    Value value;
    if (!id(v) || !expect(":") || !type(value.type, value.comps)) return false;
    if (v >= m_.values.size()) m_.values.resize(v + 1);
    m_.values[v] = value;
    return true;
  }
  bool source(Source& s) {
    s = Source{};
    s.negate = accept("-");
    s.abs = accept("|");
    if (!id(s.value) || !expect(".")) return false;
    const std::string_view lanes = word();
    if (lanes.empty() || lanes.size() > 4) return fail("expected a swizzle");
    for (size_t i = 0; i < 4; ++i) {
      const size_t lane = std::string_view("xyzw").find(lanes[std::min(i, lanes.size() - 1)]);
      if (lane == std::string_view::npos) return fail("bad swizzle");
      s.swizzle[i] = uint8_t(lane);
    }
    return !s.abs || expect("|");
  }
  /// A source on the same line: the next line may begin with the value it defines.
  bool at_source() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() && (text_[at_] == '%' || text_[at_] == '-' || text_[at_] == '|');
  }
  bool mask(uint8_t& bits) {
    if (!expect("mask") || !expect("=")) return false;
    bits = 0;
    for (char c : word()) {
      const size_t lane = std::string_view("xyzw").find(c);
      if (lane == std::string_view::npos) return fail("bad mask");
      bits = uint8_t(bits | 1u << lane);
    }
    return true;
  }

  bool header() {
    if (!expect("shader")) return false;
    const std::string_view name = word();
    const auto* stage = std::find_if(std::begin(kStageRows), std::end(kStageRows), [&](const StageRow& row) { return row.name == name; });
    if (stage == std::end(kStageRows)) return fail("expected a stage");
    m_.stage = Stage(stage - std::begin(kStageRows));
    if (!expect("\"")) return false;
    const size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) return fail("open string");
    m_.name = text_.substr(at_, end - at_);
    at_ = end + 1;
    m_.floats_only = accept("floats_only");
    m_.early_fragment_tests = accept("early_fragment_tests");
    return true;
  }
  template <class T>
  bool place(T& item) {
    const auto located = [&] {
      uint32_t component = 0;
      if (!expect("=") || !number(item.location) || !key("component", component)) return false;
      item.component = uint8_t(component);
      return true;
    };
    if (accept("location")) return located();
    const auto found = find_name(kBuiltinNames, word());
    if (!found) return fail("unknown builtin");
    item.builtin = Builtin(*found);
    return !is_located(item.builtin) || (expect("location") && located());
  }
  template <class T>
  bool row(Vec<T>& table, T*& item) {
    uint32_t n = 0;
    if (!number(n)) return false;
    if (n != table.size()) return fail("table rows must be numbered in order");
    item = &table.emplace_back();
    return true;
  }
  bool declarations() {
    while (true) {
      if (accept("push")) {
        if (!key("size", m_.push_size)) return false;
      } else if (accept("input")) {
        Input* in = nullptr;
        if (!row(m_.inputs, in) || !place(*in) || !type(in->type, in->comps)) return false;
        in->flat = accept("flat");
        in->no_perspective = accept("noperspective");
        in->centroid = accept("centroid");
        in->sample = accept("sample");
        if (accept("corner")) {
          uint32_t corner = 0;
          if (!expect("=") || !number(corner)) return false;
          in->corner = uint8_t(corner);
        }
      } else if (accept("output")) {
        Output* o = nullptr;
        if (!row(m_.outputs, o) || !place(*o) || !type(o->type, o->comps)) return false;
        o->second = accept("second");
      } else if (accept("uniform")) {
        UniformBlock* u = nullptr;
        if (!row(m_.uniforms, u)) return false;
        if (accept("immediate")) {
          while (at_real())
            if (!real(u->immediate.emplace_back())) return false;
          u->size = uint32_t(u->immediate.size() * 4);
        } else {
          u->push = accept("push");
          if (!u->push && (!key("set", u->set) || !key("binding", u->binding) || !key("element", u->element))) return false;
          if (!key("size", u->size)) return false;
          if (accept("i32")) u->view = Type::i32;
          if (accept("u32")) u->view = Type::u32;
        }
      } else if (accept("texture")) {
        Texture* t = nullptr;
        const auto binding = [&](TextureBinding& b) { return key("set", b.set) && key("binding", b.binding) && key("element", b.element); };
        if (!row(m_.textures, t) || !binding(t->pair.image)) return false;
        if (accept("sampler")) {
          if (!binding(t->pair.sampler.emplace())) return false;
        } else if (!accept("no_sampler")) {
          t->pair.sampler = t->pair.image;
        }
        const auto dim = find_name(kDimNames, word());
        if (!dim) return fail("unknown dimension");
        t->dim = TextureUse::Dim(*dim);
        t->shadow = accept("shadow");
        t->input_attachment = accept("input_attachment");
        t->level0_offsets = accept("level0_offsets");
        t->unnormalized = accept("unnormalized");
      } else if (accept("temp")) {
        Temp* t = nullptr;
        if (!row(m_.temps, t) || !key("elements", t->elements) || !type(t->type, t->comps)) return false;
      } else if (accept("memory")) {
        m_.memory = true;
      } else if (accept("resource")) {
        if (!resource()) return false;
      } else if (accept("local_size")) {
        for (uint32_t& n : m_.local_size)
          if (!number(n)) return false;
      } else if (accept("shared_bytes")) {
        if (!number(m_.shared_bytes)) return false;
      } else if (accept("scratch_bytes")) {
        if (!number(m_.scratch_bytes)) return false;
      } else if (accept("depth_mode")) {
        uint32_t mode = 0;
        if (!number(mode) || mode > 3) return fail("unknown depth mode");
        m_.depth_mode = Module::DepthMode(mode);
      } else if (accept("per_sample")) {
        m_.per_sample = true;
      } else if (accept("signed_zeros")) {
        m_.signed_zeros = true;
      } else {
        return true;
      }
    }
  }
  bool resource() {
    Resource* r = nullptr;
    if (!row(m_.resources, r)) return false;
    DescriptorLayout& l = r->layout;
    const auto kind = find_name(kResourceNames, word());
    if (!kind) return fail("unknown kind of resource");
    l.kind = DescriptorLayout::Kind(*kind);
    if (!key("set", l.set) || !key("binding", l.binding) || !key("count", l.count) || !key("offset", l.offset) || !key("stride", l.stride))
      return false;
    l.dynamic = accept("dynamic");
    const auto dim = find_name(kDimNames, word());
    if (!dim) return fail("unknown dimension");
    r->dim = TextureUse::Dim(*dim);
    r->texels = accept("texels");
    r->arrayed = accept("array");
    r->multisampled = accept("ms");
    uint8_t comps = 1;
    if (!type(r->type, comps)) return false;
    r->written = accept("written");
    return true;
  }
  /// `name` `=` number on the same line.
  bool maybe_key(std::string_view name, uint32_t& v) { return !peek(name) || key(name, v); }
  bool access(Instruction& in) {
    Access a;
    uint32_t sampler = 0, width = 0, sub = 0;
    if (!maybe_key("offset", in.offset) || !maybe_key("element", a.element) || !maybe_key("sampler", sampler) ||
        !maybe_key("sampler_element", a.sampler_element) || !maybe_key("width", width) || !maybe_key("sub", sub))
      return false;
    a.sampler = uint16_t(sampler);
    a.width = uint8_t(width);
    a.sub = uint8_t(sub);
    for (unsigned i = 0; i < std::size(kAccessNames); ++i)
      if (accept(kAccessNames[i])) a.flags = uint8_t(a.flags | 1u << i);
    in.set_access(a);
    return !peek("mask") || mask(in.mask);
  }

  bool dynamic(Instruction& in) {
    if (!accept("[")) return true;
    return source(in.source[in.source_count++]) && key("max", in.max_index) && expect("]");
  }
  bool instruction(Instruction& in) {
    const std::string_view name = word();
    size_t op = 0;
    while (op < op_count() && info(Op(op)).name != name) ++op;
    if (op == op_count()) return fail("unknown operation '" + std::string(name) + "'");
    in.op = Op(op);
    in.saturate = accept(".sat");
    in.precise = accept(".precise");
    switch (in.op) {
      case Op::constant:
        for (unsigned i = 0; i < m_.comps(in.result); ++i) {
          uint32_t& word = in.constant.bits[i];
          float x = 0;
          if (is_typed(m_.value(in.result).type) ? !integer(word) : !real(x)) return false;
          if (!is_typed(m_.value(in.result).type)) word = std::bit_cast<uint32_t>(x);
        }
        return true;
      case Op::load_input: return number(in.index);
      case Op::load_uniform:
      case Op::load_temp: return number(in.index) && key("offset", in.offset) && dynamic(in);
      case Op::load_push: return key("offset", in.offset) && dynamic(in);
      case Op::load_param: {
        const auto parameter = find_name(kParameterNames, word());
        if (!parameter) return fail("unknown parameter");
        in.parameter = ConstantRange::Parameter(*parameter);
        return number(in.index) && key("offset", in.offset);
      }
      case Op::store_temp: {
        Instruction index;
        if (!number(in.index) || !key("offset", in.offset) || !dynamic(index) || !source(in.source[in.source_count++])) return false;
        if (index.source_count) in.source[in.source_count++] = index.source[0];
        in.max_index = index.max_index;
        return mask(in.mask);
      }
      case Op::store_output: return number(in.index) && source(in.source[in.source_count++]) && mask(in.mask);
      case Op::tex:
      case Op::sample: {
        if (!number(in.index)) return false;
        const auto kind = find_name(kTexKindNames, word());
        if (!kind) return fail("unknown texture operation");
        in.tex_kind = TexKind(*kind);
        in.dref = accept("dref");
        break;
      }
      default:
        if (names_row(in.op) && !number(in.index)) return false;
        break;
    }
    while (info(in.op).sources != 0 && at_source()) {
      if (in.source_count == 4) return fail("too many sources");
      if (!source(in.source[in.source_count++])) return false;
    }
    return !is_ext(in.op) || access(in);
  }

  bool results(Vec<ValueId>& ids) {
    if (!accept("->")) return true;
    do {
      if (!define(ids.emplace_back())) return false;
    } while (accept(","));
    return true;
  }
  bool block_of(NodeList& nodes, int depth) { return expect("{") && list(nodes, depth + 1) && expect("}"); }

  bool list(NodeList& nodes, int depth) {
    if (depth > kMaxDepth) return fail("nested too deeply");
    while (true) {
      skip();
      if (at_ >= text_.size() || peek("}")) return true;
      if (accept("if")) {
        Node& node = nodes.emplace_back();
        node.kind = Node::Kind::branch;
        if (!source(node.cond) || !results(node.results) || !block_of(node.then_list, depth)) return false;
        if (accept("else") && !block_of(node.else_list, depth)) return false;
      } else if (accept("loop")) {
        Node& node = nodes.emplace_back();
        node.kind = Node::Kind::loop;
        if (peek("%")) {
          do {
            if (!define(node.params.emplace_back()) || !expect("=") || !source(node.args.emplace_back())) return false;
          } while (accept(","));
        }
        if (!results(node.results) || !block_of(node.then_list, depth)) return false;
      } else if (peek("yield") || peek("break") || peek("continue")) {
        Node& node = nodes.emplace_back();
        node.kind = Node::Kind::jump;
        node.jump = Node::Jump(*find_name(kJumpNames, word()));
        if (at_source()) {
          do {
            if (!source(node.args.emplace_back())) return false;
          } while (accept(","));
        }
      } else {
        if (nodes.empty() || nodes.back().kind != Node::Kind::block) nodes.emplace_back();
        Instruction in;
        if (peek("%") && (!define(in.result) || !expect("="))) return false;
        if (!instruction(in)) return false;
        nodes.back().instructions.push_back(in);
      }
    }
  }

  std::string_view text_;
  Module& m_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace

bool parse(std::string_view text, Module& out, std::string& error) { return Parser(text, out).run(error); }

}  // namespace pumice::compiler::ir
