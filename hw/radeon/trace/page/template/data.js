// Blocks of the page (hw/radeon/trace/page/document.cpp, layers.h): decoded when they are looked at.
const index = JSON.parse(document.getElementById("index").textContent);
const SIDE = index.tile, PIXELS = SIDE * SIDE, COLOR = 0, DEPTH = 1, WORK = 2;
const events = index.events, surfaces = index.surfaces;
const draws = events.filter(e => e.draw);
events.forEach((e, i) => { e.id = i; });
draws.forEach((e, i) => { e.order = i; });

function bytesOf(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The pieces of an event's layers: { surface, kind, planes, tiles: [[x, y]], data }.
function piecesOf(event) {
  if (event.pieces) return event.pieces;
  event.pieces = [];
  const bytes = bytesOf("l" + event.id), view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length;) {
    const piece = { surface: view.getUint16(at, true), kind: bytes[at + 2], planes: bytes[at + 3], tiles: [] };
    const tiles = view.getUint16(at + 4, true), size = view.getUint32(at + 8, true);
    at += 12;
    for (let i = 0; i < tiles; i++, at += 4) piece.tiles.push([view.getUint16(at, true), view.getUint16(at + 2, true)]);
    piece.data = bytes.subarray(at, at + size);
    at += size;
    event.pieces.push(piece);
  }
  return event.pieces;
}

// Planes of a piece's tiles, one tile behind the other. The last ones are kept.
const kept = new Map(), MOST_KEPT = 400;
async function planesOf(piece) {
  let planes = kept.get(piece);
  if (planes) return planes;
  planes = await inflate(piece.data);
  // Undo differences to the left; of depth the first plane is marks and the other three are one number.
  const size = piece.planes * PIXELS;
  for (let i = 0; i < planes.length; i++)
    if (i % SIDE && (piece.kind !== DEPTH || i % size < PIXELS)) planes[i] += planes[i - 1];
  if (piece.kind === DEPTH)
    for (let tile = 0; tile < planes.length; tile += size)
      for (let i = tile + PIXELS, v = 0; i < tile + 2 * PIXELS; i++) {
        v = planes[i] + 256 * planes[i + PIXELS] + 65536 * planes[i + 2 * PIXELS] + (i % SIDE ? v : 0);
        for (let k = 0; k < 3; k++) planes[i + k * PIXELS] = v >> 8 * k;
      }
  kept.set(piece, planes);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  return planes;
}

// What a draw's tabs show.
async function detailsOf(draw) {
  const block = Math.floor(draw.order / index.block);
  detailsOf.blocks ??= new Map();
  if (!detailsOf.blocks.has(block)) {
    const text = new TextDecoder().decode(await inflate(bytesOf("t" + block)));
    detailsOf.blocks.set(block, JSON.parse(text));
  }
  return detailsOf.blocks.get(block)[draw.order % index.block];
}

const textureUrl = number => "data:image/png;base64," + document.getElementById("p" + number).textContent;
const eventsOfFrame = frame => events.filter(e => e.frame === frame);
// Draws before `event` in its frame and itself, or itself alone.
const upTo = (event, alone) => alone ? [event] : eventsOfFrame(event.frame).filter(e => e.id <= event.id);
