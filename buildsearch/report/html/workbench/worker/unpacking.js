// From letters in a page to typed arrays, with what browsers bring along.
function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
async function unpack(text, sections) {
  const stream = new Blob([bytesOfBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const body = new Uint8Array(await new Response(stream).arrayBuffer());
  const types = { Uint8: Uint8Array, Uint16: Uint16Array, Uint32: Uint32Array, Float32: Float32Array, Float64: Float64Array };
  const found = {};
  let from = 0;
  for (const { name, type, length } of sections) {
    const values = new types[type](length);
    const width = values.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(values.buffer);
    // Numbers were laid out byte by byte: that packs better.
    for (let byte = 0; byte < width; byte += 1, from += length) {
      for (let i = 0, to = byte; i < length; i += 1, to += width) bytes[to] = body[from + i];
    }
    found[name] = values;
  }
  return found;
}
