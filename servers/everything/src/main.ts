import { parseArgs } from 'node:util'
import { serveStdio } from '@tenon/sdk/stdio'
import { createEverythingServer } from './everything.ts'
import { version } from './version.ts'

const usage = `Usage: everything [options]

An MCP server that shows every feature of the protocol in a small, useful form.
It speaks MCP on standard input and output, one JSON message per line, and ends
when its input ends. Have your MCP client start it:

  { "mcpServers": { "everything": { "command": "npx", "args": ["everything"] } } }

Options:
  -h, --help     Show this text
  -v, --version  Show the version
`

const forPeople = `everything ${version} speaks MCP on stdin and stdout. Try --help; Ctrl+D ends it.\n`

function readOptions(): { help?: boolean; version?: boolean } {
  try {
    return parseArgs({
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    }).values
  } catch (error) {
    process.stderr.write(`everything: ${(error as Error).message}\nTry everything --help.\n`)
    process.exit(2)
  }
}

async function serve(): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write(forPeople)
  const server = createEverythingServer({
    onError: (error, { id, during }) => {
      process.stderr.write(
        `everything: error ${id} during ${during}: ${error instanceof Error ? error.stack : error}\n`,
      )
    },
  })
  await serveStdio(server)
}

const options = readOptions()
if (options.help) process.stdout.write(usage)
else if (options.version) process.stdout.write(`${version}\n`)
else await serve()
