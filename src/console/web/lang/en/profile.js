/** English: the profile. */
export default {};
