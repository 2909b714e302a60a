import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

type Path = readonly (string | number)[]

/** Where values come from. */
interface VariableSources {
  readonly env: { readonly [name: string]: string | undefined }
  /** Relative paths begin here. */
  readonly folder: string
}

const maxSecretBytes = 64 * 1024

/**
 * A tree with every `${env:NAME}`, `${env:NAME:-default}` and `${file:PATH}` in its texts filled in. `$${` is a plain `${`.
 * What cannot be filled in is told, without values.
 */
export function fillIn(tree: unknown, sources: VariableSources, tell: (path: Path, message: string) => void): unknown {
  const fill = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return fillText(value, sources, (message) => tell(path, message))
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key])]))
  }
  return fill(tree, [])
}

const placeholder = /\$(\$\{|\{([^{}]*)\})/g

function fillText(text: string, sources: VariableSources, tell: (message: string) => void): string {
  return text.replace(placeholder, (_whole, escaped: string, inside: string | undefined) => {
    if (escaped === '${') return '${'
    const [, kind, name = '', fallback] = /^(env|file):(.+?)(?::-(.*))?$/s.exec(inside ?? '') ?? []
    if (kind === 'env') return sources.env[name] ?? fallback ?? missing(`the variable ${name} is not set`, tell)
    if (kind === 'file')
      return readSecret(resolve(sources.folder, name)) ?? missing(`cannot read the file ${name}`, tell)
    // The text may be a secret itself, so it is not repeated.
    return missing('expected env:NAME or file:PATH in the braces; two dollar signs stand for one', tell)
  })
}

function missing(message: string, tell: (message: string) => void): string {
  tell(message)
  return ''
}

function readSecret(path: string): string | undefined {
  try {
    if (statSync(path).size > maxSecretBytes) return undefined
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}
