import { assertEquals, assertThrows } from "@std/assert";
import { CborError, decodeCbor, decodeFirstCbor } from "../../../../src/accounts/passkeys/cbor.ts";

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.fromHex(hex);
}

Deno.test("decodeCbor() reads the values of RFC 8949, appendix A, that CTAP2 writes", () => {
  const values = {
    "00": 0,
    "17": 23,
    "1818": 24,
    "1903e8": 1000,
    "1a000f4240": 1000000,
    "1b000000e8d4a51000": 1000000000000,
    "1bffffffffffffffff": 18446744073709551615n,
    "20": -1,
    "3863": -100,
    "3bffffffffffffffff": -18446744073709551616n,
    "f4": false,
    "f5": true,
    "f6": null,
    "4401020304": Uint8Array.of(1, 2, 3, 4),
    "6449455446": "IETF",
    "62c3bc": "ü",
    "80": [],
    "8301820203820405": [1, [2, 3], [4, 5]],
    "a0": new Map(),
    "a201020304": new Map([[1, 2], [3, 4]]),
    "a26161016162820203": new Map<string, unknown>([["a", 1], ["b", [2, 3]]]),
    "81818180": [[[[]]]],
  };
  for (const [hex, value] of Object.entries(values)) {
    assertEquals(decodeCbor(bytesOf(hex)) as unknown, value, hex);
  }
});

Deno.test("decodeCbor() refuses what CTAP2 does not write", () => {
  const refused = {
    "no value": "",
    "cut off": "19",
    "cut off in a text": "6261",
    "cut off in a list": "8201",
    "a long list": "9affffffff",
    "bytes behind it": "0000",
    "longer integers": "1817",
    "longer integers of two bytes": "1900ff",
    "longer integers of four bytes": "1a0000ffff",
    "longer integers of eight bytes": "1b00000000ffffffff",
    "a longer length": "5800",
    "reserved": "1c",
    "indefinite bytes": "5f4100ff",
    "indefinite text": "7f6161ff",
    "an indefinite list": "9fff",
    "an indefinite map": "bfff",
    "a break": "ff",
    "a tag": "c11a514b67b0",
    "a half float": "f93c00",
    "a float": "fa47c35000",
    "a double": "fb3ff199999999999a",
    "undefined": "f7",
    "a simple value": "f0",
    "a long simple value": "f8ff",
    "a key twice": "a201020103",
    "a text key twice": "a2616101616102",
    "a list as key": "a18001",
    "no UTF-8": "61ff",
    "five levels": "8181818180",
  };
  for (const [name, hex] of Object.entries(refused)) {
    assertThrows(() => decodeCbor(bytesOf(hex)), CborError, undefined, name);
  }
});

Deno.test("decodeFirstCbor() tells where the value ends", () => {
  assertEquals(decodeFirstCbor(bytesOf("ff8201020000"), 1), { value: [1, 2], end: 4 });
});
