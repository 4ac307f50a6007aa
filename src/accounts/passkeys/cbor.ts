/**
 * Reads CBOR (RFC 8949) as CTAP2 writes it, which is all that authenticators send: definite and
 * shortest lengths, no tags, no floating-point numbers, keys that are integers or texts, and no key
 * twice.
 */

/** A decoded value. Integers beyond the safe ones are `bigint`. */
export type Cbor = number | bigint | string | boolean | null | Uint8Array | Cbor[] | CborMap;

export type CborMap = Map<Cbor, Cbor>;

export class CborError extends Error {
  override readonly name = "CborError";
}

/** Maximum nesting of maps and lists. */
const MAX_DEPTH = 4;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes bytes that contain exactly one value.
 *
 * @throws CborError
 */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const { value, end } = decodeFirstCbor(bytes, 0);
  if (end !== bytes.length) throw new CborError("Bytes follow the value");
  return value;
}

/**
 * Decodes the value at an offset. Returns it with the offset after it.
 *
 * @throws CborError
 */
export function decodeFirstCbor(
  bytes: Uint8Array,
  start: number,
): { readonly value: Cbor; readonly end: number } {
  const reader = new CborReader(bytes, start);
  const value = reader.read(0);
  return { value, end: reader.position };
}

class CborReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = position;
  }

  /** Reads a value inside `depth` maps and lists. */
  read(depth: number): Cbor {
    const head = this.#take(1)[0] as number;
    const type = head >> 5;
    if (type === 7) return readSimple(head & 31);
    const argument = this.#readArgument(head & 31);
    if (type === 0) return argument;
    if (type === 1) return typeof argument === "bigint" ? -1n - argument : -1 - argument;
    if (typeof argument === "bigint") throw new CborError("The value is too long");
    if (type === 2) return this.#take(argument);
    if (type === 3) return decodeText(this.#take(argument));
    if (type === 4) return this.#readList(argument, depth + 1);
    if (type === 5) return this.#readMap(argument, depth + 1);
    throw new CborError("Tags are not accepted");
  }

  /** Reads an integer, or the length of a value, which must have its shortest form. */
  #readArgument(info: number): number | bigint {
    if (info < 24) return info;
    if (info > 27) throw new CborError("The length is indefinite or reserved");
    const size = 1 << (info - 24);
    const at = this.position;
    this.#take(size);
    if (size === 8) {
      const long = this.#view.getBigUint64(at);
      if (long < 2n ** 32n) throw new CborError("The length is not the shortest");
      return long <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(long) : long;
    }
    const value = size === 1
      ? this.#view.getUint8(at)
      : size === 2
      ? this.#view.getUint16(at)
      : this.#view.getUint32(at);
    const least = size === 1 ? 24 : 2 ** (size * 4);
    if (value < least) throw new CborError("The length is not the shortest");
    return value;
  }

  #readList(length: number, depth: number): Cbor[] {
    this.#enter(length, depth);
    return Array.from({ length }, () => this.read(depth));
  }

  #readMap(length: number, depth: number): CborMap {
    this.#enter(length * 2, depth);
    const map: CborMap = new Map();
    for (let index = 0; index < length; index++) {
      const key = this.read(depth);
      if (typeof key !== "number" && typeof key !== "bigint" && typeof key !== "string") {
        throw new CborError("A key is neither an integer nor a text");
      }
      if (map.has(key)) throw new CborError("A key is repeated");
      map.set(key, this.read(depth));
    }
    return map;
  }

  /** Checks the depth and the number of values before memory is allocated for them. */
  #enter(values: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new CborError("The value is too deep");
    if (values > this.#bytes.length - this.position) throw new CborError("The value is cut off");
  }

  #take(length: number): Uint8Array {
    const end = this.position + length;
    if (end > this.#bytes.length) throw new CborError("The value is cut off");
    const taken = this.#bytes.subarray(this.position, end);
    this.position = end;
    return taken;
  }
}

function readSimple(info: number): boolean | null {
  if (info === 20) return false;
  if (info === 21) return true;
  if (info === 22) return null;
  throw new CborError("Only true, false and null are accepted");
}

function decodeText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new CborError("A text is not UTF-8");
  }
}
