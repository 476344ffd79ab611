// Pictures on canvases: contents of a buffer behind an event, what a draw wrote, overdraw and cost.

// f(x, y, pixel of the planes) for the pixels of the surface in tile number `n` of a piece.
function eachPixel(surface, piece, n, f) {
  const [tx, ty] = piece.tiles[n], base = n * piece.planes * PIXELS;
  const width = Math.min(SIDE, surface.width - tx * SIDE), height = Math.min(SIDE, surface.height - ty * SIDE);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) f(tx * SIDE + x, ty * SIDE + y, base + y * SIDE + x);
}

// Four bytes per pixel (depth: 24 bits and 0) of surface `number` behind `event`. Stepping forward goes on from the last result.
let reached = { number: -1 };
async function contents(number, event) {
  const surface = surfaces[number];
  if (reached.number !== number || reached.frame !== event.frame || reached.event > event.id)
    reached = { number, frame: event.frame, event: -1, bytes: new Uint8Array(4 * surface.width * surface.height) };
  const now = reached;
  for (const e of upTo(event, false)) {
    if (e.id <= now.event) continue;
    for (const piece of piecesOf(e)) {
      if (piece.surface !== number || piece.kind === WORK) continue;
      const planes = await planesOf(piece);
      for (let n = 0; n < piece.tiles.length; n++)
        eachPixel(surface, piece, n, (x, y, i) => {
          const to = 4 * (y * surface.width + x);
          for (let c = 1; c < piece.planes; c++) now.bytes[to + c - 1] = planes[i + c * PIXELS];
        });
    }
    now.event = e.id;
  }
  return now.bytes;
}

// Sums of a plane of the work of events, by pixel of surface `number`.
async function workOf(number, list, read) {
  const surface = surfaces[number], sums = new Uint32Array(surface.width * surface.height);
  for (const e of list)
    for (const piece of piecesOf(e)) {
      if (piece.kind !== WORK || !e.surfaces.includes(number)) continue;
      const planes = await planesOf(piece);
      for (let n = 0; n < piece.tiles.length; n++)
        eachPixel(surface, piece, n, (x, y, i) => { sums[y * surface.width + x] += read(planes, i); });
    }
  return sums;
}
const fragmentsAt = (planes, i) => planes[i];
const failedAt = (planes, i) => planes[i + PIXELS];
const instructionsAt = (planes, i) => planes[i + 2 * PIXELS] + 256 * planes[i + 3 * PIXELS];

// Black, blue, green, yellow, red, white for 0 to 1.
const HEAT = [[0, 0, 0], [30, 60, 200], [30, 170, 90], [240, 220, 60], [230, 60, 40], [255, 255, 255]];
function heat(v) {
  const at = Math.min(v, 1) * (HEAT.length - 1), i = Math.min(Math.floor(at), HEAT.length - 2);
  return HEAT[i].map((c, k) => c + (HEAT[i + 1][k] - c) * (at - i));
}

function heatPicture(image, sums) {
  let most = 0, total = 0, pixels = 0;
  for (const v of sums) { most = Math.max(most, v); total += v; pixels += v > 0; }
  for (let i = 0; i < sums.length; i++) {
    const [r, g, b] = heat(sums[i] / Math.max(most, 1));
    image.data.set([r, g, b, 255], 4 * i);
  }
  return `black 0, white ${most}; ${total} in all on ${pixels} pixels`;
}

function colorPicture(image, bytes) {
  image.data.set(bytes);
  for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
  return "";
}

function depthPicture(image, bytes) {
  const z = new Uint32Array(bytes.buffer);  // 24 bits
  let low = Infinity, high = -Infinity;
  for (const v of z) { low = Math.min(low, v); high = Math.max(high, v); }
  for (let i = 0; i < z.length; i++) {
    const grey = high > low ? 255 * (z[i] - low) / (high - low) : 128;
    image.data.set([grey, grey, grey, 255], 4 * i);
  }
  return `black ${depthText(low)}, white ${depthText(high)}`;
}
const depthText = z => (z / 0xFFFFFF).toFixed(7);

// Marks of one event over darkened contents: green changed, blue the same as before.
async function writtenPicture(image, number, event) {
  const surface = surfaces[number];
  for (let i = 0; i < image.data.length; i++) if (i % 4 < 3) image.data[i] *= 0.35;
  let changed = 0, same = 0;
  for (const piece of piecesOf(event)) {
    if (piece.surface !== number || piece.kind === WORK) continue;
    const planes = await planesOf(piece);
    for (let n = 0; n < piece.tiles.length; n++)
      eachPixel(surface, piece, n, (x, y, i) => {
        if (!planes[i]) return;
        changed += planes[i] === 2;
        same += planes[i] === 1;
        image.data.set(planes[i] === 2 ? [90, 220, 110, 255] : [70, 120, 240, 255], 4 * (y * surface.width + x));
      });
  }
  return `green: changed, ${changed} pixels; blue: written and the same as before, ${same}`;
}

// Draws `view` of a surface on a canvas; the legend.
async function show(canvas, number, event, view, alone) {
  const surface = surfaces[number], image = new ImageData(surface.width, surface.height);
  const sums = { overdraw: fragmentsAt, cost: instructionsAt, failed: failedAt }[view];
  let legend;
  if (sums) {
    legend = heatPicture(image, await workOf(number, upTo(event, alone), sums));
  } else {
    const bytes = await contents(number, event);
    legend = surface.depth ? depthPicture(image, bytes) : colorPicture(image, bytes);
    if (view === "written") legend = await writtenPicture(image, number, event);
  }
  canvas.width = surface.width;
  canvas.height = surface.height;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return legend;
}

// A small picture of what a draw stored in its first buffer: the whole of it, or the part around what is small.
async function thumbnail(canvas, event) {
  const number = event.surfaces[0], surface = surfaces[number];
  if (!surface) return;
  const kind = surface.depth ? DEPTH : COLOR, stored = [];  // x, y, place in the planes, planes
  let x0 = surface.width, y0 = surface.height, x1 = 0, y1 = 0;
  for (const piece of piecesOf(event)) {
    if (piece.surface !== number || piece.kind !== kind) continue;
    const planes = await planesOf(piece);
    for (let n = 0; n < piece.tiles.length; n++)
      eachPixel(surface, piece, n, (x, y, i) => {
        if (!planes[i]) return;
        stored.push([x, y, i, planes]);
        x0 = Math.min(x0, x), y0 = Math.min(y0, y), x1 = Math.max(x1, x + 1), y1 = Math.max(y1, y + 1);
      });
  }
  const width = canvas.width = 144, height = canvas.height = 100, image = new ImageData(width, height);
  const small = x1 - x0 < surface.width / 4 && y1 - y0 < surface.height / 4;
  if (!small) x0 = y0 = 0, x1 = surface.width, y1 = surface.height;
  const scale = Math.min(width / (x1 - x0), height / (y1 - y0), 8);
  for (const [x, y, i, planes] of stored) {
    const from = Math.floor((x - x0) * scale), top = Math.floor((y - y0) * scale);
    const to = Math.min(width, Math.max(from + 1, Math.floor((x + 1 - x0) * scale)));
    const bottom = Math.min(height, Math.max(top + 1, Math.floor((y + 1 - y0) * scale)));
    const color = kind === DEPTH ? [255, 255, 255, 255] : [1, 2, 3].map(c => planes[i + c * PIXELS]).concat(255);
    for (let v = top; v < bottom; v++)
      for (let u = from; u < to; u++) image.data.set(color, 4 * (v * width + u));
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}
