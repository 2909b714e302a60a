import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { serveHttp } from '@tenon/sdk/node'
import { bridgeOptions, openBridge } from '../bridge/open.ts'
import { tokenCheck } from '../bridge/token.ts'
import { command } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { say } from '../terminal/text.ts'

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

export default command({
  name: 'expose',
  summary: 'Serve a program, or any other server, over HTTP',
  usage: ['-- <program> [argument…]', '<target>'],
  details: `Serves clients of every revision at one address, for a server of any revision. Each session has a process of its own;
clients without sessions share one. Only this machine can reach it, unless --host says otherwise; then --token is required.`,
  examples: [
    { line: 'tenon expose --port 3000 -- npx my-server', shows: 'a program at http://127.0.0.1:3000/mcp' },
    {
      line: 'tenon expose everything --token @secret.txt --host 0.0.0.0',
      shows: 'for other machines that know the token',
    },
  ],
  options: {
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
    'max-processes': { type: 'number', value: 'number', min: 1, max: 100_000, help: 'Start at most this many (100)' },
    idle: { type: 'time', help: 'End a process without sessions after this idle time (5m)' },
    ...bridgeOptions,
  },
  async run(call) {
    const { options, terminal } = call
    const { host = '127.0.0.1', path = '/mcp', port = 0, token, origin } = options
    if (!path.startsWith('/')) throw usage(`--path: expected a path such as /mcp, got ${JSON.stringify(path)}`)
    if (!isLocal(host) && token === undefined) {
      throw usage(
        `--host ${host}: other machines could use the server`,
        'Say who may with --token, or put a proxy in front.',
      )
    }
    const secret = token === undefined ? undefined : await readToken(token, terminal.surroundings.cwd)
    const names = options['allow-host']
    const { link, label } = await openBridge(call, {
      ...(options['max-processes'] !== undefined && { maxConnections: options['max-processes'] }),
      ...(options.idle !== undefined && { idleMs: options.idle }),
    })
    const http = await serveHttp(link.server, {
      host,
      port,
      path,
      ...(secret !== undefined && { auth: tokenCheck(secret) }),
      ...(origin.length > 0 && { allowedOrigins: origin, cors: { origins: origin } }),
      ...(names.length > 0 && { allowedHosts: names }),
    }).catch(async (error: unknown) => {
      await link.close()
      throw cannotListen(host, port, error)
    })
    call.event({ event: 'listening', url: http.url }, () => terminal.line(say`${label} is at ${http.url}`))
    terminal.note(terminal.notes.dim('Ctrl-C ends it.'))
    await new Promise<void>((done) => {
      if (call.signal.aborted) done()
      else call.signal.addEventListener('abort', () => done(), { once: true })
    })
    await http.close()
    await link.close()
  },
})

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
