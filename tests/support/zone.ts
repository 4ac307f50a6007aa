/** Runs a function on a device in the zone. */
export function inZone(zone: string, run: () => void): void {
  const before = Deno.env.get("TZ");
  Deno.env.set("TZ", zone);
  try {
    run();
  } finally {
    if (before === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", before);
  }
}
