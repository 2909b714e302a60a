import type { AuthStore } from '@tenon/sdk/auth'
import { isObject } from '../read-params.ts'
import { fingerprint } from '../servers/trust.ts'
import { withoutUrlSecrets, withoutUserinfo } from '../url-secrets.ts'
import type { KeepableSpec } from './entry.ts'
import { clientSecretName, urlSecretNames } from './secret-names.ts'

type Texts = { [name: string]: string }

/** The secrets of a server in the store. */
interface Record {
  values?: Texts
  clientSecret?: string
  /** With user, password and the secrets of its query. */
  url?: string
  /** The origin that may get the headers: other programs can change the list, and with it the URL. */
  origin?: string
  /** The program that the person has agreed to start, with everything that belongs to it. */
  agreed?: string
}

const keyOf = (id: string): string => `workbench server ${id}`

/** A specification with its secrets, and the names of those that were not found. */
export interface WithSecrets {
  spec: KeepableSpec
  missing: string[]
  /** Whether the person has agreed to start exactly this program. */
  isAgreed: boolean
}

/** Keeps the secrets of a server; without any there is nothing to keep. */
export async function keepSecrets(
  store: AuthStore,
  id: string,
  spec: KeepableSpec,
  { isAgreed, missing }: Pick<WithSecrets, 'isAgreed' | 'missing'>,
): Promise<void> {
  const record = recordOf(spec, isAgreed, missing)
  if (Object.keys(record).length === 0) await store.delete(keyOf(id))
  else await store.set(keyOf(id), JSON.stringify(record))
}

export const forgetSecrets = async (store: AuthStore, id: string): Promise<void> => store.delete(keyOf(id))

function recordOf(spec: KeepableSpec, isAgreed: boolean, missing: readonly string[]): Record {
  const all = Object.entries((spec.kind === 'command' ? spec.env : spec.headers) ?? {})
  const values = Object.fromEntries(all.filter(([name]) => !missing.includes(name)))
  const shared = Object.keys(values).length > 0 ? { values } : {}
  if (spec.kind === 'command') return { ...shared, ...(isAgreed && { agreed: fingerprint(spec) }) }
  const clientSecret = typeof spec.oauth === 'object' ? spec.oauth.clientSecret : undefined
  const record = {
    ...shared,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(urlSecretNames(spec.url).length > 0 && { url: spec.url }),
  }
  return Object.keys(record).length === 0 ? {} : { ...record, origin: new URL(spec.url).origin }
}

/** Puts the secrets of a server back. */
export async function findSecrets(
  store: AuthStore,
  id: string,
  spec: KeepableSpec,
  needs: readonly string[],
): Promise<WithSecrets> {
  const record = parse(await store.get(keyOf(id)))
  if (spec.kind === 'command') {
    const { env } = spec
    const found = { ...spec, ...(env && { env: filled(env, record.values) }) }
    const missing = needs.filter((name) => !has(record, name))
    return { spec: found, missing, isAgreed: record.agreed === fingerprint(found) }
  }
  const isHome = record.origin === new URL(spec.url).origin
  const home: Record = isHome ? record : {}
  const { values, clientSecret, url } = home
  const { headers, oauth } = spec
  const isSameUrl = url !== undefined && (withoutUrlSecrets(url) === spec.url || withoutUserinfo(url) === spec.url)
  const found = {
    ...spec,
    ...(headers && { headers: filled(headers, values) }),
    ...(typeof oauth === 'object' && clientSecret !== undefined && { oauth: { ...oauth, clientSecret } }),
    ...(isSameUrl && { url }),
  }
  const inUrl = urlSecretNames(found.url)
  return { spec: found, missing: needs.filter((name) => !inUrl.includes(name) && !has(home, name)), isAgreed: true }
}

const filled = (names: Texts, values: Texts = {}): Texts =>
  Object.fromEntries(Object.keys(names).map((name) => [name, Object.hasOwn(values, name) ? values[name]! : '']))

const has = ({ values = {}, clientSecret }: Record, name: string): boolean =>
  name === clientSecretName ? clientSecret !== undefined : Object.hasOwn(values, name)

/** A record that was not written here is none. */
function parse(text: string | undefined): Record {
  const value: unknown = text === undefined ? {} : JSON.parse(text)
  if (!isObject(value)) return {}
  const { values, clientSecret, url, origin, agreed } = value
  return {
    ...(isTexts(values) && { values }),
    ...(typeof clientSecret === 'string' && { clientSecret }),
    ...(typeof url === 'string' && { url }),
    ...(typeof origin === 'string' && { origin }),
    ...(typeof agreed === 'string' && { agreed }),
  }
}

const isTexts = (value: unknown): value is Texts =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string')
