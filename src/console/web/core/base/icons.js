/**
 * All icons and drawings of the console: our own, in ink of the text around them, by name. Icons
 * have a grid of 24, drawings one of 120 by 90.
 */

const ICONS = {
  about: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5.5M12 7.8h.01",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
  actions:
    "M4.5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM17.5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0z",
  add: "M12 5v14M5 12h14",
  archive: "M4 5h16v4H4zM5.5 9v10h13V9M10 12.5h4",
  back: "M15 5.5L8.5 12l6.5 6.5",
  bookmark: "M6.5 4h11v16.5L12 16l-5.5 4.5z",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4",
  camera: "M4 7.5h4L9.5 5h5L16 7.5h4v11H4zM12 16a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z",
  check: "M5.5 12.5l4.5 4.5 9-10",
  close: "M6 6l12 12M18 6L6 18",
  coin: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM14.8 9.4a3.6 3.6 0 1 0 0 5.2",
  compass: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM15.5 8.5l-2 5-5 2 2-5z",
  decided: "M12 3.5l8.5 8.5-8.5 8.5L3.5 12z",
  decisions: "M6 3.5v17M6 6h11l3 3-3 3H6M18 16.5H6",
  device: "M4.5 5h15v10h-15zM2.5 18.5h19",
  download: "M12 4v11M7.5 11L12 15.5 16.5 11M5 19.5h14",
  drafts: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  edit: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  expand: "M14 4.5h5.5V10M19.5 4.5l-6 6M10 19.5H4.5V14M4.5 19.5l6-6",
  files:
    "M18.5 11l-7 7a4.2 4.2 0 0 1-6-6l7.5-7.5a2.8 2.8 0 0 1 4 4L9.5 16a1.4 1.4 0 0 1-2-2l6.5-6.5",
  filter: "M4 6h16M7 12h10M10 18h4",
  folder: "M3.5 6h6l2 2.5h9v10h-17z",
  goTo: "M5 12h14M13 6l6 6-6 6",
  history: "M12 20.5a8.5 8.5 0 1 0-8.2-10.7M3.5 5v5h5M12 7.5V12l3.5 2",
  home:
    "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  house: "M4.5 20V10L12 4l7.5 6v10zM10 20v-6h4v6",
  key: "M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v3.5M17 12v3",
  later: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3.5 2",
  leave: "M13 4H5v16h8M10 12h10M16.5 8.5L20 12l-3.5 3.5",
  lock: "M5.5 10.5h13v9.5h-13zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5M12 14v2.5",
  mail: "M3.5 6h17v12.5h-17zM4 7l8 6 8-6",
  map:
    "M12 20.5c4-4.5 6-7.7 6-10.5a6 6 0 0 0-12 0c0 2.8 2 6 6 10.5zM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  memories:
    "M12 6.5C10 5 7 4.5 3.5 5v13.5c3.5-.5 6.5 0 8.5 1.5 2-1.5 5-2 8.5-1.5V5C17 4.5 14 5 12 6.5zM12 6.5V20",
  menu: "M4 7h16M4 12h16M4 17h16",
  message: "M4 5h16v11h-9l-4.5 4v-4H4z",
  microphone:
    "M12 14a3 3 0 0 0 3-3V6.5a3 3 0 0 0-6 0V11a3 3 0 0 0 3 3zM6 11a6 6 0 0 0 12 0M12 17v3.5",
  more: "M9 5.5l6.5 6.5L9 18.5",
  open: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z",
  order: "M8 5v14M4.5 15.5L8 19l3.5-3.5M16 19V5M12.5 8.5L16 5l3.5 3.5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.6-3.3 3.1-5 6.5-5s5.9 1.7 6.5 5M15.5 4.8a3.5 3.5 0 0 1 0 6.5M17.5 14.8c2.2.6 3.6 2.2 4 4.7",
  phone:
    "M6 4h3.5l1.5 4.5-2 1.5a11 11 0 0 0 5 5l1.5-2 4.5 1.5V18a2 2 0 0 1-2 2A15.5 15.5 0 0 1 4 6a2 2 0 0 1 2-2z",
  picture: "M4 5h16v14H4zM4 16.5l4.5-5 4 4.5 2.5-2.5 5 4.5M15.5 9h.01",
  print: "M7 9V4h10v5M7 16.5H4V9h16v7.5h-3M7 14h10v6H7z",
  program: "M3.5 5h17v14h-17zM7 9.5l3 2.5-3 2.5M12.5 15H16",
  pulse: "M3 12.5h4l2.5-6.5 5 12.5 2.5-6h4",
  records: "M4 5h16v5H4zM4 14h16v5H4zM8 7.5h3M8 16.5h3",
  reviewed: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM8 12.3l2.8 2.8 5.2-5.8",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20.5 20.5",
  shield: "M12 3.5l7 2.5v5.5c0 4.5-3 7.3-7 9-4-1.7-7-4.5-7-9V6zM9 12l2.2 2.2 3.8-4.2",
  spark: "M12 4v16M4 12h16M7 7l10 10M17 7L7 17",
  spoke: "M4 5h16v11h-9l-4.5 4v-4H4zM8.5 10.5l2.5 2.5 4.5-5",
  tags: "M3.5 4h8l9 9-7.5 7.5-9.5-9.5zM8 8.5h.01",
  undo: "M8.5 5L4 9.5 8.5 14M4 9.5h9.5a5.5 5.5 0 0 1 0 11H9",
  upload: "M12 15.5v-11M7.5 9L12 4.5 16.5 9M5 19.5h14",
  wrench: "M20 7l-3.5 3.5-3-3L17 4a4.5 4.5 0 0 0-5.8 5.8L4 17l3 3 7.2-7.2A4.5 4.5 0 0 0 20 7z",
};

