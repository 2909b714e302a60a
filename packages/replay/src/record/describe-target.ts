import type { Target } from '@tenon/sdk/client'
import { isSecretSetting } from '@tenon/sdk/display'
import { isObject } from '../json/is-object.ts'
import { redactionMarker } from '../json/redaction-marker.ts'
import type { SessionTarget } from '../session/format.ts'
import type { Redactor } from './redactor.ts'

const strings = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
/** Of `connect` these are names with values, of a configuration the names alone. */
const namesIn = (value: unknown): string[] | undefined => (isObject(value) ? Object.keys(value) : strings(value))

/** The description of a target of `connect` or of a configuration in a recording, without secrets. */
export function describeTarget(
  target: Target | SessionTarget | undefined,
  redactor: Redactor,
): SessionTarget | undefined {
  if (typeof target === 'string' || target instanceof URL) return { url: redactUrl(String(target), redactor) }
  if (!isObject(target)) return undefined
  const { command, url, cwd, name } = target as { [member: string]: unknown }
  const [args, env, headers] = [strings(target.args), namesIn(target.env), namesIn(target.headers)]
  const described: SessionTarget = {
    ...(typeof name === 'string' && { name }),
    ...(typeof command === 'string' && { command: redactor.text(command) }),
    ...(args && { args: redactArgs(args, redactor) }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(env && { env }),
    ...(typeof url === 'string' && { url: redactUrl(url, redactor) }),
    ...(headers && { headers }),
  }
  return Object.keys(described).length === 0 ? undefined : described
}

/** Redacts the values in `--api-key x`, `--token=x` and `DB_PASSWORD=x`. */
function redactArgs(args: readonly string[], redactor: Redactor): string[] {
  let next = false
  return args.map((arg) => {
    const secret = next
    const [, name = '', assigned] = /^-{0,2}([\w.-]{1,100})(=[\s\S]*)?$/.exec(arg) ?? []
    next = assigned === undefined && arg.startsWith('-') && isSecretSetting(name)
    if (secret && !arg.startsWith('-')) return gap(redactor)
    return assigned !== undefined && isSecretSetting(name)
      ? `${arg.slice(0, arg.length - assigned.length)}=${gap(redactor)}`
      : redactor.text(arg)
  })
}

function redactUrl(text: string, redactor: Redactor): string {
  if (!URL.canParse(text)) return redactor.text(text)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
    redactor.count += 1
  }
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecretSetting(name)) url.searchParams.set(name, gap(redactor))
  }
  return redactor.text(url.href.replaceAll(encodeURIComponent(redactionMarker), redactionMarker))
}

function gap(redactor: Redactor): string {
  redactor.count += 1
  return redactionMarker
}
