/** Something in a value that is filled in when the server is used. */
export type Variable =
  /** A variable of the environment, and its default. */
  | { kind: 'env'; name: string; fallback?: string }
  /** Something the user is asked for. */
  | { kind: 'input'; name: string }
  /** The content of a file. */
  | { kind: 'file'; name: string }
  /** A folder, or the character between folders. */
  | { kind: 'place'; name: PlaceName }
  /** A program of which the output would be used, or a setting that only the host knows. */
  | { kind: 'other'; name: string }

export type PlaceName = 'workspaceFolder' | 'workspaceFolderBasename' | 'userHome' | 'pathSeparator'

/** A piece of a value: text, or a variable together with how it was written. */
export type TextPart = string | { variable: Variable; text: string }

/** How a host writes variables. */
export interface Syntax {
  /** Finds candidates. */
  pattern: RegExp
  /** The variable of a match; undefined if it is only text. */
  read(match: RegExpExecArray): Variable | undefined
  /** How a variable is written here; undefined if that is not possible. */
  write(variable: Variable): string | undefined
}

/** Takes a value apart. */
export function partsOf(value: string, syntax: Syntax): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of value.matchAll(syntax.pattern)) {
    const variable = syntax.read(match)
    if (variable === undefined) continue
    if (match.index > end) parts.push(value.slice(end, match.index))
    parts.push({ variable, text: match[0] })
    end = match.index + match[0].length
  }
  if (end < value.length) parts.push(value.slice(end))
  return parts
}

const identifier = /^[A-Za-z_]\w*$/
const braces = /\$\{([^{}]*)\}/g
// Longer ones first; `$(…)` is a program in shells.
const shell = /\$\(([^()]*)\)|\$\{([^{}]*)\}|\$([A-Za-z_]\w*)/g

function envWithFallback(text: string, separator: ':-' | ':'): Variable | undefined {
  const at = text.indexOf(separator)
  const name = (at < 0 ? text : text.slice(0, at)).trim()
  if (!identifier.test(name)) return undefined
  return at < 0 ? { kind: 'env', name } : { kind: 'env', name, fallback: text.slice(at + separator.length) }
}

const places: ReadonlyMap<string, PlaceName> = new Map([
  ['workspaceFolder', 'workspaceFolder'],
  ['workspaceFolderBasename', 'workspaceFolderBasename'],
  ['userHome', 'userHome'],
  ['pathSeparator', 'pathSeparator'],
  ['/', 'pathSeparator'],
])

/** `${env:X}` and its relatives: a kind, a colon and a name, or the name of a place. */
function prefixed(text: string, kinds: readonly string[]): Variable | undefined {
  const place = places.get(text)
  if (place !== undefined && kinds.includes('place')) return { kind: 'place', name: place }
  const [, kind, name] = /^(\w+):(.+)$/s.exec(text) ?? []
  if (kind === undefined || name === undefined || !kinds.includes(kind)) return undefined
  if (kind === 'env' || kind === 'input' || kind === 'file') return { kind, name }
  return { kind: 'other', name: text }
}

function editorSyntax(kinds: readonly string[]): Syntax {
  const writable = (variable: Variable): boolean => kinds.includes(variable.kind) && !('fallback' in variable)
  return {
    pattern: braces,
    read: (match) => prefixed(match[1]!, kinds),
    write: (variable) => {
      if (!writable(variable)) return undefined
      return variable.kind === 'place' ? `\${${variable.name}}` : `\${${variable.kind}:${variable.name}}`
    },
  }
}

const writeBraces = (variable: Variable, separator: ':-' | ':'): string | undefined => {
  if (variable.kind !== 'env' || !identifier.test(variable.name)) return undefined
  return variable.fallback === undefined
    ? `\${${variable.name}}`
    : `\${${variable.name}${separator}${variable.fallback}}`
}

/** The ways of writing variables, by name. */
export const syntaxes: Readonly<Record<SyntaxName, Syntax>> = {
  none: { pattern: /(?!)/g, read: () => undefined, write: () => undefined },
  braces: {
    pattern: braces,
    read: (match) => envWithFallback(match[1]!, ':-'),
    write: (variable) => writeBraces(variable, ':-'),
  },
  colon: {
    pattern: braces,
    read: (match) => envWithFallback(match[1]!, ':'),
    write: (variable) => writeBraces(variable, ':'),
  },
  shell: {
    pattern: shell,
    read: ([text, program, inBraces, bare]) =>
      program === undefined ? envWithFallback(inBraces ?? bare!, ':-') : { kind: 'other', name: text },
    write: (variable) => writeBraces(variable, ':-'),
  },
  vscode: editorSyntax(['env', 'input', 'place', 'config', 'command']),
  cursor: editorSyntax(['env', 'place']),
  env: editorSyntax(['env']),
  windsurf: editorSyntax(['env', 'file']),
  opencode: {
    pattern: /\{(env|file):([^{}]+)\}/g,
    read: ([, kind, name]) => ({ kind: kind as 'env' | 'file', name: name! }),
    write: (variable) => {
      if ((variable.kind !== 'env' && variable.kind !== 'file') || 'fallback' in variable) return undefined
      return `{${variable.kind}:${variable.name}}`
    },
  },
  continue: {
    pattern: /\$\{\{\s*(secrets|inputs)\.([\w.-]+)\s*\}\}/g,
    read: ([text, kind, name]) => (kind === 'secrets' ? { kind: 'env', name: name! } : { kind: 'other', name: text }),
    write: (variable) =>
      variable.kind === 'env' && variable.fallback === undefined ? `\${{ secrets.${variable.name} }}` : undefined,
  },
  /** For text of an unknown host: the syntaxes that several hosts share, and none that reads as plain text. */
  any: {
    pattern: braces,
    read: (match) => prefixed(match[1]!, ['env', 'input', 'place']) ?? envWithFallback(match[1]!, ':-'),
    write: (variable) => writeBraces(variable, ':-') ?? syntaxes.vscode.write(variable),
  },
}

export type SyntaxName =
  | 'none'
  | 'braces'
  | 'colon'
  | 'shell'
  | 'vscode'
  | 'cursor'
  | 'env'
  | 'windsurf'
  | 'opencode'
  | 'continue'
  | 'any'
