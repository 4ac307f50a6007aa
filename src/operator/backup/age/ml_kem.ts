/** ML-KEM-768 (FIPS 203) by the runtime's WebCrypto, with keys as bytes. */

export const ML_KEM_PUBLIC_BYTES = 1184;
export const ML_KEM_SEED_BYTES = 64;
export const ML_KEM_CIPHERTEXT_BYTES = 1088;

const ALGORITHM = "ML-KEM-768";

/** Methods that the types of the runtime do not know yet. */
interface KemCrypto {
  importKey(
    format: "raw-seed" | "raw-public",
    key: Uint8Array,
    algorithm: string,
    extractable: boolean,
    usages: readonly string[],
  ): Promise<CryptoKey>;
  exportKey(format: "raw-public", key: CryptoKey): Promise<ArrayBuffer>;
  getPublicKey(key: CryptoKey, usages: readonly string[]): Promise<CryptoKey>;
  encapsulateBits(
    algorithm: string,
    key: CryptoKey,
  ): Promise<{ readonly sharedKey: ArrayBuffer; readonly ciphertext: ArrayBuffer }>;
  decapsulateBits(
    algorithm: string,
    key: CryptoKey,
    ciphertext: Uint8Array,
  ): Promise<ArrayBuffer>;
}

const kem = crypto.subtle as unknown as KemCrypto;

export async function mlKemPublicKey(seed: Uint8Array): Promise<Uint8Array> {
  const publicKey = await kem.getPublicKey(await importSeed(seed), ["encapsulateBits"]);
  return new Uint8Array(await kem.exportKey("raw-public", publicKey));
}

/** Makes a shared secret, and the ciphertext from which the owner of the key computes it. */
export async function mlKemEncapsulate(
  publicKey: Uint8Array,
): Promise<{ readonly secret: Uint8Array; readonly ciphertext: Uint8Array }> {
  const key = await kem.importKey("raw-public", publicKey, ALGORITHM, false, ["encapsulateBits"]);
  const { sharedKey, ciphertext } = await kem.encapsulateBits(ALGORITHM, key);
  return { secret: new Uint8Array(sharedKey), ciphertext: new Uint8Array(ciphertext) };
}

/** For the ciphertext of another key, or a damaged one, the secret is random. */
export async function mlKemDecapsulate(
  seed: Uint8Array,
  ciphertext: Uint8Array,
): Promise<Uint8Array> {
  return new Uint8Array(await kem.decapsulateBits(ALGORITHM, await importSeed(seed), ciphertext));
}

async function importSeed(seed: Uint8Array): Promise<CryptoKey> {
  return await kem.importKey("raw-seed", seed, ALGORITHM, false, ["decapsulateBits"]);
}
