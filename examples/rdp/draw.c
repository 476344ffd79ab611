/* SPDX-License-Identifier: MIT */
/* Draws with the RDP, without an emulator: a cleared screen, a shaded, z-buffered triangle and a translucent rectangle over
 * it. Commands are plain 64-bit words; docs/rdp.md names their fields. --png writes the picture.
 *
 *   cc draw.c $(pkg-config --cflags --libs pumice-rdp libpng) && ./a.out --png picture.png
 */
#include <png.h>
#include <pumice/rdp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLOR = 0x100000, DEPTH = 0x300000, RDRAM_SIZE = 8 << 20, MAX_SIZE = 1000 };

static uint64_t op(unsigned opcode) { return (uint64_t)opcode << 56; }
static uint64_t sync_pipe(void) { return op(0x27); }
static uint64_t scissor(unsigned x0, unsigned y0, unsigned x1, unsigned y1) {
  return op(0x2D) | (uint64_t)(x0 * 4) << 44 | (uint64_t)(y0 * 4) << 32 | x1 * 4 << 12 | y1 * 4;
}
/* 16-bit RGBA */
static uint64_t color_image(unsigned address, unsigned width) {
  return op(0x3F) | (uint64_t)2 << 51 | (uint64_t)(width - 1) << 32 | address;
}
static uint64_t z_image(unsigned address) { return op(0x3E) | address; }
static uint64_t fill_color(unsigned halfword) { return op(0x37) | halfword << 16 | halfword; }
static uint64_t prim_color(unsigned rgba) { return op(0x3A) | rgba; }
static uint64_t rectangle(unsigned x0, unsigned y0, unsigned x1, unsigned y1) {
  return op(0x36) | (uint64_t)(x1 * 4) << 44 | (uint64_t)(y1 * 4) << 32 | x0 * 4 << 12 | y0 * 4;
}
/* Other modes: cycle type in bits 53-52, no dither in 39-36, the blender's selectors from bit 31 down. */
static uint64_t fill_mode(void) { return op(0x2F) | (uint64_t)3 << 52; }
static uint64_t one_cycle(uint64_t more) { return op(0x2F) | (uint64_t)0xF << 36 | more; }
/* The second cycle's combiner: (0 - 0) * 0 + D, D = 4 shade or 3 primitive colour, for colour and alpha. */
static uint64_t combine(unsigned d) {
  return op(0x3C) | (uint64_t)8 << 37 | (uint64_t)16 << 32 | 8 << 24 | 7 << 21 | 7 << 18 | d << 6 | 7 << 3 | d;
}

/* Two halves of four s15.16 numbers each: integer parts, then fractions two words below. */
static void coefficients(uint64_t* integer, uint64_t* fraction, const double v[4]) {
  *integer = *fraction = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t f = (uint32_t)(int32_t)(v[i] * 65536.0);
    *integer = *integer << 16 | f >> 16;
    *fraction = *fraction << 16 | (f & 0xFFFF);
  }
}

/* A right triangle with its vertical edge at x0 and its horizontal edge at y1; red, green and blue corners. */
static void triangle(uint64_t w[14], double x0, double y0, double x1, double y1) {
  const double slope = (x1 - x0) / (y1 - y0), across = x1 - x0, down = y1 - y0;
  const uint32_t s = (uint32_t)(int32_t)(slope * 65536.0), x = (uint32_t)(x0 * 65536.0);
  w[0] = op(0x0D) | (uint64_t)1 << 55 | (uint64_t)(y1 * 4) << 32 | (uint64_t)(y1 * 4) << 16 | (uint64_t)(y0 * 4);
  w[1] = (uint64_t)x << 32; /* L edge: not reached */
  w[2] = (uint64_t)x << 32; /* H edge: vertical, on the left */
  w[3] = (uint64_t)x << 32 | s;
  const double base[4] = {255, 0, 0, 255}, dx[4] = {0, -255 / across, 255 / across, 0}, dy[4] = {-255 / down, 255 / down, 0, 0};
  coefficients(&w[4], &w[6], base);
  coefficients(&w[5], &w[7], dx);
  coefficients(&w[8], &w[10], dy); /* along the H edge: the same as per y here */
  coefficients(&w[9], &w[11], dy);
  w[12] = (uint64_t)(0x4000u << 16) << 32; /* z in the middle of the range, no slope */
  w[13] = 0;
}

/* The options of the other examples, as far as a program without a window or a Vulkan device has them. */
struct options {
  unsigned width, height;
  unsigned long frames;
  const char* png;
};

static void usage(const char* program, int code) {
  fprintf(code ? stderr : stdout,
          "usage: %s [--headless] [--png FILE] [--size WxH] [--frames N] [--validate]\n"
          "  --headless   accepted; this example has no window\n"
          "  --png FILE   write the last frame\n"
          "  --size WxH   picture size (default 320x240), each 32..%d\n"
          "  --frames N   stop after N frames (default: 1)\n"
          "  --validate   accepted; commands that would hang the chip always fail the program\n",
          program, MAX_SIZE);
  exit(code);
}

