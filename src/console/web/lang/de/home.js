/** German: home, search, print and keys. */
export default {};
