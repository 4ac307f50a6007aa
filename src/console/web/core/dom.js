/** Builds elements. User text never becomes HTML. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => unknown)} Value */

const SAID_MS = 6_000;
let saying = 0;

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, Value>>} [attributes] A function listens to the event named after
 *   `on`; true sets an empty attribute; null, undefined and false omit it.
 * @param {...(Child | readonly Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      if (name === "href" && !isOwnAddress(String(value))) {
        throw new Error("A link leads elsewhere");
      }
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Element} element
 * @param {...(Child | readonly Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The shell has no ${id}`);
  return element;
}

/** @param {readonly (Child | readonly Child[])[]} children */
function nodes(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) =>
      typeof child === "number" ? String(child) : /** @type {string | Node} */ (child)
    );
}

/** @param {string} address A path of this origin, or a file made by the page. */
function isOwnAddress(address) {
  // Browsers read "/\host" as "//host", and drop tabs and line ends.
  return /^\/(?![/\\])[^\t\n\r]*$/.test(address) || address.startsWith("#") ||
    address.startsWith("blob:");
}

/**
 * Announces a text visibly and to screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  const status = byId("status");
  clearTimeout(saying);
  status.textContent = text;
  saying = setTimeout(() => status.textContent = "", SAID_MS);
}
