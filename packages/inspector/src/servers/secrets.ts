import type { Challenge, ServerSpec } from '../protocol.ts'
import { hidden } from '../protocol-servers.ts'
import { querySecrets, replaceQuerySecrets } from '../url-secrets.ts'

type Texts = { [name: string]: string }

/** An empty value hides nothing, and a person who has to enter one sees that it is empty. */
const hide = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value === '' ? '' : hidden]))

/** A specification that can be shown: the values of variables and headers stay here. */
export function withoutSecrets(spec: ServerSpec): ServerSpec {
  if (spec.kind === 'session') return spec
  if (spec.kind === 'command') return { ...spec, ...(spec.env && { env: hide(spec.env) }) }
  const { oauth } = spec
  return {
    ...spec,
    url: withoutCredentials(spec.url),
    ...(spec.headers && { headers: hide(spec.headers) }),
    ...(typeof oauth === 'object' && oauth.clientSecret !== undefined && { oauth: { ...oauth, clientSecret: hidden } }),
  }
}

const hiddenInUrl = encodeURIComponent(hidden)

function withoutCredentials(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = hidden
  return replaceQuerySecrets(url.password === '' ? text : url.href, () => hiddenInUrl)
}

/** An edited URL of the same origin gets its hidden parts back: all of them, or those of its query that are left. */
function restoreUrl(edited: string, known: string | undefined): string {
  if (known === undefined || !sameOrigin(edited, known)) return edited
  if (edited === withoutCredentials(known)) return known
  const values = querySecrets(known)
  return replaceQuerySecrets(edited, (name, value) =>
    value === hiddenInUrl || value === hidden ? (values.get(name)?.shift() ?? value) : value,
  )
}

/** A program as it is shown before its secrets are revealed. */
export const withHiddenValues = (challenge: Challenge): Challenge => ({
  ...challenge,
  env: hide(challenge.env),
  hidden: true,
})

/** An edited specification, with the secrets that the page never saw put back. */
export function withSecretsOf(edited: ServerSpec, known: ServerSpec): ServerSpec {
  if (edited.kind === 'session') return edited
  if (edited.kind === 'command') {
    return { ...edited, ...(edited.env && { env: restore(edited.env, known.kind === 'command' ? known.env : {}) }) }
  }
  const before = known.kind === 'url' ? known : undefined
  return {
    ...edited,
    url: restoreUrl(edited.url, before?.url),
    // A header goes to where the person sent it, and not to wherever the URL was changed to.
    ...(edited.headers && {
      headers: restore(edited.headers, sameOrigin(edited.url, before?.url) ? before?.headers : {}),
    }),
    ...(typeof edited.oauth === 'object' && { oauth: restoreSecret(edited.oauth, before?.oauth) }),
  }
}

function restore(edited: Texts, known: Texts = {}): Texts {
  const restored = Object.entries(edited).flatMap(([name, value]) => {
    if (value !== hidden) return [[name, value] as const]
    return Object.hasOwn(known, name) ? [[name, known[name]!] as const] : []
  })
  return Object.fromEntries(restored)
}

function restoreSecret<Spec extends { clientSecret?: string }>(edited: Spec, known: unknown): Spec {
  if (edited.clientSecret !== hidden) return edited
  const { clientSecret: _, ...rest } = edited
  const secret = (known as { clientSecret?: string } | undefined)?.clientSecret
  return { ...rest, ...(secret !== undefined && { clientSecret: secret }) } as Spec
}

const sameOrigin = (url: string, other: string | undefined): boolean =>
  other !== undefined && new URL(url).origin === new URL(other).origin
