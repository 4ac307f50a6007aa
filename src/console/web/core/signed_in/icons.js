/** Icons, on a grid of 24. */
const PATHS = {
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
  add: "M12 5v14M5 12h14",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4",
  decisions: "M6 3.5v17M6 6h11l3 3-3 3H6M18 16.5H6",
  drafts: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  files:
    "M18.5 11l-7 7a4.2 4.2 0 0 1-6-6l7.5-7.5a2.8 2.8 0 0 1 4 4L9.5 16a1.4 1.4 0 0 1-2-2l6.5-6.5",
  home:
    "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  leave: "M13 4H5v16h8M10 12h10M16.5 8.5L20 12l-3.5 3.5",
  memories:
    "M12 6.5C10 5 7 4.5 3.5 5v13.5c3.5-.5 6.5 0 8.5 1.5 2-1.5 5-2 8.5-1.5V5C17 4.5 14 5 12 6.5zM12 6.5V20",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M9 5.5l6.5 6.5L9 18.5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.6-3.3 3.1-5 6.5-5s5.9 1.7 6.5 5M15.5 4.8a3.5 3.5 0 0 1 0 6.5M17.5 14.8c2.2.6 3.6 2.2 4 4.7",
  records: "M4 5h16v5H4zM4 14h16v5H4zM8 7.5h3M8 16.5h3",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20.5 20.5",
  tags: "M3.5 4h8l9 9-7.5 7.5-9.5-9.5zM8 8.5h.01",
};

/** Hidden from screen readers, since each has a word. @param {keyof typeof PATHS} name */
export function icon(name) {
  const [element, path] = [make("svg"), make("path")];
  path.setAttribute("d", PATHS[name]);
  element.setAttribute("class", "icon");
  element.setAttribute("viewBox", "0 0 24 24");
  element.setAttribute("aria-hidden", "true");
  element.append(path);
  return element;
}

/** @param {"svg" | "path"} tag */
function make(tag) {
  return document.createElementNS("http://www.w3.org/2000/svg", tag);
}
