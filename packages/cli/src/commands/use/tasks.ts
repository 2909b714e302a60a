import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { didYouMean } from '../../line/did-you-mean.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { resultOptions } from '../../show/tool-result.ts'
import { type TaskAction, taskActions } from '../../tasks/actions.ts'

export default command({
  name: 'tasks',
  summary: 'See, await, answer and cancel tasks',
  usage: [
    '<target> [list]',
    '<target> get|result|cancel <id>',
    '<target> update <id> question:=answer…',
    '[action] [id] -- <program> [argument…]',
  ],
  details:
    'A task is a call that runs on after its response: `tenon call --task --detach` starts one. Lists exist in 2025-11-25, answers by hand in 2026-07-28. `result` waits, and answers requests of the task as any other call does.',
  examples: [
    { line: 'tenon tasks https://example.com/mcp', shows: 'all tasks' },
    { line: 'tenon tasks https://example.com/mcp result 786512e2', shows: 'the result, as soon as it is there' },
  ],
  options: {
    tool: { type: 'text', value: 'name', help: 'The tool that was called, so that its result can be checked' },
    ...resultOptions,
    ...useOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, words, asker, lastResult }) => {
      const [name = 'list', id, ...rest] = words
      const action: TaskAction | undefined = taskActions.get(name)
      if (action === undefined) {
        const known = [...taskActions.keys()]
        throw usage(
          `Unknown action ${JSON.stringify(name)}`,
          didYouMean(name, known) ?? `Expected ${known.join(', ')}.`,
        )
      }
      if (name !== 'list' && id === undefined) throw usage(`Expected the id of a task after ${name}`)
      await action({ call, client, asker, lastResult, id: id ?? '', words: rest, tool: call.options.tool })
    }),
})
