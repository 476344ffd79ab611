/* SPDX-License-Identifier: MIT */
/* Draws with the RDP, without an emulator: a cleared 320x240 screen, a shaded, z-buffered triangle and a translucent
 * rectangle over it. The picture is written as PPM. Commands are plain 64-bit words; docs/rdp.md names their fields.
 *
 *   cc draw.c $(pkg-config --cflags --libs pumice-rdp) && ./a.out picture.ppm
 */
#include <pumice/rdp.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 320, HEIGHT = 240, COLOR = 0x100000, DEPTH = 0x180000, RDRAM_SIZE = 4 << 20 };

static uint64_t op(unsigned opcode) { return (uint64_t)opcode << 56; }
static uint64_t sync_pipe(void) { return op(0x27); }
static uint64_t scissor(unsigned x0, unsigned y0, unsigned x1, unsigned y1) {
  return op(0x2D) | (uint64_t)(x0 * 4) << 44 | (uint64_t)(y0 * 4) << 32 | x1 * 4 << 12 | y1 * 4;
}
/* 16-bit RGBA */
static uint64_t color_image(unsigned address) { return op(0x3F) | (uint64_t)2 << 51 | (uint64_t)(WIDTH - 1) << 32 | address; }
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

static void on_sync_full(void* user) { ++*(int*)user; }
static void on_fault(void* user, pumice_rdp_fault fault, uint64_t word) {
  (void)user;
  fprintf(stderr, "fault: %s (%016llx)\n", pumice_rdp_fault_text(fault), (unsigned long long)word);
}

int main(int argc, char** argv) {
  uint8_t* rdram = calloc(1, RDRAM_SIZE);
  int frames = 0;
  pumice_rdp_info info = {0};
  info.version = PUMICE_RDP_VERSION;
  info.byte_order = PUMICE_RDP_BIG_ENDIAN;
  info.rdram = rdram;
  info.rdram_size = RDRAM_SIZE;
  info.sync_full = on_sync_full;
  info.fault = on_fault;
  info.user = &frames;
  pumice_rdp* rdp = rdram ? pumice_rdp_create(&info) : NULL;
  if (!rdp) return 1;

  /* Clear depth and colour with fill mode: the colour image is pointed at either in turn. */
  const uint64_t clear[] = {fill_mode(),
                            scissor(0, 0, WIDTH, HEIGHT),
                            color_image(DEPTH),
                            fill_color(0xFFFC),
                            rectangle(0, 0, WIDTH - 1, HEIGHT - 1),
                            sync_pipe(),
                            color_image(COLOR),
                            fill_color(0x194B),
                            rectangle(0, 0, WIDTH - 1, HEIGHT - 1),
                            z_image(DEPTH),
                            sync_pipe()};
  pumice_rdp_enqueue(rdp, clear, sizeof clear / sizeof *clear);

  /* Triangle: z compare and update, image read, anti-aliasing; the blender mixes by coverage (P pixel, A pixel alpha,
   * M memory, B memory alpha). */
  uint64_t list[32] = {one_cycle(1u << 22 | 1u << 18 | 1u << 6 | 1u << 5 | 1u << 4 | 1u << 3), combine(4)};
  triangle(list + 2, 40, 20, 280, 220);
  pumice_rdp_enqueue(rdp, list, 16);

  /* Translucent rectangle: force_blend with 1 - alpha, primitive colour and depth ignored. */
  const uint64_t glass[] = {
      sync_pipe(), one_cycle(1u << 22 | 1u << 14 | 1u << 6), combine(3), prim_color(0xFFFFFF80u), rectangle(160, 40, 300, 140), op(0x29)};
  pumice_rdp_enqueue(rdp, glass, sizeof glass / sizeof *glass);
  pumice_rdp_sync(rdp);

  FILE* f = argc > 1 ? fopen(argv[1], "wb") : NULL;
  if (f) {
    fprintf(f, "P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
      const unsigned v = (unsigned)rdram[COLOR + 2 * i] << 8 | rdram[COLOR + 2 * i + 1];
      for (int shift = 11; shift > 0; shift -= 5) fputc((int)((v >> shift & 31) * 255 / 31), f);
    }
    fclose(f);
  }
  /* The triangle's corner, the glass over it, and the cleared background must all be there. */
  const unsigned background = rdram[COLOR + 1], inside = rdram[COLOR + 2 * (WIDTH * 200 + 60)],
                 under_glass = rdram[COLOR + 2 * (WIDTH * 60 + 250)];
  pumice_rdp_destroy(rdp);
  free(rdram);
  printf("%d frame, background %02x, triangle %02x, glass %02x\n", frames, background, inside, under_glass);
  return frames == 1 && background == 0x4B && inside != 0x19 && under_glass != 0x19 ? 0 : 1;
}
