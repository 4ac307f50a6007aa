import { assert, assertEquals } from "@std/assert";
import { normalQuantile } from "../../../../src/families/decision/normal_quantile.ts";

const SMALLEST = 2 ** -33;

Deno.test("normalQuantile() matches the table of the normal distribution", () => {
  const table: [number, number][] = [
    [0.5, 0],
    [0.75, 0.6744897501960817],
    [0.925, 1.4395314709384562],
    [0.95, 1.6448536269514722],
    [0.975, 1.9599639845400539],
    [0.999, 3.0902323061678133],
    [0.000001, -4.753424308822899],
    [SMALLEST, -6.337957754553789],
  ];
  for (const [u, quantile] of table) {
    const difference = Math.abs(normalQuantile(u) - quantile);
    assert(difference <= 1e-15 * Math.abs(quantile), `${u}: ${normalQuantile(u)}`);
  }
});

Deno.test("normalQuantile() is odd around one half, and never falls", () => {
  let before = -Infinity;
  for (let step = 0; step <= 4_096; step++) {
    const u = Math.min(Math.max(step / 4_096, SMALLEST), 1 - SMALLEST);
    const quantile = normalQuantile(u);
    assertEquals(quantile, -normalQuantile(1 - u) + 0, `${u}`);
    assert(quantile > before, `${u}`);
    before = quantile;
  }
});
