// SPDX-License-Identifier: MIT
/// The compiler's facade: SPIR-V of a pipeline's stages -> microcode (PVS, US) plus everything the driver needs to feed it (constant
/// map, texture map, vertex inputs, interpolator routing). Uses no Vulkan type and holds no global state.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/chip.h"

namespace pumice::compiler {

enum class Stage : uint8_t { vertex, fragment, compute };  ///< stages.h has a row for each
inline constexpr size_t kStages = 3;

struct Specialization {
  uint32_t constant_id = 0;
  std::vector<uint8_t> bytes;
};

struct ShaderSource {
  std::span<const uint32_t> spirv;
  std::string entry_point = "main";
  std::vector<Specialization> specializations;
  std::string name;  ///< for diagnostics
};

/// Facts about the sampler and image behind one texture unit that the chip cannot handle by state alone, so that the program
/// must (us-isa A8: no shadow compare, no NPOT wrap). Known at draw time: the driver compiles variants by this key.
struct TextureFacts {
  enum class Wrap : uint8_t { hardware, repeat, mirrored_repeat };
  Wrap wrap_s = Wrap::hardware, wrap_t = Wrap::hardware, wrap_r = Wrap::hardware;
  /// Vulkan compare op 0..7 for Dref lookups (VkCompareOp numbering: never, less, equal, lequal, greater, notequal, gequal, always).
  uint8_t compare_op = 3;
  /// A lookup may choose another level than the view's first (matters only where TextureUse::level0_offsets).
  bool several_levels = false;
  /// Coordinates count texels (VkSamplerCreateInfo::unnormalizedCoordinates).
  bool unnormalized = false;
  bool operator==(const TextureFacts&) const = default;
};

struct TextureBinding {
  uint32_t set = 0, binding = 0, element = 0;
  bool operator==(const TextureBinding&) const = default;
};

/// The image and sampler bound to one texture unit. A combined image sampler names the same binding twice; without a sampler the image is
/// used for texel fetches and size queries only.
struct TexturePair {
  TextureBinding image;
  std::optional<TextureBinding> sampler;
  bool operator==(const TexturePair&) const = default;
};
inline TexturePair combined(const TextureBinding& b) { return {b, b}; }

/// What a binding of a descriptor set is, where its descriptors lie (docs/r5x.md, 4.1) and how many there are. Chips with memory only.
/// In place of a set: the chip's memory itself, addressed from 0 on (docs/r5x.md, 4).
constexpr uint32_t kWholeMemory = 15;

struct DescriptorLayout {
  enum class Kind : uint8_t {
    uniform_buffer,  ///< 16 bytes, as all buffers
    storage_buffer,
    sampled_image,     ///< 32 bytes, as all images
    storage_image,     ///< 32 bytes
    input_attachment,  ///< 32 bytes
    sampler,           ///< 16 bytes
    combined,          ///< image, then the sampler at +32
    uniform_texels,    ///< 16 bytes
    storage_texels,    ///< 16 bytes
    any,               ///< of layouts only: what the program says it is
  };
  uint32_t set = 0, binding = 0;  ///< set kWholeMemory: no descriptor
  Kind kind = Kind::uniform_buffer;
  uint32_t count = 1;   ///< array elements
  uint32_t offset = 0;  ///< bytes, a multiple of 16, of element 0 in its set; with `dynamic` in X_*_SET[8]
  uint32_t stride = 0;  ///< bytes, a multiple of 16, from one element to the next
  bool dynamic = false;
  bool operator==(const DescriptorLayout&) const = default;
};

/// The stages of a pipeline: of a graphics one vertex and perhaps fragment, of a compute one compute alone.
struct PipelineSource {
  std::array<std::optional<ShaderSource>, kStages> shaders;  ///< by Stage
  const ChipLimits* chip = nullptr;                          ///< never null when compile() is called; must outlive the call
  /// Chips with memory: every binding that the shaders use. If the list is empty (tools, tests) element e of binding b lies at 64 * (b +
  /// e).
  std::vector<DescriptorLayout> resources;
  /// Facts per texture unit; pairs not listed have the defaults.
  std::vector<std::pair<TexturePair, TextureFacts>> textures;
  /// Bit n: colour attachment n exists and has a float-class format. Outputs without attachment are dropped.
  uint32_t color_attachments = 1;
  /// The rasterizer draws points: gl_PointSize must be written to the vertex output (1.0 if the shader does not).
  bool point_topology = false;
  /// Fill Result::log.
  bool want_log = false;
  /// Check what the passes made for the back ends, and the microcode by the rules of its chip. What is found is an error of the compiler,
  /// and chips report illegal microcode as well: the driver leaves it out, tests and tools do not.
  bool check = true;

