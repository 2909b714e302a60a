/** The version of the workbench, as it introduces itself to servers. */
export const version = '0.1.0'
