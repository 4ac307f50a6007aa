/**
 * The bill of materials, read by npm's `@cyclonedx/cyclonedx-library` too, whose folder
 * `CYCLONEDX_LIBRARY` names; without it that test is ignored.
 */

import { assertEquals } from "@std/assert";
import { sbomOf } from "../../../scripts/sbom.ts";
import { chapter } from "../../support/chapters.ts";

const LIBRARY = Deno.env.get("CYCLONEDX_LIBRARY");
const LOCK = JSON.parse(chapter("deno.lock"));
const RELEASE = { version: "2.0.0", runtime: "2.9.6" };

Deno.test("sbomOf() names each locked package once, with its digest and what it depends on", () => {
  const integrity = `sha512-${new Uint8Array([0xab, 0x01]).toBase64()}`;
  // deno-lint-ignore no-explicit-any
  const bom: any = sbomOf({
    npm: {
      "@a/b@1.0.0_c@2.0.0": { integrity, dependencies: ["c"] },
      "c@2.0.0": { integrity },
    },
  }, RELEASE);
  assertEquals(bom.components.slice(1), [
    {
      type: "library",
      "bom-ref": "pkg:npm/%40a/b@1.0.0",
      name: "@a/b",
      version: "1.0.0",
      hashes: [{ alg: "SHA-512", content: "ab01" }],
      purl: "pkg:npm/%40a/b@1.0.0",
    },
    {
      type: "library",
      "bom-ref": "pkg:npm/c@2.0.0",
      name: "c",
      version: "2.0.0",
      hashes: [{ alg: "SHA-512", content: "ab01" }],
      purl: "pkg:npm/c@2.0.0",
    },
  ]);
  assertEquals(bom.dependencies.slice(1), [
    { ref: "pkg:npm/%40a/b@1.0.0", dependsOn: ["pkg:npm/c@2.0.0"] },
    { ref: "pkg:npm/c@2.0.0", dependsOn: [] },
  ]);
});

const VALIDATOR = `
const { Validation, Spec } = require(process.argv[1]);
const text = require("fs").readFileSync(0, "utf8");
new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  .then((problem) => console.log(JSON.stringify(problem)));
`;

Deno.test({
  name: "sbomOf() writes a document that the library of CycloneDX accepts",
  ignore: LIBRARY === undefined,
  async fn() {
    // deno-lint-ignore no-explicit-any
    const bom: any = sbomOf(LOCK, RELEASE);
    const validate = async (document: unknown) => {
      const child = new Deno.Command("node", {
        args: ["-e", VALIDATOR, LIBRARY ?? ""],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(JSON.stringify(document)));
      await writer.close();
      return JSON.parse(new TextDecoder().decode((await child.output()).stdout));
    };
    assertEquals(await validate(bom), null);
    assertEquals(await validate({ ...bom, version: "one" }) === null, false);
  },
});
