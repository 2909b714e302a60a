/** The members that have a value. JSON drops `undefined`, so checks must not see it. */
export const omitUndefined = <T>(members: { readonly [name: string]: T | undefined }): { [name: string]: T } =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, T] => entry[1] !== undefined))
