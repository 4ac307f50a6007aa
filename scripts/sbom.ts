/** The bill of materials: CycloneDX 1.6, from `deno.lock`. */

interface Lock {
  readonly npm: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly integrity: string;
  readonly dependencies?: readonly string[];
}

interface Release {
  readonly version: string;
  /** The version of Deno, which is packed into the program. */
  readonly runtime: string;
}

const NAME = "personal-records-service";

/** Has no time and no random number, so that the same release has the same file. */
export function sbomOf({ npm }: Lock, { version, runtime }: Release): unknown {
  const packages = Object.entries(npm).map(([key, locked]) => ({ ...nameOf(key), locked }));
  const refOf = (name: string) => packages.find((each) => each.name === name)?.purl ?? name;
  const service = `pkg:generic/${NAME}@${version}`;
  const deno = `pkg:github/denoland/deno@v${runtime}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": service,
        name: NAME,
        version,
        licenses: [{ license: { id: "MIT" } }],
        purl: service,
      },
    },
    components: [
      { type: "platform", "bom-ref": deno, name: "deno", version: runtime, purl: deno },
      ...packages.map(({ name, version, purl, locked }) => ({
        type: "library",
        "bom-ref": purl,
        name,
        version,
        hashes: [hashOf(locked.integrity)],
        purl,
      })),
    ],
    dependencies: [
      { ref: service, dependsOn: [deno, ...packages.map(({ purl }) => purl)] },
      ...packages.map(({ purl, locked }) => ({
        ref: purl,
        dependsOn: (locked.dependencies ?? []).map(refOf),
      })),
    ],
  };
}

/** Splits a key such as `@scope/name@1.2.3_peer@4.5.6`. */
function nameOf(key: string): { name: string; version: string; purl: string } {
  const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
  return { name, version, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` };
}

/** Subresource integrity in hexadecimal digits. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm, digest = ""] = integrity.split("-");
  if (algorithm !== "sha512") throw new Error(`The lock has a digest by ${algorithm}`);
  return { alg: "SHA-512", content: Uint8Array.fromBase64(digest).toHex() };
}
