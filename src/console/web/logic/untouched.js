/** What is not touched stays to the letter what it was, however a control shows it. */

/** @typedef {{ text: () => string, setText: (text: string) => void }} Holder */

/**
 * Controls change what they are given: line ends, seconds, choices that are gone. As long as one holds what
 * it made of a text, it holds that text.
 *
 * @param {Holder} control
 * @returns {Holder}
 */
export function untouched({ text, setText }) {
  let shown = text();
  let given = shown;
  return {
    text() {
      const now = text();
      return now === shown ? given : now;
    },
    setText(next) {
      setText(next);
      given = next;
      shown = text();
    },
  };
}
