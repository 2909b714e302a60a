import type { ServerSpec } from '../protocol.ts'
import { querySecrets, withoutUrlSecrets, withoutUserinfo } from '../url-secrets.ts'

/** The names of secrets that have none of their own. */
export const clientSecretName = 'the secret of the client'
export const userinfoName = 'the user and password of the URL'

const inUrl = ' in the URL'

/** The name of a secret in the query of a URL; a header may have the same name. */
export const queryName = (parameter: string): string => `${parameter}${inUrl}`

/** The parameters of a query among names of secrets. */
export const parametersIn = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(inUrl)).map((name) => name.slice(0, -inUrl.length))

/** The names of the secrets in a URL. */
export const urlSecretNames = (url: string): string[] => [
  ...(withoutUserinfo(url) === url ? [] : [userinfoName]),
  ...[...querySecrets(url).keys()].map(queryName),
]

/** The names of the secrets in a specification. */
export function secretNames(spec: ServerSpec): string[] {
  if (spec.kind === 'session') return []
  if (spec.kind === 'command') return Object.keys(spec.env ?? {})
  const { url, headers = {}, oauth } = spec
  return [
    ...Object.keys(headers),
    ...(typeof oauth === 'object' && oauth.clientSecret !== undefined ? [clientSecretName] : []),
    ...urlSecretNames(url),
  ]
}

/** A specification whose secrets are gone; the names of variables and headers stay. */
export function withoutValues(spec: ServerSpec): ServerSpec {
  if (spec.kind === 'session') return spec
  if (spec.kind === 'command') return { ...spec, ...(spec.env && { env: emptied(spec.env) }) }
  const { headers, oauth } = spec
  const { clientSecret: _, ...client } = typeof oauth === 'object' ? oauth : {}
  return {
    ...spec,
    url: withoutUrlSecrets(spec.url),
    ...(headers && { headers: emptied(headers) }),
    ...(typeof oauth === 'object' && { oauth: client }),
  }
}

const emptied = (texts: object): { [name: string]: string } =>
  Object.fromEntries(Object.keys(texts).map((name) => [name, '']))
