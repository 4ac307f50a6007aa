/** Who writes in this browser. */

/** Whose drafts are read and kept: one account never meets those of another in the same browser. */
let owner = "";

/** The account that is signed in; empty once it has signed out. */
export function draftOwner() {
  return owner;
}

/** @param {string} accountId */
export function setDraftOwner(accountId) {
  owner = accountId;
}

/** Whether other people use this computer, too: then what is written stays no longer than its tab. */
export function isShared() {
  return localStorage.getItem("shared") === "yes";
}

/** @param {boolean} shared Holds for every tab, until someone signs out or says otherwise. */
export function setShared(shared) {
  if (shared) localStorage.setItem("shared", "yes");
  else localStorage.removeItem("shared");
}