  ShaderSource& add(Stage stage) { return shaders[size_t(stage)].emplace(); }
  const ShaderSource* shader(Stage stage) const {
    const std::optional<ShaderSource>& s = shaders[size_t(stage)];
    return s ? &*s : nullptr;
  }
};

/// Where a run of constant slots gets its data from. Slots are vec4s of the stage's constant file.
struct ConstantRange {
  enum class Source : uint8_t {
    immediate,      ///< `immediate` holds 4*count floats
    uniform_block,  ///< bytes [offset, offset+16*count) of the buffer bound at (set, binding, element)
    push_constant,  ///< bytes [offset, offset+16*count) of the push constants
    driver,         ///< `parameter` says what
  };
  enum class Parameter : uint8_t {
    viewport_transform,  ///< (zscale, zoffset, 0, 0): gl_FragCoord.z = ndc.z * zscale + zoffset
    texture_size,        ///< (1/width, 1/height, 1/depth, 0)(level 0, texels) of the image `binding`, then (width, height, depth, levels)
    instance_index,      ///< (instance, 0, 0, 0) as float
    base_vertex,         ///< (first vertex or vertex offset, 0, 0, 0) as float
    viewport_window,     ///< (xscale, xoffset, yscale, yoffset): window x, y of normalized device coordinates
  };
  /// uniform_block, push_constant: the bytes are 32-bit integers, which the driver turns into floats (rounding to nearest beyond 2^24).
  enum class Convert : uint8_t { none, from_int, from_uint };
  Source source = Source::immediate;
  Convert convert = Convert::none;
  uint32_t first_slot = 0, count = 0;
  TextureBinding binding;  ///< uniform_block: its set, binding, element; driver texture_size: the texture
  uint32_t offset = 0;
  std::vector<float> immediate;
  Parameter parameter = Parameter::viewport_transform;
};

/// A vertex shader input: the PSC writes it to PVS input register `reg`.
struct VertexInput {
  enum class Kind : uint8_t { attribute, vertex_index, instance_index };
  Kind kind = Kind::attribute;
  uint32_t location = 0;  ///< attribute
  uint32_t reg = 0;
  uint8_t components = 4;
  bool is_integer = false;  ///< the shader declares int/uint: the PSC must deliver unnormalised integers
  uint8_t corner = 0;       ///< 1, 2: of the next vertex of the triangle, of the one after it (the first follows the last)
};

struct TextureUse {
  TexturePair pair;
  uint32_t unit = 0;  ///< TX unit 0..15
  enum class Dim : uint8_t { d1, d2, d3, cube } dim = Dim::d2;
  bool input_attachment = false;
  bool shadow = false;          ///< used with Dref
  bool level0_offsets = false;  ///< used with texel offsets and an implicit level: images with several levels are refused
};

/// One interpolated vec4: VAP texcoord set `texcoord` (0..9, packet order) to US temp `us_temp` before the first instruction.
struct Varying {
  uint32_t texcoord = 0;
  uint8_t components = 4;
  uint32_t us_temp = 0;
  bool flat = false;
  bool no_perspective = false;
  /// Slopes are those of the variable at `location` (driver/slopes.h).
  enum class Kind : uint8_t { variable, position, slope_x, slope_y } kind = Kind::variable;
  std::optional<uint32_t> location;  ///< of the shaders' variable, for listings: programs from a cache have none
};

struct Statistics {
  uint32_t slots = 0, temps = 0, constants = 0, alu = 0, tex = 0, flow = 0, paired = 0;
  uint32_t levels = 0;  ///< of texture indirection (R3xx)
};

struct VertexProgram {
  std::vector<std::array<uint32_t, 4>> code;  ///< PVS instructions
  uint32_t temps = 0;
  std::vector<ConstantRange> constants;
  std::vector<VertexInput> inputs;
  uint32_t outputs = 1;  ///< output registers written: position, [point size], texcoord sets in order
  bool writes_point_size = false;
  /// Draws must give each vertex the attributes of its triangle's others too.
  bool reads_corners() const {
    for (const VertexInput& i : inputs)
      if (i.corner) return true;
    return false;
  }
  /// Values of VAP_PVS_FLOW_CNTL_OPC and the 16 (LW, UW, LOOP_INDEX) triples; all zero without loops.
  uint32_t flow_opc = 0;
  std::array<std::array<uint32_t, 3>, 16> flow{};
  Statistics stats;
};

/// The microcode of a fragment program of the R3xx (us-isa B1): two stores, and which parts of them each level executes.
struct FragmentLevels {
  std::vector<std::array<uint32_t, 4>> alu;   ///< US_ALU_RGB_ADDR, _ALPHA_ADDR, _RGB_INST, _ALPHA_INST
  std::vector<uint32_t> tex;                  ///< US_TEX_INST
  uint32_t config = 0;                        ///< US_CONFIG
  uint32_t offset = 0;                        ///< US_CODE_OFFSET
  std::array<uint32_t, 4> level{};            ///< US_CODE_ADDR
  bool empty() const { return alu.empty(); }  ///< of another chip
};

struct FragmentProgram {
  std::vector<std::array<uint32_t, 6>> code;  ///< US R5xx slots in stream order (us-isa A1)
  FragmentLevels levels;                      ///< R3xx: instead of `code`
  uint32_t temps = 1;                         ///< frame size, for US_PIXSIZE
  bool full_flow_control = false;             ///< US_FC_CTRL.FULL_FC_EN
  std::array<uint32_t, 32> int_constants{};   ///< US_FC_INT_CONST
  std::vector<ConstantRange> constants;
  std::vector<TextureUse> textures;
  std::optional<uint32_t> frag_coord_xy_temp;  ///< RS writes window x,y of the pixel's corner (COL_CN = 2) to this temp
  std::optional<uint32_t> front_facing_temp;   ///< RS writes the backface flag (COL_CN = 3) to this temp's red
  std::optional<uint32_t> point_coord_temp;    ///< stuffed point coordinate (s, t) as an extra texcoord set after the varyings
  uint32_t color_outputs = 0;                  ///< bit n: target n is written
  bool writes_depth = false, kills = false;
  bool early_tests = false;  ///< depth and stencil tests and writes come before the program whatever it does (early_fragment_tests)
  Statistics stats;
};

/// A descriptor that a program reads or writes by itself or through.
struct XDescriptor {
  uint32_t set = 0, binding = 0;
  DescriptorLayout::Kind kind = DescriptorLayout::Kind::uniform_buffer;
  bool all_elements = false;  ///< indexed at run time; else `element` alone
  uint32_t element = 0;
  bool read = false, written = false;
};

/// A program of docs/r5x.md, section 2, of any stage.
struct XProgram {
  std::vector<std::array<uint32_t, 6>> code;      ///< slots
  std::vector<std::array<uint32_t, 4>> literals;  ///< c[n], bits; they follow the code in memory at the next multiple of 16 bytes
  uint32_t temps = 1;                             ///< 1..128
  uint32_t scratch_bytes = 0;                     ///< of a lane; a multiple of 16
  uint32_t lds_bytes = 0;                         ///< compute: of a workgroup
  std::array<uint32_t, 3> local_size{1, 1, 1};    ///< compute
  uint32_t control = 0;                           ///< fragment: X_FS_CTRL, vertex: X_VS_CTRL
  std::vector<uint32_t> varyings;                 ///< fragment: X_RS_VARYING[n]
  uint32_t attributes = 0;                        ///< vertex: bit n: attribute (location) n is read
  static constexpr uint32_t kNoLocation = ~0u;    ///< of distances
  std::vector<uint32_t> locations;                ///< fragment: of varying n, for listings: programs from a cache have none
  uint32_t color_outputs = 0;                     ///< fragment: bit n: target n is written
  uint32_t push_bytes = 0;                        ///< push constants are read below this offset
  std::vector<XDescriptor> descriptors;           ///< sorted by set, binding, element
  Statistics stats;
};

struct Program {
  VertexProgram vertex;
  FragmentProgram fragment;
  std::vector<Varying> varyings;  ///< sorted by texcoord
  /// Chips with memory: these, by Stage, instead of the three above.
  std::array<std::optional<XProgram>, kStages> x;
};

struct Diagnostic {
  std::string text;               ///< names the shader, the construct or limit, the number needed, and why this chip cannot do it
  std::string file;               ///< of the source text, when the SPIR-V says (OpLine, NonSemantic.Shader.DebugInfo.100)
  uint32_t line = 0, column = 0;  ///< from 1; 0: not known
};

/// Compiles the stages and links them. On failure `program` is empty and `diagnostics` say why. Never throws.
struct Result {
  std::optional<Program> program;
  std::vector<Diagnostic> diagnostics;
  /// When PipelineSource::want_log: IR after each pass and annotated microcode; the source lines of each slot, by Stage ("a.frag:7").
  std::string log;
  std::array<std::vector<std::string>, kStages> lines;
};
Result compile(const PipelineSource& source);

}  // namespace pumice::compiler
