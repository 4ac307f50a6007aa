/** Bytes that begin like pictures: enough for the service, which decodes none. */

/** @param fill The bytes after the header, so that pictures of the same sides differ. */
export function png(width: number, height: number, fill = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(40).fill(fill, 33);
  bytes.set([0x89, ...ascii("PNG\r\n\x1a\n"), 0, 0, 0, 13, ...ascii("IHDR")]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** Lossy. */
export function webp(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(40);
  bytes.set([...ascii("RIFF"), 32, 0, 0, 0, ...ascii("WEBPVP8 "), 20]);
  bytes.set([0x9d, 0x01, 0x2a], 23);
  const view = new DataView(bytes.buffer);
  view.setUint16(26, width, true);
  view.setUint16(28, height, true);
  return bytes;
}

/** With one segment of an application before the frame. */
export function jpeg(width: number, height: number): Uint8Array<ArrayBuffer> {
  const segment = [0xff, 0xe0, 0, 6, ...ascii("JFIF")];
  const frame = [0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1];
  return new Uint8Array([0xff, 0xd8, ...segment, ...frame, 1, 0x11, 0, 0xff, 0xda]);
}

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
