import { parseArgs } from 'node:util'
import { serveStdio } from '@tenon/sdk/stdio'
import { createEverythingServer } from './everything.ts'
import { version } from './version.ts'

const usage = `Usage: everything [options]

An MCP server that shows every feature of the protocol in a small, useful form.
It speaks MCP on standard input and output, one JSON message per line, and ends
when its input ends. Have your MCP client start it:

  { "mcpServers": { "everything": { "command": "npx", "args": ["everything"] } } }

With --http it serves any number of clients over HTTP, in every revision:

  everything --http 127.0.0.1:3000     http://127.0.0.1:3000/mcp
  everything --http 3000               the same; other machines cannot reach it

Options:
      --http [HOST:]PORT  Serve over HTTP; port 0 takes any that is free
  -h, --help              Show this text
  -v, --version           Show the version
`

const forPeople = `everything ${version} speaks MCP on stdin and stdout. Try --help; Ctrl+D ends it.\n`

function readOptions(): { help?: boolean; version?: boolean; http?: string } {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        http: { type: 'string' },
      },
    }).values
  } catch (error) {
    return misused((error as Error).message)
  }
}

function misused(problem: string): never {
  process.stderr.write(`everything: ${problem}\nTry everything --help.\n`)
  process.exit(2)
}

/** `3000`, `127.0.0.1:3000` or `[::1]:3000`. */
function readAddress(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (!(port <= 65_535)) misused(`--http: expected [HOST:]PORT, got ${JSON.stringify(text)}`)
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
}

const server = createEverythingServer({
  onError: (error, { id, during }) => {
    process.stderr.write(`everything: error ${id} during ${during}: ${error instanceof Error ? error.stack : error}\n`)
  },
})

async function serveOverHttp(address: string): Promise<void> {
  const { host, port } = readAddress(address)
  try {
    // Loaded when it is wanted: over stdio the server starts faster without it.
    const { serveHttp } = await import('@tenon/sdk/node')
    const { url, close } = await serveHttp(server, { host, port })
    process.stderr.write(`everything ${version} listens on ${url}. Ctrl+C ends it.\n`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
  } catch (error) {
    process.stderr.write(`everything: cannot listen on ${address}: ${(error as Error).message}\n`)
    process.exit(1)
  }
}

async function serveOverStdio(): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write(forPeople)
  await serveStdio(server)
}

const options = readOptions()
if (options.help) process.stdout.write(usage)
else if (options.version) process.stdout.write(`${version}\n`)
else if (options.http !== undefined) await serveOverHttp(options.http)
else await serveOverStdio()
