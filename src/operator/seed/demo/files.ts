import type { SampleFile } from "../sample.ts";

/** The files of the sample life. */
export const DEMO_FILES: readonly SampleFile[] = [
  {
    filename: "grandmothers-plum-cake.txt",
    mediaType: "text/plain",
    text: `Grandmother's plum cake

500 g flour, 30 g yeast, a quarter of a litre of warm milk, 80 g butter, 80 g sugar,
one egg, a pinch of salt, the rind of half a lemon. 2 kg plums, stoned and quartered.

Let the dough rise for an hour. Roll it out, set the plums close, edge to edge.
40 minutes, hot. "If they do not stand like soldiers, it is no plum cake."
`,
  },
  {
    filename: "letter-to-lena.txt",
    mediaType: "text/plain",
    text: `Dear Lena,

when you read this you are eighteen. I wrote it on the evening after your first day at school,
while your satchel still stood in the hall, larger than you.

Be curious longer than is comfortable. Call your brother.
`,
  },
  {
    filename: "allotment-plan.svg",
    mediaType: "image/svg+xml",
    text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80">
  <rect width="120" height="80" fill="#e8f0d8"/>
  <rect x="8" y="8" width="40" height="26" fill="#7a5c3e"/>
  <rect x="8" y="44" width="40" height="26" fill="#7a5c3e"/>
  <circle cx="84" cy="30" r="18" fill="#6a994e"/>
  <rect x="70" y="56" width="36" height="16" fill="#b5838d"/>
</svg>
`,
  },
];
