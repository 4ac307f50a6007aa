/** Who writes in this browser. */

/** Whose drafts are read and kept: nobody meets those of who used this browser before. */
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