/** Lines of empty pages and of pages before sign-in. */
const DRAWINGS = {
  begin:
    "M14 74h92M60 70V34M60 34c-8-6-20-8-34-7v36c14-1 26 1 34 7 8-6 20-8 34-7V27c-14-1-26 1-34 7zM34 38c6 0 12 1 18 3M34 47c6 0 12 1 18 3M86 38c-6 0-12 1-18 3",
  bring:
    "M14 74h92M28 74V52l9-16h12M71 36h12l9 16v22M28 52h20c1 7 23 7 24 0h20M60 10v31M51 32l9 9 9-9M40 12h8M72 12h8M36 22h8M76 22h8",
  bulb:
    "M14 74h92M60 16a18 18 0 0 0-10 33c2 2 3 4 3 7h14c0-3 1-5 3-7a18 18 0 0 0-10-33zM54 62h12M56 68h8",
  door:
    "M14 74h92M42 74V20h38v54M42 20l22 7v54l-22-7M58 53v4M80 74M92 74V62M92 62c-4-1-6-4-6-8 4 0 6 3 6 8zM92 62c0-5 2-8 6-9 0 5-2 8-6 9z",
  hill: "M14 74h92M20 74c8-26 24-36 40-36s32 10 40 36M60 38V14l18 6-18 6",
  lens: "M14 74h40M54 58a20 20 0 1 0 0-40 20 20 0 0 0 0 40zM68 52l22 22M90 74h16M46 36h16M46 44h10",
  lighthouse:
    "M14 74h92M52 74l4-40h8l4 40M53 34h14M56 34v-8h8v8M55 26l5-6 5 6M70 28l22-8M70 32l22 6M53.5 54h13",
  lost:
    "M14 74h92M60 74V16M60 24h27l7 7-7 7H60zM60 44H35l-7 7 7 7h25zM40 74c0-5-2-8-5-10M40 74c0-6 2-9 5-11M84 74c0-4 1-6 4-8M24 31h4M26 29v4",
  measure:
    "M14 74h92M22 74V58h14v16M44 74V44h14v30M66 74V52h14v22M22 40l22-16 22 8 24-18M84 14h7v7",
  mirror:
    "M14 74h92M60 60c11 0 17-9 17-21S71 18 60 18s-17 9-17 21 6 21 17 21zM60 60v14M52 36l9-9M54 45l14-14",
  morning:
    "M14 62h92M38 62a22 22 0 0 1 44 0M60 32v-9M43 37l-5-7M77 37l5-7M31 49l-8-4M89 49l8-4M30 71h60M44 80h32M88 24c2-3 5-3 6 0 2-3 5-3 6 0M78 15c1-2 4-2 5 0 1-2 4-2 5 0",
  nothing: "M14 74h92M30 74V40l30-18 30 18v34M52 74V54h16v20M44 46h.01M76 46h.01",
  pair:
    "M14 74h92M46 40a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM74 40a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM34 74V58c0-8 5-12 12-12s12 4 12 12v16M62 74V58c0-8 5-12 12-12s12 4 12 12v16",
  pictures: "M14 74h92M30 30h42v32H30zM30 55l12-12 9 8 7-6 14 11M58 38h.01M40 30v-9h46v34H72",
  portrait:
    "M14 74h92M36 74V14h48v60M43 22h34v44H43zM60 44a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM47 62c2-8 7-12 13-12s11 4 13 12",
  unplugged:
    "M12 62c14 0 8-20 22-20h6M40 32h8c7 0 10 4 10 10s-3 10-10 10h-8zM58 38h8M58 46h8M108 62c-14 0-8-20-22-20h-3M83 32h-6v20h6zM70 24l2-5M64 22l-2-5M76 22l4-4",
};

/** Hidden from screen readers: its place has a name. @param {keyof typeof ICONS} name */
export function icon(name) {
  const element = drawn(ICONS[name], "icon", "0 0 24 24");
  if (name === "decided") element.firstElementChild?.setAttribute("fill", "currentcolor");
  return element;
}

/** Hidden from screen readers: a sentence stands below. @param {keyof typeof DRAWINGS} name */
export function drawing(name) {
  return drawn(DRAWINGS[name], "drawing", "0 0 120 90");
}

/** @param {string} lines @param {string} look @param {string} viewBox */
function drawn(lines, look, viewBox) {
  const [element, path] = [make("svg"), make("path")];
  path.setAttribute("d", lines);
  element.setAttribute("class", look);
  element.setAttribute("viewBox", viewBox);
  element.setAttribute("aria-hidden", "true");
  element.append(path);
  return element;
}

/** @param {"svg" | "path"} tag */
function make(tag) {
  return document.createElementNS("http://www.w3.org/2000/svg", tag);
}
