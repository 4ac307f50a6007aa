/** English: home, search, print and keys. */
export default {};