static struct options parse(int argc, char** argv) {
  struct options o = {320, 240, 1, NULL};
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    char rest = 0;
    if (!strcmp(word, "--headless") || !strcmp(word, "--validate")) continue;
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) usage(argv[0], 0);
    const int known = !strcmp(word, "--png") || !strcmp(word, "--size") || !strcmp(word, "--frames");
    if (!known || !value) {
      fprintf(stderr, known ? "%s: %s needs a value\n" : "%s: unknown option %s\n", argv[0], word);
      usage(argv[0], 2);
    }
    ++i;
    if (!strcmp(word, "--png")) {
      o.png = value;
    } else if (!strcmp(word, "--size")) {
      if (sscanf(value, "%ux%u%c", &o.width, &o.height, &rest) != 2 || o.width < 32 || o.height < 32 || o.width > MAX_SIZE ||
          o.height > MAX_SIZE) {
        fprintf(stderr, "%s: --size %s: expected WxH, each 32..%d\n", argv[0], value, MAX_SIZE);
        usage(argv[0], 2);
      }
    } else {
      char* end;
      o.frames = strtoul(value, &end, 10);
      if (*end || end == value || !o.frames) {
        fprintf(stderr, "%s: --frames %s: expected a positive number\n", argv[0], value);
        usage(argv[0], 2);
      }
    }
  }
  return o;
}

/* What the chip's user hears of it. */
struct events {
  unsigned long frames, faults;
};

static void on_sync_full(void* user) { ++((struct events*)user)->frames; }
static void on_fault(void* user, pumice_rdp_fault fault, uint64_t word) {
  ++((struct events*)user)->faults;
  fprintf(stderr, "fault: %s (%016llx)\n", pumice_rdp_fault_text(fault), (unsigned long long)word);
}

static void draw(pumice_rdp* rdp, unsigned width, unsigned height) {
  /* Clear depth and colour with fill mode: the colour image is pointed at either in turn. */
  const uint64_t clear[] = {fill_mode(),
                            scissor(0, 0, width, height),
                            color_image(DEPTH, width),
                            fill_color(0xFFFC),
                            rectangle(0, 0, width - 1, height - 1),
                            sync_pipe(),
                            color_image(COLOR, width),
                            fill_color(0x194B),
                            rectangle(0, 0, width - 1, height - 1),
                            z_image(DEPTH),
                            sync_pipe()};
  pumice_rdp_enqueue(rdp, clear, sizeof clear / sizeof *clear);

  /* Triangle: z compare and update, image read, anti-aliasing; the blender mixes by coverage (P pixel, A pixel alpha,
   * M memory, B memory alpha). */
  uint64_t list[32] = {one_cycle(1u << 22 | 1u << 18 | 1u << 6 | 1u << 5 | 1u << 4 | 1u << 3), combine(4)};
  triangle(list + 2, width / 8, height / 12, width - width / 8, height - height / 12);
  pumice_rdp_enqueue(rdp, list, 16);

  /* Translucent rectangle: force_blend with 1 - alpha, primitive colour and depth ignored. */
  const uint64_t glass[] = {sync_pipe(),
                            one_cycle(1u << 22 | 1u << 14 | 1u << 6),
                            combine(3),
                            prim_color(0xFFFFFF80u),
                            rectangle(width / 2, height / 6, width - width / 16, height * 7 / 12),
                            op(0x29)};
  pumice_rdp_enqueue(rdp, glass, sizeof glass / sizeof *glass);
}

static unsigned pixel(const uint8_t* rdram, unsigned index) {
  return (unsigned)rdram[COLOR + 2 * index] << 8 | rdram[COLOR + 2 * index + 1];
}

static int write_png(const char* path, const uint8_t* rdram, unsigned width, unsigned height) {
  png_image image;
  uint8_t* rgb = malloc((size_t)3 * width * height);
  if (!rgb) return 0;
  for (unsigned i = 0; i < width * height; ++i)
    for (int c = 0; c < 3; ++c) rgb[3 * i + (unsigned)c] = (uint8_t)((pixel(rdram, i) >> (11 - 5 * c) & 31) * 255 / 31);
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  const int written = png_image_write_to_file(&image, path, 0, rgb, 0, NULL);
  if (!written) fprintf(stderr, "%s: %s\n", path, image.message);
  free(rgb);
  return written;
}

int main(int argc, char** argv) {
  const struct options options = parse(argc, argv);
  const unsigned width = options.width, height = options.height;
  uint8_t* rdram = calloc(1, RDRAM_SIZE);
  struct events events = {0, 0};
  pumice_rdp_info info = {0};
  info.version = PUMICE_RDP_VERSION;
  info.byte_order = PUMICE_RDP_BIG_ENDIAN;
  info.rdram = rdram;
  info.rdram_size = RDRAM_SIZE;
  info.sync_full = on_sync_full;
  info.fault = on_fault;
  info.user = &events;
  pumice_rdp* rdp = rdram ? pumice_rdp_create(&info) : NULL;
  if (!rdp) return 1;
  for (unsigned long i = 0; i < options.frames; ++i) draw(rdp, width, height);
  pumice_rdp_sync(rdp);

  const int written = !options.png || write_png(options.png, rdram, width, height);
  /* The triangle, the glass over the background, and the cleared background must all be there. */
  const unsigned background = pixel(rdram, 0), inside = pixel(rdram, width * (height * 5 / 6) + width * 3 / 16),
                 under_glass = pixel(rdram, width * (height / 4) + width * 25 / 32);
  pumice_rdp_destroy(rdp);
  free(rdram);
  if (options.png && written) printf("%s\n", options.png);
  printf("%lu frames, background %04x, triangle %04x, glass %04x\n", events.frames, background, inside, under_glass);
  const int drawn = background == 0x194B && inside != background && under_glass != background && under_glass != inside;
  return written && !events.faults && events.frames == options.frames && drawn ? 0 : 1;
}
