/**
 * The permissions of the packed program that only its word `prs` uses: `scripts/compile.ts` adds
 * them to those of the service, and every other word drops them first.
 */

/** Added to the flags of the same name. */
export const PRS_PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  "--allow-read": ["/"],
  "--allow-write": ["/"],
  "--allow-env": ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "VISUAL", "EDITOR"],
  "--allow-sys": ["hostname"],
};

/** Keeps the folders of the service, which the flags name in addition to `/`. */
export function dropPrsPermissions(): void {
  Deno.permissions.revokeSync({ name: "read", path: "/" });
  Deno.permissions.revokeSync({ name: "write", path: "/" });
  for (const variable of PRS_PERMISSIONS["--allow-env"] ?? []) {
    Deno.permissions.revokeSync({ name: "env", variable });
  }
  Deno.permissions.revokeSync({ name: "sys", kind: "hostname" });
  Deno.permissions.revokeSync({ name: "run" });
}
