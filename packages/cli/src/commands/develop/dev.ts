import { command } from '../../command.ts'
import { develop } from '../../dev/develop.ts'
import { devOptions } from '../../dev/options.ts'

export default command({
  name: 'dev',
  summary: 'Run a server, restart it when a file changes, show its messages',
  usage: ['<file> [-- argument…]'],
  details:
    'The file exports a server (export const server = createServer(…)) or serves one over standard input and output; TypeScript is run as it is. It is reached at an address that stays the same, and clients stay connected when it restarts. A host can start the command itself: where standard input is not a terminal, it is served there too. --url is the address of a file that listens by itself.',
  examples: [
    { line: 'tenon dev src/server.ts', shows: 'run a server and watch its files' },
    { line: 'tenon dev src/main.ts --url http://127.0.0.1:3000/mcp', shows: 'one that listens by itself' },
    { line: 'tenon dev src/server.ts --no-stdio --json', shows: 'every event, for a program' },
  ],
  options: devOptions,
  run: develop,
})
