/** The version of the package; a test keeps the two equal. */
export const version = '0.1.0'
