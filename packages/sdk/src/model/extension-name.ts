// Labels separated by dots, a slash, and a name: the form of a prefixed key of `_meta`.
const label = '[a-z](?:[a-z\\d-]*[a-z\\d])?'
const form = new RegExp(`^${label}(?:\\.${label})*/[a-z\\d](?:[\\w.-]*[a-z\\d])?$`, 'i')

/** The fault in the names of extensions, if any: each belongs to an author, so it always has a prefix. */
export function wrongExtensionName(names: readonly unknown[]): string | undefined {
  const wrong = names.find((name) => typeof name !== 'string' || !form.test(name))
  if (wrong === undefined) return undefined
  return `expected a name with a prefix, such as "com.example/name", got ${JSON.stringify(wrong)}`
}
