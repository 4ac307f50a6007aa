/** German: memories. */
export default {};
