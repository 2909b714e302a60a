/** Members whose strings are all secret: variables of a process. */
export const isSecretObject = (name: string): boolean => /^env(?:ironment)?$/i.test(name)

/** Members that describe values and hold none: a property `password` of a schema is no password. */
export const isSchemaName = (name: string): boolean =>
  name === 'inputSchema' || name === 'outputSchema' || name === 'requestedSchema'
