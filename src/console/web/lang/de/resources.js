/** German: resources and tags. */
export default {};
