import type { CompletionReference } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { say } from '../../terminal/text.ts'
import { readWords } from '../../values/argument-words.ts'

export default command({
  name: 'complete',
  summary: 'Ask for values of an argument',
  usage: ['<target> <prompt or template> <name>[=beginning] [other=value…]'],
  details: 'Arguments with known values help the server to complete the others.',
  examples: [
    { line: 'tenon complete everything convert from=k', shows: 'values of a prompt argument' },
    { line: "tenon complete everything 'swatch:///{color}{?size}' color=te", shows: 'values of a template variable' },
  ],
  options: useOptions,
  run: (call) =>
    withServer(call, async ({ client, words }) => {
      const [subject, wanted, ...known] = words
      if (subject === undefined || wanted === undefined) {
        throw usage(
          'Expected a prompt or a URI template, and the name of an argument',
          'For example: introduce language=en',
        )
      }
      const { terminal, signal } = call
      const ref: CompletionReference = /[{:]/.test(subject)
        ? { type: 'ref/resource', uri: subject }
        : { type: 'ref/prompt', name: subject }
      const [name = '', value = ''] = split(wanted)
      const { assignments } = await readWords(known, terminal.surroundings)
      const others = assignments.map((one) => [one.key, 'text' in one ? one.text : String(one.value)])
      const context = others.length > 0 ? { context: { arguments: Object.fromEntries(others) } } : {}
      const completion = await client.complete(ref, { name, value }, { signal, ...context })
      await call.result(completion, () => {
        for (const found of completion.values) terminal.line(say`${found}`)
        if (completion.hasMore) terminal.note(terminal.notes.dim(moreOf(completion.total, completion.values.length)))
      })
    }),
})

function split(word: string): string[] {
  const equals = word.indexOf('=')
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
}

const moreOf = (total: number | undefined, shown: number): string =>
  total === undefined ? 'There are more.' : `There are ${total - shown} more.`
