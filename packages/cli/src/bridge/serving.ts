import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { serveHttp } from '@tenon/sdk/node'
import type { Server } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import { say } from '../terminal/text.ts'
import { tokenCheck } from './token.ts'

/** The options of every command that serves over HTTP. */
export const httpOptions = {
  port: {
    type: 'number',
    short: 'p',
    value: 'number',
    min: 0,
    max: 65_535,
    help: 'Listen on this port (any free one)',
  },
  host: { type: 'text', value: 'address', help: 'Listen on this address (127.0.0.1)' },
  path: { type: 'text', value: 'path', help: 'Serve at this path (/mcp)' },
  token: { type: 'text', value: 'secret', help: 'Accept only requests with this bearer token: a text or @file' },
  origin: {
    type: 'list',
    value: 'origin',
    help: 'Let pages of this web origin call, such as https://app.example.com',
  },
  'allow-host': { type: 'list', value: 'name', help: 'Answer to this name in Host, such as mcp.example.com' },
} as const satisfies OptionTable

type Call = CommandCall<typeof httpOptions>

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Refuses options that cannot work, and reads the token, before anything is started. */
export async function checkHttpOptions({ options, terminal }: Call): Promise<string | undefined> {
  const { host = '127.0.0.1', path = '/mcp', token } = options
  if (!path.startsWith('/')) throw usage(`--path: expected a path such as /mcp, got ${JSON.stringify(path)}`)
  if (!isLocal(host) && token === undefined) {
    throw usage(
      `--host ${host}: other machines could use the server`,
      'Say who may with --token, or put a proxy in front.',
    )
  }
  return token === undefined ? undefined : await readToken(token, terminal.surroundings.cwd)
}

/** Serves at an address until Ctrl-C. */
export async function serveOverHttp(
  call: Call,
  server: Server,
  { label, secret }: { label: string; secret: string | undefined },
): Promise<void> {
  const { options, terminal } = call
  const { host = '127.0.0.1', path = '/mcp', port = 0, origin, 'allow-host': names } = options
  const http = await serveHttp(server, {
    host,
    port,
    path,
    ...(secret !== undefined && { auth: tokenCheck(secret) }),
    ...(origin.length > 0 && { allowedOrigins: origin, cors: { origins: origin } }),
    ...(names.length > 0 && { allowedHosts: names }),
  }).catch((error: unknown) => {
    throw cannotListen(host, port, error)
  })
  call.event({ event: 'listening', url: http.url }, () => terminal.line(say`${label} is at ${http.url}`))
  terminal.note(terminal.notes.dim('Ctrl-C ends it.'))
  await new Promise<void>((done) => {
    if (call.signal.aborted) done()
    else call.signal.addEventListener('abort', () => done(), { once: true })
  })
  await http.close()
}

/** Serves on standard input and output until the host closes them, or Ctrl-C. */
export async function serveOverStdio({ signal, terminal }: Call, server: Server): Promise<void> {
  const connection = await serveStdio(server, { exit: false, ...terminal.surroundings.output.connection })
  const end = (): void => void connection.close()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  await connection.closed
  await connection.close()
}

/** An address is for people and for a port that was chosen; a host that starts the command has standard input and output. */
export const wantsHttp = ({ options, terminal }: Call): boolean =>
  options.port !== undefined || options.host !== undefined || terminal.surroundings.stdin.isTTY === true

async function readToken(given: string, cwd: string): Promise<string> {
  if (!given.startsWith('@')) return given
  const text = await readFile(resolve(cwd, given.slice(1)), 'utf8').catch((error: Error) => {
    throw usage(`--token: ${error.message}`)
  })
  const secret = text.trim()
  if (secret === '') throw usage(`--token: the file ${given.slice(1)} is empty`)
  return secret
}

const cannotListen = (host: string, port: number, error: unknown): CommandFailure =>
  new CommandFailure(
    ExitCode.Failed,
    'listen',
    `Cannot listen on ${host}:${port}: ${(error as Error).message}`,
    'Another --port may be free; without --port one that is free is taken.',
  )
