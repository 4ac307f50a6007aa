/** Elements, dialogs and the status line: user text never becomes HTML. */

const STATUS_MS = 6_000;
const LEAVING_MS = 150;

let statusTimer = 0;

/**
 * Builds an element of a tag and classes: `h("p.quiet", { id }, "text")`. User text never becomes
 * HTML. A function among the attributes listens to the event named after `on`; true sets an empty
 * attribute; null, undefined and false omit it. A button submits only with the type "submit".
 * @type {BuildElement}
 */
export function h(selector, ...parts) {
  const [tag = "", ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  if (tag === "button") element.setAttribute("type", "button");
  const [first, ...others] = parts;
  const isChild = typeof first !== "object" || first === null || first instanceof Node ||
    Array.isArray(first);
  const attributes = /** @type {Readonly<Record<string, Attribute>>} */ (isChild ? {} : first);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      const isAllowed = name !== "href" || isOwnAddress(String(value)) ||
        isOutward(tag, attributes) || isReach(tag, String(value));
      if (!isAllowed) throw new Error("A link leads elsewhere");
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(/** @type {Children} */ (isChild ? parts : others)));
  return /** @type {any} */ (element);
}

/** @param {string} href @param {Child} text @param {"main" | "words"} [look] */
export function link(href, text, look) {
  return h("a", { href, class: look }, text);
}

/** @param {Element} element @param {...(Child | readonly Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** It is removed when it closes. @type {(...parts: Parts) => HTMLDialogElement} */
export function showDialog(...parts) {
  const dialog = h("dialog", ...parts);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The shell has no ${id}`);
  return element;
}

/** Leaves out hidden children. @param {Children} children */
export function nodes(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => typeof child === "number" ? String(child) : child);
}

/** @param {string} address A path of this origin, or a file made by the page. */
export function isOwnAddress(address) {
  // Browsers read "/\host" as "//host", and drop tabs and line ends.
  return /^\/(?![/\\])[^\t\n\r]*$/.test(address) || address.startsWith("#") ||
    address.startsWith("blob:");
}

/**
 * True for a link of a person's text: to the web, in a new tab that cannot reach this one.
 * @param {string} tag @param {Readonly<Record<string, unknown>>} attributes
 */
export function isOutward(tag, { href, target, rel }) {
  return tag === "a" && target === "_blank" && rel === "noopener noreferrer" &&
    /^https?:\/\/[^\s\\]+$/.test(String(href));
}

/** As `encodeURIComponent` writes it, without control characters. */
const ESCAPED = "(?:[\\w.!~*'()-]|%[2-9A-F][0-9A-F]){1,3000}";
const DEGREES = "-?\\d{1,3}(?:\\.\\d{1,6})?";
const REACH = new RegExp(
  `^(?:(?:tel|sms):\\+?\\d{3,30}|mailto:${ESCAPED}@${ESCAPED}|geo:${DEGREES},${DEGREES}|` +
    `geo:0,0\\?q=${ESCAPED})$`,
);

/** True for a number, mail address or place. @param {string} tag @param {string} href */
export function isReach(tag, href) {
  return tag === "a" && REACH.test(href);
}

/**
 * Announces a text visibly and to screen readers. It stays while its button can be pressed.
 * @param {string | Element} text
 */
export function announce(text) {
  const status = byId("status");
  clearTimeout(statusTimer);
  status.className = "";
  status.replaceChildren(text);
  const empty = () => status.textContent = "";
  const leave = () => {
    const isUsed = status.querySelector("button:is(:hover, :focus)") !== null;
    if (!isUsed) status.className = "leaves";
    statusTimer = isUsed ? setTimeout(leave, STATUS_MS) : setTimeout(empty, LEAVING_MS);
  };
  statusTimer = setTimeout(leave, STATUS_MS);
}
