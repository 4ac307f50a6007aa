/** Keeps what is written a moment after each keystroke, and not for each of them. */

const DELAY_MS = 300;

/** @param {() => void} work */
export function delayed(work) {
  let timer = 0;
  const cancel = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const now = () => {
    cancel();
    work();
  };
  return {
    cancel,
    /** Whether it is to be done. */
    isDue: () => timer !== 0,
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, DELAY_MS);
    },
  };
}
