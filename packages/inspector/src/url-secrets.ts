import { isSecretSetting } from '@tenon/sdk/display'

/** A URL in which something else stands for each value of its query whose name says that it is a secret. */
export const replaceQuerySecrets = (url: string, replacement: (name: string, value: string) => string): string =>
  url.replace(/([?&])([^=&#]+)=([^&#]+)/g, (whole, mark: string, name: string, value: string) =>
    isSecretSetting(decoded(name)) ? `${mark}${name}=${replacement(decoded(name), value)}` : whole,
  )

/** The secret values in the query of a URL, as they are written there, by name; several of one name in their order. */
export function querySecrets(url: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  replaceQuerySecrets(url, (name, value) => {
    found.set(name, [...(found.get(name) ?? []), value])
    return value
  })
  return found
}

export function withoutUserinfo(text: string): string {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  url.username = ''
  url.password = ''
  return url.href
}

/** A URL without user and password, in whose query the secrets have a name and no value. */
export const withoutUrlSecrets = (url: string): string => replaceQuerySecrets(withoutUserinfo(url), () => '')

/** Arguments in which something else stands for each value that belongs to a secret option, as in `--token=x` or `--token x`. */
export function replaceArgumentSecrets(args: readonly string[], replacement: (name: string) => string): string[] {
  return args.map((arg, at) => {
    const [, option, name, given] = /^(--?([\w-]+)=)(.+)$/s.exec(arg) ?? []
    if (name !== undefined && given !== undefined && isSecretSetting(name)) return `${option}${replacement(name)}`
    const before = /^--?([\w-]+)$/.exec(args[at - 1] ?? '')?.[1]
    return before !== undefined && isSecretSetting(before) && !arg.startsWith('-') ? replacement(before) : arg
  })
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
