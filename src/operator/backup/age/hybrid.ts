/** Hybrid recipients and identities, which a quantum computer does not break either: `age1pq…`. */

import { AgeError } from "./age_error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { messageKey } from "./hpke.ts";
import { decapsulate, encapsulate, HYBRID_SHARE_BYTES } from "./hybrid_kem.ts";
import { decrypt, seal } from "./primitives.ts";
import { type AgeIdentity, isWrappedKey, type Recipient, type Stanza } from "./stanza.ts";

const TYPE = "mlkem768x25519";
const INFO = "age-encryption.org/mlkem768x25519";

export function hybridRecipient(publicKey: Uint8Array): Recipient {
  return {
    async wrap(fileKey) {
      const encapsulated = await encapsulate(publicKey);
      if (encapsulated === null) throw new AgeError("The recipient gives no secrecy");
      const { key, nonce } = messageKey(encapsulated.secret, INFO);
      const args = [encodeBase64(encapsulated.share)];
      return [{ type: TYPE, args, body: seal(key, nonce, fileKey) }];
    },
  };
}

export function hybridIdentity(secretKey: Uint8Array): AgeIdentity {
  return {
    async unwrap(stanzas) {
      for (const stanza of stanzas.filter(({ type }) => type === TYPE)) {
        const secret = await decapsulate(secretKey, readShare(stanza));
        if (secret === null) throw malformed();
        const { key, nonce } = messageKey(secret, INFO);
        const fileKey = decrypt(key, nonce, stanza.body);
        if (fileKey !== null) return fileKey;
      }
      return null;
    },
  };
}

function readShare({ args, body }: Stanza): Uint8Array {
  const [text = "", ...others] = args;
  const share = decodeBase64(text);
  const isShare = share?.length === HYBRID_SHARE_BYTES && others.length === 0;
  if (!isShare || !isWrappedKey(body)) throw malformed();
  return share;
}

function malformed(): AgeError {
  return new AgeError("The file's header is damaged");
}
