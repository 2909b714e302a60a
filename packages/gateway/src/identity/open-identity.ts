import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Issuer } from '@tenon/issuer'
import type { NetworkOptions } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import { type Authenticate, readHead } from '@tenon/sdk/node'
import { AccountsPage } from '../credentials/accounts/accounts-page.ts'
import { pageListener } from '../credentials/accounts/node-page.ts'
import { SealedCookies } from '../credentials/accounts/sealed-cookies.ts'
import type { CredentialConfig, CredentialsConfig } from '../credentials/config.ts'
import { gatewaySecrets, resolveSecrets, type SecretSources } from '../credentials/secrets.ts'
import { createCredentials } from '../credentials/source.ts'
import type { CredentialSource } from '../model.ts'
import { vaultKeyFile } from '../vault/key-file.ts'
import { openVault, type Vault } from '../vault/vault.ts'
import { type ClaimNames, localCaller } from './callers.ts'
import type { IdentityConfig } from './config.ts'
import { isFromHere, type RefusedCaller } from './door.ts'
import { createDoors, createWays } from './doors.ts'
import { createPeople } from './people.ts'
import { SubjectTokens } from './subject-tokens.ts'

export interface IdentityOptions {
  readonly identity: IdentityConfig
  readonly credentials: CredentialsConfig
  /** The public URL of the gateway, without a path. Without it there are tokens for this machine only, and no accounts. */
  readonly url?: string
  /** The names of the virtual servers, which are at `/servers/NAME/mcp`. */
  readonly servers: readonly string[]
  /** The address of an upstream, if it has one. */
  readonly urlOf: (upstream: string) => string | undefined
  /** The folder for the vault, and the one that relative paths of secrets begin at. */
  readonly folder: string
  readonly env?: { readonly [name: string]: string | undefined }
  readonly network?: NetworkOptions
  readonly now?: () => number
  /** Called for refused requests. It gets no credentials. */
  readonly onRefused?: (refused: RefusedCaller) => void
  /** Called for failures that people and programs are not told about. */
  readonly onError?: (error: unknown) => void
}

/** Identity in and out of a gateway. */
export interface GatewayIdentity {
  /** For all virtual servers: the path of the request tells which one. */
  readonly auth: Authenticate
  /** For one virtual server; undefined for the endpoint of the whole gateway, `/mcp`. */
  authFor(server?: string): Authenticate
  readonly credentials: CredentialSource
  /** Whether a path belongs to the page of accounts, or to the issuer of the gateway. */
  handles(path: string): boolean
  /** Answers a request to one of those. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Seals everything in the vault with the current key; returns how much that was. */
  rotateVault(): Promise<number>
  close(): Promise<void>
}

/** Opens the ways in, the vault and the credentials that a configuration names. */
export async function openIdentity(options: IdentityOptions): Promise<GatewayIdentity> {
  const { folder, env = process.env, network = {}, now = Date.now, onError = () => {} } = options
  const secrets: SecretSources = { env, folder, keychain: gatewaySecrets(folder) }
  const identity = await resolveSecrets(options.identity, 'identity', secrets)
  const base = baseOf(options.url)
  const claims: ClaimNames = { groupsClaim: identity.groupsClaim ?? 'groups', nameClaim: identity.nameClaim }
  const subjects = new SubjectTokens()
  const kinds = [...options.credentials.values()]
  const isVaultNeeded = base !== undefined && kinds.some(usesVault)
  const vault = isVaultNeeded ? await vaultOf(identity, folder, now) : undefined
  try {
    const people = createPeople(identity, { base, vault, claims, network, now, servers: options.servers, onError })
    const { source, accounts } = await createCredentials(options.credentials, {
      secrets,
      network,
      now,
      subjects: { tokens: subjects, signIns: people.signIns },
      urlOf: options.urlOf,
      accounts: vault && base && { vault, base: base.origin },
    })
    const keepsTokens = kinds.some((kind) => subjectOfKind(kind) === 'caller')
    const ways = createWays(identity, {
      claims,
      network,
      own: people.own,
      now,
      subjects: keepsTokens ? subjects : undefined,
      onRefused: options.onRefused,
    })
    const doors = createDoors(identity, ways, base, options.servers)
    const answer =
      vault &&
      base &&
      new AccountsPage({
        base,
        accounts,
        cookies: new SealedCookies(vault.keyring, base, now),
        signIns: people.signIns,
        connectedCaller: (request) =>
          ways.proxy?.callerOf(request) ?? (ways.local && isFromHere(request) ? localCaller() : undefined),
        keyCaller: identity.keys?.length ? (key) => ways.keys.find(key)?.caller : undefined,
        onError,
      })
    const listen = answer && pageListener((request) => answer.answer(request), onError)
    return {
      ...doors,
      credentials: source,
      handles: (path) => isPage(path, listen !== undefined) || isIssuer(path, people.own),
      handle: async (request, response) => {
        const path = readHead(request)?.target.path
        if (path === undefined) response.writeHead(400, { connection: 'close' }).end()
        else if (people.own !== undefined && isIssuer(path, people.own)) await people.own.handle(request, response)
        else if (listen !== undefined) await listen(request, response)
        else response.writeHead(404).end()
      },
      rotateVault: async () => (await vault?.rotate()) ?? 0,
      close: async () => vault?.close(),
    }
  } catch (error) {
    await vault?.close()
    throw error
  }
}

/** The subject that a grant starts with; undefined if it needs none. */
function subjectOfKind(kind: CredentialConfig): 'caller' | 'sign-in' | undefined {
  if (kind.type === 'token-exchange') return kind.subject ?? 'caller'
  return kind.type === 'id-jag' ? (kind.subject ?? 'sign-in') : undefined
}

const usesVault = (kind: CredentialConfig): boolean => kind.type === 'account' || subjectOfKind(kind) === 'sign-in'

function baseOf(url: string | undefined): URL | undefined {
  if (url === undefined) return undefined
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base !== undefined && /^https?:$/.test(base.protocol) && base.href === `${base.origin}/`) return base
  throw new McpError(
    'invalid_argument',
    `url: expected an http or https URL without a path, got ${JSON.stringify(url)}`,
  )
}

async function vaultOf({ vault = {} }: IdentityConfig, folder: string, now: () => number): Promise<Vault> {
  const { database = join(folder, 'vault'), key, previousKeys = [] } = vault
  if (key === undefined && /^postgres/i.test(database)) {
    throw new McpError('invalid_argument', 'identity.vault.key: is required beside the URL of a database')
  }
  const keys = [key ?? (await vaultKeyFile(join(folder, 'vault.key'))), ...previousKeys]
  return openVault({ database, keys, now })
}

const isPage = (path: string, hasPage: boolean): boolean =>
  hasPage && (path === '/accounts' || path.startsWith('/accounts/'))

const issuerPaths = /^\/issuer\/|^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)\/issuer$/

const isIssuer = (path: string, own: Issuer | undefined): boolean => own !== undefined && issuerPaths.test(path)
