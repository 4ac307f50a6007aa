/** English: resources and tags. */
export default {};
