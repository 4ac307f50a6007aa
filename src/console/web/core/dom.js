/** Elements, made one by one: a text is only ever a text, so that nothing a person wrote becomes HTML. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => unknown)} Value */

const SAID_MS = 6_000;
let saying = 0;

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, Value>>} [attributes] A function listens to the event that the name
 * says after `on`; true sets the attribute without a value; null, undefined and false leave it out.
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
 * Puts children in the place of what an element holds.
 *
 * @param {Element} element
 * @param {...(Child | readonly Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * The element with an id of the shell.
 *
 * @param {string} id
 */
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

/** @param {string} address A path of this origin, or a file that the page itself made. */
function isOwnAddress(address) {
  // Browsers read "/\host" as "//host", and leave out tabs and line ends.
  return /^\/(?![/\\])[^\t\n\r]*$/.test(address) || address.startsWith("#") ||
    address.startsWith("blob:");
}

/**
 * Says in one line what has happened, for eyes and for screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  const status = byId("status");
  clearTimeout(saying);
  status.textContent = text;
  saying = setTimeout(() => status.textContent = "", SAID_MS);
}
