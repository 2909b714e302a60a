import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type AuthStore, keychainStore } from '@tenon/sdk/auth'
import { McpError } from '@tenon/sdk/client'

/** The places that secrets come from. */
export interface SecretSources {
  readonly env: { readonly [name: string]: string | undefined }
  /** Relative paths begin here. */
  readonly folder: string
  readonly keychain: Pick<AuthStore, 'get'>
}

const reference = /\$\{(env|file|keychain):([^}]+)\}/g
const maxBytes = 64 * 1024

/** The secrets of a gateway that `${keychain:NAME}` refers to: a file that is sealed by the keychain of this system. */
export const gatewaySecrets = (folder: string): AuthStore =>
  keychainStore(join(folder, 'secrets.sealed.json'), { service: 'tenon-gateway' })

/** A copy of a value with every reference replaced. An error names the place and the reference, never a value. */
export async function resolveSecrets<Value>(value: Value, path: string, sources: SecretSources): Promise<Value> {
  if (typeof value === 'string') return (await resolveText(value, path, sources)) as Value
  if (Array.isArray(value)) {
    const items = value.map((item, index) => resolveSecrets(item, `${path}[${index}]`, sources))
    return (await Promise.all(items)) as Value
  }
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(async ([name, member]) => [
    name,
    await resolveSecrets(member, `${path}.${name}`, sources),
  ])
  return Object.fromEntries(await Promise.all(members))
}

async function resolveText(text: string, path: string, sources: SecretSources): Promise<string> {
  const parts: string[] = []
  let end = 0
  for (const found of text.matchAll(reference)) {
    const [whole, source, name] = found as unknown as [string, string, string]
    parts.push(text.slice(end, found.index), await lookUp(source, name, `${path}: ${whole}`, sources))
    end = found.index + whole.length
  }
  return parts.join('') + text.slice(end)
}

async function lookUp(source: string, name: string, about: string, sources: SecretSources): Promise<string> {
  const value = await read(source, name, about, sources)
  if (value === undefined || value === '') throw new McpError('invalid_argument', `${about} has no value`)
  if (/[\r\n\0]/.test(value) && !value.startsWith('-----BEGIN ')) {
    throw new McpError('invalid_argument', `${about} has more than one line`)
  }
  return value
}

async function read(
  source: string,
  name: string,
  about: string,
  { env, folder, keychain }: SecretSources,
): Promise<string | undefined> {
  if (source === 'env') return env[name]
  if (source === 'keychain') return keychain.get(name)
  try {
    const content = await readFile(resolve(folder, name), 'utf8')
    if (content.length <= maxBytes) return content.trimEnd()
  } catch (error) {
    throw new McpError('invalid_argument', `${about} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  throw new McpError('invalid_argument', `${about} is larger than ${maxBytes} bytes`)
}
