import { command } from '../../command.ts'
import { collectLists, incomplete, kindsOf, lists } from '../../list/lists.ts'
import { showFailures, showLists, showTool } from '../../list/show-lists.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { findByName } from '../../values/find-by-name.ts'

export default command({
  name: 'list',
  summary: 'List tools, resources, templates and prompts',
  usage: [
    '',
    '<target> [tools|resources|templates|prompts]',
    '[tools|resources|templates|prompts] -- <program> [argument…]',
  ],
  details:
    'Each item has its first sentence, and its arguments below it: ? means that one may be left out. Without a target, all servers of your config files are tried side by side: their state, revision, lists, and the time until they answered. Those of files of this folder are tried with --all only, because that starts their programs.',
  examples: [
    { line: 'tenon list everything', shows: 'everything that a server offers' },
    { line: 'tenon list everything tools --json', shows: 'the tools with their schemas' },
    { line: 'tenon list everything --tool add', shows: 'one tool in full' },
    { line: 'tenon list', shows: 'the health of all servers' },
  ],
  options: {
    tool: { type: 'text', value: 'name', help: 'Show this tool in full' },
    schema: { type: 'flag', help: 'Show the schema of the arguments of each tool' },
    all: { type: 'flag', help: 'Without a target: try the servers of the files of this folder too' },
    ...useOptions,
  },
  async run(call) {
    const { tool, schema } = call.options
    if (!call.shared && !call.command && call.words.length === 0 && tool === undefined) {
      const { showHealth } = await import('../../list/health.ts')
      return await showHealth(call)
    }
    await withServer(call, async ({ client, words }) => {
      if (tool !== undefined) {
        const found = await findByName('tool', tool, client.tools())
        return await call.result(found, () => showTool(found, call.terminal))
      }
      const kinds = kindsOf(words)
        // A list that was asked for by name is requested even if the server does not declare it.
        .filter((kind) => words.length > 0 || Object.hasOwn(client.server.capabilities, lists.get(kind)!.capability))
      const { found, failed } = await collectLists(client, kinds, call.signal)
      if (failed.size > 0) call.envelope.failed = Object.fromEntries(failed)
      await call.result(
        Object.fromEntries(found),
        () => {
          showLists(found, call.terminal, schema)
          showFailures(failed, call.terminal)
        },
        incomplete(failed),
      )
    })
  },
})
