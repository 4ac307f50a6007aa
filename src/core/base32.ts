const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function base32(bytes: Uint8Array): string {
  let [text, rest, bits] = ["", 0, 0];
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(rest >> bits) & 31];
    }
    rest &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(rest << (5 - bits)) & 31];
}
