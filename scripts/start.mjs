// `npm start`: the workbench on two servers, ours with every feature and one from npm that reads the pages in docs/.
// Saved servers follow these two, which are not saved unless the user does so.
import { fileURLToPath } from 'node:url'
import { startInspector } from '@tenon/inspector'
import { openBrowser } from '@tenon/sdk/auth'

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))
const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))

const inspector = await startInspector({
  servers: [
    {
      kind: 'command',
      name: 'everything',
      command: process.execPath,
      args: [path('servers/everything/bin/everything.js')],
    },
    { kind: 'command', name: 'filesystem', command: process.execPath, args: [filesystem, path('docs')] },
  ],
})

console.log(`
  Tenon Workbench

    ${inspector.url}

  Two servers are connected: "everything", which shows each feature of the
  protocol, and "filesystem" of npm, which reads the folder docs/. Choose a tool,
  fill in its form, run it, and look at the messages in the timeline.

  The link works once: press Enter for another one. Ctrl-C ends the workbench and
  the servers.

  More: npm run tour, a conversation in the terminal; npx tenon --help, the
  command line.
`)

if (process.stdout.isTTY) await Promise.resolve(openBrowser(new URL(inspector.url))).catch(() => {})

process.stdin.on('data', () => console.log(`    ${inspector.newUrl()}`))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await inspector.close()
    process.exit(0)
  })
}
