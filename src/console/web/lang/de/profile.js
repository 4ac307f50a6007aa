/** German: the profile. */
export default {};
