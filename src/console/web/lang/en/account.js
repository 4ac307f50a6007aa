/** English: account, sessions, tokens and exports. */
export default {};
