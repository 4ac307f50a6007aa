/** Emphasis by the rules of CommonMark for runs of `*` and `_`. */

/** Elements within each other; signs of more are text. */
export const MAX_DEPTH = 12;

/** Links within a link are text. @type {NestParts} */
export function nest(parts, isLink) {
  const frames = [frameOf({ run: "" }, 0, 0)];
  const searched = Array.from({ length: 12 }, () => 0);
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string" || part.kind !== "run") {
      const isInner = isLink && typeof part === "object" && part.kind === "link";
      for (const word of isInner ? part.children : [part]) addWord(frames.at(-1), word);
      continue;
    }
    const left = part.canClose ? closeRun(frames, part, searched) : part.run.length;
    if (left > 0 && part.canOpen) frames.push(frameOf(part, left, index + 1));
    else addWord(frames.at(-1), part.run.slice(0, left));
  }
  return joined(frames, 0);
}

/** @type {FrameOf} */
const frameOf = ({ run, canClose = false }, left, number) => {
  return { run, canClose, left, number, children: [], depth: 0 };
};

/** Returns the number of signs that are left. @type {CloseRun} */
function closeRun(frames, run, searched) {
  let left = run.run.length;
  while (left > 0) {
    const at = openerOf(frames, run, searched);
    if (at === 0) break;
    const frame = joined(frames, at);
    const used = Math.min(2, frame.left, left);
    const depth = ++frame.depth;
    frame.children = [{ kind: used > 1 ? "strong" : "emphasis", children: frame.children, depth }];
    frame.left -= used;
    left -= used;
    if (frame.left === 0) joined(frames, at - 1);
  }
  return left;
}

/** The place of the nearest frame that fits; 0 for none. @type {CloseRun} */
function openerOf(frames, { run, canOpen }, searched) {
  const kind = run.length % 3 + (run[0] === "*" ? 3 : 0) + (canOpen ? 6 : 0);
  let depth = 0;
  for (let at = frames.length - 1; at > 0; at--) {
    const frame = /** @type {EmphasisFrame} */ (frames[at]);
    depth = Math.max(depth, frame.depth);
    if (frame.number <= (searched[kind] ?? 0) || depth >= MAX_DEPTH) break;
    const isOdd = (canOpen || frame.canClose) && run.length % 3 > 0 &&
      (frame.run.length + run.length) % 3 === 0;
    if (frame.run[0] === run[0] && !isOdd) return at;
  }
  // No frame up to the present one fits a run of this kind.
  searched[kind] = frames.at(-1)?.number ?? 0;
  return 0;
}

/** Adds to a frame those above it. Their signs are text, if any are left. @type {JoinFrames} */
function joined(frames, at) {
  const frame = /** @type {EmphasisFrame} */ (frames[at]);
  for (const { run, left, children } of frames.splice(at + 1)) {
    addWord(frame, run.slice(0, left));
    for (const child of children) addWord(frame, child);
  }
  return frame;
}

/** @param {EmphasisFrame | undefined} frame @param {MarkdownWord} word */
function addWord(frame, word) {
  if (frame === undefined || word === "") return;
  const { children, depth } = frame;
  const last = children.at(-1);
  if (typeof word === "object") frame.depth = Math.max(depth, word.depth ?? 0);
  if (typeof word === "object" || typeof last === "object") children.push(word);
  else children[Math.max(0, children.length - 1)] = (last ?? "") + word;
}
