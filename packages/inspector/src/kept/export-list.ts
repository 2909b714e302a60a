import { freeName } from '../free-name.ts'
import type { CommandSpec, Result, ServerSpec, UrlSpec } from '../protocol.ts'
import { replaceArgumentSecrets, replaceQuerySecrets, withoutUserinfo } from '../url-secrets.ts'
import { isKeepable, type KeepableSpec } from './entry.ts'

type Texts = { [name: string]: string }

/** Writes servers as `.mcp.json` does. Secrets are not written: variables of the environment stand for them. */
export function exportList(specs: readonly ServerSpec[]): Result<'list.export'> {
  const variables = new Set<string>()
  const notes: string[] = []
  const entries = new Map<string, object>()
  for (const spec of specs) {
    if (!isKeepable(spec)) continue
    const name = freeName(spec.name, entries)
    const variable = (wanted: string): string => {
      const known = wanted.replace(/\W+/g, '_').replace(/^(?=\d)/, '_')
      variables.add(known)
      return `\${${known}}`
    }
    notes.push(
      ...plainTexts(spec)
        .filter((text) => /\$\{[^{}]*\}/.test(text))
        .map((text) => wouldBeFilledIn(name, text)),
    )
    if (spec.revision !== undefined) notes.push(`${name}: the revision ${spec.revision} cannot be said in this file`)
    entries.set(name, spec.kind === 'command' ? commandEntry(spec, name, variable) : urlEntry(spec, name, variable))
  }
  const text = `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)}\n`
  return { name: '.mcp.json', text, variables: [...variables].toSorted(), notes }
}

function commandEntry(
  { command, args = [], env, cwd, timeoutMs }: CommandSpec,
  name: string,
  variable: (name: string) => string,
): object {
  return {
    type: 'stdio',
    command,
    args: replaceArgumentSecrets(args, (option) => variable(`${name}_${option}`.toUpperCase())),
    ...(env && { env: mapped(env, variable) }),
    ...(cwd !== undefined && { cwd }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  }
}

/** Headers have no variables of their own, and two servers may have the same: the name of the server is part of theirs. */
function urlEntry(spec: UrlSpec, name: string, variable: (name: string) => string): object {
  const { url, headers, oauth, timeoutMs } = spec
  const own = (what: string): string => variable(`${name}_${what}`.toUpperCase())
  return {
    type: /^ws/i.test(url) ? 'ws' : 'http',
    url: replaceQuerySecrets(withoutUserinfo(url), own),
    ...(headers && { headers: mapped(headers, own) }),
    ...(typeof oauth === 'object' && {
      oauth: { ...oauth, ...(oauth.clientSecret !== undefined && { clientSecret: own('client_secret') }) },
    }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  }
}

const mapped = (texts: Texts, to: (name: string) => string): Texts =>
  Object.fromEntries(Object.keys(texts).map((name) => [name, to(name)]))

const plainTexts = (spec: KeepableSpec): string[] =>
  spec.kind === 'command' ? [spec.command, ...(spec.args ?? []), spec.cwd ?? ''] : [spec.url]

const wouldBeFilledIn = (name: string, text: string): string =>
  `${name}: ${JSON.stringify(text)} would be read as a variable`
