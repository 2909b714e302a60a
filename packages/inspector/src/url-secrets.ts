import { isSecretName } from '@tenon/sdk/display'

/** A URL in which something else stands for each value of its query whose name says that it is a secret. */
export const replaceQuerySecrets = (url: string, replacement: (name: string) => string): string =>
  url.replace(/([?&])([^=&#]+)=([^&#]+)/g, (whole, mark: string, name: string) =>
    isSecretName(decoded(name)) ? `${mark}${name}=${replacement(decoded(name))}` : whole,
  )

/** Arguments in which something else stands for each value that belongs to a secret option, as in `--token=x` or `--token x`. */
export function replaceArgumentSecrets(args: readonly string[], replacement: (name: string) => string): string[] {
  return args.map((arg, at) => {
    const [, option, name, given] = /^(--?([\w-]+)=)(.+)$/s.exec(arg) ?? []
    if (name !== undefined && given !== undefined && isSecretName(name)) return `${option}${replacement(name)}`
    const before = /^--?([\w-]+)$/.exec(args[at - 1] ?? '')?.[1]
    return before !== undefined && isSecretName(before) && !arg.startsWith('-') ? replacement(before) : arg
  })
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
