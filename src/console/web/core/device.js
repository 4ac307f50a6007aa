/** Who writes in this browser. */

/** Whose drafts are read and kept: one account never meets those of another in the same browser. */
let owner = "";

/** The account that is signed in. */
export function draftOwner() {
  return owner;
}

/** @param {string} accountId */
export function setDraftOwner(accountId) {
  owner = accountId;
}

/** Whether other people use this computer, too: then nothing may stay in the browser. */
export function isShared() {
  return sessionStorage.getItem("shared") === "yes";
}

/** @param {boolean} shared */
export function setShared(shared) {
  if (shared) sessionStorage.setItem("shared", "yes");
  else sessionStorage.removeItem("shared");
}
