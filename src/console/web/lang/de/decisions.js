/** German: decisions. */
export default {};
