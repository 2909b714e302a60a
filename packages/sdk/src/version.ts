/** The version of the library, as its manifest has it. */
export const version = '0.1.0'
