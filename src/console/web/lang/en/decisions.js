/** English: decisions. */
export default {};
