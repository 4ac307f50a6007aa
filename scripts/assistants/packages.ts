/** The programs under test, as npm publishes them, and the Node that runs them. */

/** `conformance` needs Node 22, which Debian 12 does not have; npm has its program. */
const NODE = `node-${Deno.build.os}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;

const PACKAGES = [
  `${NODE}@22.23.3`,
  "@modelcontextprotocol/sdk@1.32.2",
  "@modelcontextprotocol/client@2.4.0",
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "mcp-remote@0.15.1",
  "oauth4webapi@3.8.8",
];

const SCRIPTS = ["program_checks.ts", "mcp_sdk.ts", "oauth_library.ts"];

export interface Installed {
  readonly folder: string;
  readonly node: string;
}

/** Installs the packages in a folder, and copies the scripts that import them to it. */
export async function install(folder: string): Promise<Installed> {
  const args = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { success, stderr } = await new Deno.Command("npm", {
    args: [...args, "--prefix", folder, ...PACKAGES],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`npm failed: ${new TextDecoder().decode(stderr)}`);
  for (const name of SCRIPTS) {
    await Deno.copyFile(new URL(name, import.meta.url), `${folder}/${name}`);
  }
  return { folder, node: `${folder}/node_modules/${NODE}/bin/node` };
}
