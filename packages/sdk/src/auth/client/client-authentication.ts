import * as oauth from 'oauth4webapi'
import { McpError } from '../../errors.ts'
import type { StaticClient } from './options.ts'

type SecretMethod = 'client_secret_basic' | 'client_secret_post' | 'none'

const knownMethods: readonly string[] = ['client_secret_basic', 'client_secret_post', 'none']

/** The method to register for: the one that needs no secret if the server has it, else one that it offers. */
export function methodToRegister({
  token_endpoint_auth_methods_supported: offered,
}: oauth.AuthorizationServer): SecretMethod | undefined {
  if (offered === undefined) return undefined
  const preferred: SecretMethod[] = ['none', 'client_secret_basic', 'client_secret_post']
  return preferred.find((method) => offered.includes(method))
}

/** How a client with this secret authenticates (auth.token.endpoint-auth-method). */
export function secretAuthentication(
  as: oauth.AuthorizationServer,
  secret: string | undefined,
  agreed: string | undefined,
): oauth.ClientAuth {
  const method = knownMethods.includes(agreed ?? '') ? agreed : defaultMethod(as, secret)
  if (secret === undefined || method === 'none') return oauth.None()
  return method === 'client_secret_post' ? oauth.ClientSecretPost(secret) : basic(secret)
}

function defaultMethod(as: oauth.AuthorizationServer, secret: string | undefined): SecretMethod {
  if (secret === undefined) return 'none'
  const offered = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPostOnly = offered.includes('client_secret_post') && !offered.includes('client_secret_basic')
  return isPostOnly ? 'client_secret_post' : 'client_secret_basic'
}

/** Encodes as little as form encoding allows: many servers do not decode, and mostly there is nothing to decode. */
const basic =
  (secret: string): oauth.ClientAuth =>
  (_as, client, _body, headers) => {
    const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
    headers.set('authorization', `Basic ${btoa(`${encode(client.client_id)}:${encode(secret)}`)}`)
  }

/** Assertions signed by the client's key; their audience is the issuer (xauth.cc.jwt-claims). */
export async function keyAuthentication({ privateKey, algorithm }: StaticClient): Promise<oauth.ClientAuth> {
  const sign = oauth.PrivateKeyJwt(await importKey(privateKey!, algorithm))
  return async (as, client, body, headers) => {
    await sign(as, client, body, headers)
    // The assertion names the client.
    body.delete('client_id')
  }
}

async function importKey(key: oauth.CryptoKey | string, algorithm = 'ES256'): Promise<oauth.CryptoKey> {
  if (typeof key !== 'string') return key
  const { importPKCS8 } = await import('jose')
  try {
    return await importPKCS8(key, algorithm)
  } catch {
    // The error could quote the key.
    throw new McpError('invalid_argument', `client.privateKey: expected PKCS#8 in PEM for ${algorithm}`)
  }
}
