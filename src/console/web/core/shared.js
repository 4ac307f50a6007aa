/** Whether other people use this computer, too. */

/** Whether nothing may stay in this browser. */
export function isShared() {
  return sessionStorage.getItem("shared") === "yes";
}

/** @param {boolean} shared */
export function setShared(shared) {
  if (shared) sessionStorage.setItem("shared", "yes");
  else sessionStorage.removeItem("shared");
}
