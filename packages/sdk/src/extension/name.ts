// Labels with dots between them, a slash, and a name: the form of a key of `_meta`, with its prefix.
const label = '[a-z](?:[a-z\\d-]*[a-z\\d])?'
const form = new RegExp(`^${label}(?:\\.${label})*/[a-z\\d](?:[\\w.-]*[a-z\\d])?$`, 'i')

/** What is wrong with the names of extensions, if anything: they belong to somebody, so they always have a prefix. */
export function wrongExtensionName(names: readonly unknown[]): string | undefined {
  const wrong = names.find((name) => typeof name !== 'string' || !form.test(name))
  if (wrong === undefined) return undefined
  return `expected a name with a prefix, such as "com.example/name", got ${JSON.stringify(wrong)}`
}
