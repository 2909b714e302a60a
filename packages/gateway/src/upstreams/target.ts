import type { Upstream, UpstreamOptions, UpstreamSource } from '@tenon/bridge'
import type { ServerTarget, Target } from '@tenon/sdk/client'
import type { Caller } from '@tenon/sdk/server'
import { socketChannel } from '@tenon/sdk/socket'
import type { UpstreamConfig } from '../config/model.ts'
import type { CredentialSource, GatewayCaller } from '../model.ts'
import { credentialHeaders, credentialsOf } from './credential-headers.ts'
import { httpAddress } from './http-address.ts'
import { type ImportModule, moduleServer } from './module-server.ts'
import { openApiServer } from './openapi-server.ts'

/** How an upstream is reached, by callers and by the gateway itself. */
export interface UpstreamTarget {
  readonly source: UpstreamSource
  /** Without the credentials of anybody. */
  forProbe(): Promise<Upstream>
  close?(): Promise<void>
}

interface TargetContext {
  /** Relative paths begin here. */
  readonly folder: string
  readonly importModule: ImportModule
  /** The source at the moment; undefined if all callers are served alike. */
  readonly credentials: (() => CredentialSource) | undefined
  readonly callerOf: (auth: Caller['auth']) => GatewayCaller
}

/** For whom a connection is opened, and where its credentials come from. */
export interface ForCaller {
  readonly source: CredentialSource
  readonly caller: GatewayCaller
}

/** Makes the connection options of an upstream, for a caller or for nobody. */
type Open = (to: ForCaller | undefined) => Promise<Upstream>

/** The target of an upstream. Without a source of credentials all callers are served alike. */
export function upstreamTarget(name: string, config: UpstreamConfig, context: TargetContext): UpstreamTarget {
  const { credentials, callerOf } = context
  const { open, fixed, close } = opening(name, config, context)
  const forProbe = (): Promise<Upstream> => open(undefined)
  const source: UpstreamSource =
    credentials === undefined
      ? (fixed ?? (() => open(undefined)))
      : ({ auth }) => open({ source: credentials(), caller: callerOf(auth) })
  return { source, forProbe, ...(close && { close }) }
}

interface Opening {
  readonly open: Open
  /** An upstream that is the same for everybody and needs no loading: stateless callers can share its connections. */
  readonly fixed?: Upstream
  close?(): Promise<void>
}

function opening(name: string, config: UpstreamConfig, context: TargetContext): Opening {
  if ('module' in config) {
    const load = once(() => moduleServer(config, context))
    return { open: async () => withRevisions(config, { target: (await load()) as ServerTarget }) }
  }
  if ('openapi' in config) {
    const load = once(() => openApiServer(config, context))
    return { open: async (to) => withRevisions(config, { target: (await load())(name, to) as ServerTarget }) }
  }
  const { close, ...plain } = plainUpstream(config, context)
  const fixed = withRevisions(config, plain)
  const open: Open = async (to) => (to === undefined ? fixed : withCredentials(name, fixed, to))
  return { open, fixed, ...(close && { close }) }
}

type PlainConfig = Exclude<UpstreamConfig, { module: string } | { openapi: string }>

function plainUpstream(config: PlainConfig, { folder }: TargetContext): Upstream & Pick<Opening, 'close'> {
  if ('target' in config) return { target: config.target, ...(config.connect && { connect: config.connect }) }
  if ('socket' in config) return { target: () => socketChannel({ path: config.socket }) }
  if ('url' in config) {
    const { target, connect, close } = httpAddress(config.url)
    const headers = config.headers && { ...config.headers }
    return { target, connect: { ...connect, ...(headers && { headers }) }, ...(close && { close }) }
  }
  const { command, args = [], env = {}, cwd } = config
  return { target: { command, args: [...args], env: { ...env }, inheritEnv: 'network', cwd: cwd ?? folder } }
}

function withRevisions({ revisions }: UpstreamConfig, { target, connect }: Upstream): Upstream {
  const options: UpstreamOptions = { ...connect, ...(revisions && { revisions }) }
  return { target, connect: options }
}

/** Programs get their credentials when they start, and servers over HTTP with every request. */
async function withCredentials(name: string, { target, connect }: Upstream, to: ForCaller): Promise<Upstream> {
  const { source, caller } = to
  if (isProgram(target)) {
    const { env } = await credentialsOf(source, caller, name, new AbortController().signal)
    return { target: { ...target, env: { ...target.env, ...env } }, ...(connect && { connect }) }
  }
  return { target, connect: { ...connect, auth: credentialHeaders(name, source, caller) } }
}

const isProgram = (target: Target): target is Extract<Target, { command: string }> =>
  typeof target === 'object' && 'command' in target

/** Loads once; a failure is not kept. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
