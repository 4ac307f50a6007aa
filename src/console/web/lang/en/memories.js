/** English: memories. */
export default {};
