/** English: people. */
export default {};
