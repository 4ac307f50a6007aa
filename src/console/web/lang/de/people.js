/** German: people. */
export default {};
