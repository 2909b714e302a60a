import { type Caller, ToolError } from '@tenon/sdk/server'
import type { ApiDocument } from '../document/api-document.ts'
import { objectMember, textMember } from '../document/json.ts'
import type { Operation } from '../document/operation.ts'
import type { ServiceRequest } from './build-request.ts'

/** A way to prove who calls, as the document describes it. */
export interface SecurityScheme {
  readonly name: string
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  /** Of `http`: `basic`, `bearer` or another one. */
  readonly scheme?: string
}

/** A token or key; for `basic`, `user:password`. */
export type Credential = string | undefined

/** The credentials of the service: by the name of a security scheme, or for a scheme and a caller. */
export type Credentials =
  | { readonly [scheme: string]: Credential }
  | ((scheme: SecurityScheme, caller: Caller) => Credential | Promise<Credential>)

/** Adds the credentials of the first requirement that can be met. */
export async function authorize(
  document: ApiDocument,
  { security }: Operation,
  credentials: Credentials | undefined,
  caller: Caller,
  request: ServiceRequest,
): Promise<void> {
  if (security.length === 0) return
  for (const requirement of security) {
    const found = await Promise.all(
      requirement.map(async (name) => ({ name, value: await credentialOf(document, name, credentials, caller) })),
    )
    if (found.some(({ value }) => value === undefined)) continue
    for (const { name, value } of found) apply(document, name, value!, request)
    return
  }
  const names = security.map((requirement) => requirement.join(' and ')).join(', or ')
  throw new ToolError(
    `The service needs credentials for ${names}, and this server has none. Whoever runs it can add them.`,
  )
}

function schemeOf(document: ApiDocument, name: string): unknown {
  const schemes = objectMember(objectMember(document.root, 'components'), 'securitySchemes')
  return document.resolve(Object.hasOwn(schemes, name) ? schemes[name] : undefined, '/components/securitySchemes').value
}

async function credentialOf(
  document: ApiDocument,
  name: string,
  credentials: Credentials | undefined,
  caller: Caller,
): Promise<Credential> {
  if (typeof credentials !== 'function') {
    return credentials !== undefined && Object.hasOwn(credentials, name) ? credentials[name] : undefined
  }
  const scheme = schemeOf(document, name)
  const kind = textMember(scheme, 'scheme')
  const type = textMember(scheme, 'type') as SecurityScheme['type']
  return credentials({ name, type, ...(kind !== undefined && { scheme: kind.toLowerCase() }) }, caller)
}

function apply(
  document: ApiDocument,
  name: string,
  credential: string,
  { url, headers, cookies }: ServiceRequest,
): void {
  const scheme = schemeOf(document, name)
  if (textMember(scheme, 'type') === 'apiKey') {
    const key = textMember(scheme, 'name') ?? name
    const place = textMember(scheme, 'in')
    if (place === 'query') url.searchParams.set(key, credential)
    else if (place === 'cookie') cookies.push([key, credential])
    else headers.set(key, credential)
    return
  }
  const kind = textMember(scheme, 'scheme')?.toLowerCase() ?? 'bearer'
  const value = kind === 'basic' ? Buffer.from(credential).toString('base64') : credential
  headers.set('authorization', `${kind === 'basic' ? 'Basic' : kind === 'bearer' ? 'Bearer' : kind} ${value}`)
}
