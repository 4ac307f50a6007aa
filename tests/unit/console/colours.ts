/** Contrasts of the console's colours by WCAG 2. */

export type Scheme = "light" | "dark";

/** Lightness, chroma and hue by scheme. */
type Token = Readonly<Record<Scheme, readonly [number, number, number]>>;

/** Colours with values for both schemes, by name. */
export function readTokens(css: string): ReadonlyMap<string, Token> {
  const colour = String.raw`oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)`;
  const pattern = new RegExp(String.raw`--([a-z]+): light-dark\(${colour}, ${colour}\)`, "g");
  const tokens = css.matchAll(pattern).map(([, name = "", ...numbers]) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers.map(Number);
    return [name, { light: [a / 100, b, c], dark: [d / 100, e, f] }] as const;
  });
  return new Map(tokens);
}

/** The colours by tone, each with the tone's own `symbol` and `ground`. */
export function readTones(css: string): ReadonlyMap<string, ReadonlyMap<string, Token>> {
  const tones = css.matchAll(/\.(tone-\d) \{\s+--hue: (\d+);/g);
  return new Map(
    tones.map(([, tone = "", hue = ""]) => [tone, readTokens(css.replaceAll("var(--hue)", hue))]),
  );
}

/** From 1 to 21. */
export function contrast(
  tokens: ReadonlyMap<string, Token>,
  scheme: Scheme,
  text: string,
  ground: string,
): number {
  const [lighter = 0, darker = 0] = [text, ground].map((name) => {
    const token = tokens.get(name);
    if (token === undefined) throw new Error(`There is no colour ${name}`);
    return luminance(token[scheme]);
  }).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of an OKLCH colour, through OKLab and linear sRGB. */
function luminance([lightness, chroma, hue]: readonly [number, number, number]): number {
  const [a, b] = [Math.cos, Math.sin].map((part) => chroma * part(hue * Math.PI / 180));
  const cube = (x: number, y: number) => (lightness + x * (a ?? 0) + y * (b ?? 0)) ** 3;
  const l = cube(0.3963377774, 0.2158037573);
  const m = cube(-0.1055613458, -0.0638541728);
  const s = cube(-0.0894841775, -1.291485548);
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return 0.2126 * clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
}
