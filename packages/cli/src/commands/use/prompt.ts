import type { JsonSchema, Prompt } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { showContent } from '../../show/content.ts'
import { savingOptions } from '../../show/media.ts'
import type { Surroundings } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'
import { readArguments } from '../../values/arguments.ts'
import { findByName } from '../../values/find-by-name.ts'

export default command({
  name: 'prompt',
  summary: 'Fill in a prompt',
  usage: ['<target> <prompt> [name=value…]', '<prompt> [name=value…] -- <program> [argument…]'],
  examples: [{ line: 'tenon prompt everything name_that_color color=teal', shows: 'the messages for a model' }],
  options: { ...savingOptions, ...useOptions },
  run: (call) =>
    withServer(call, async ({ client, words, asker }) => {
      const [name, ...given] = words
      if (name === undefined) throw usage('Expected the name of a prompt', '`tenon list <target> prompts` lists them.')
      const { terminal, signal } = call
      const prompt = await findByName('prompt', name, client.prompts({ signal }))
      const args = await argumentsFor(prompt, given, terminal.surroundings)
      asker.during = name
      const result = await terminal.activity.during(say`Filling in ${name}`, () =>
        client.getPrompt(name, args, { signal }),
      )
      const { save } = call.options
      await call.result(result, async () => {
        for (const [index, { role, content }] of result.messages.entries()) {
          terminal.line(terminal.style.bold(role))
          await showContent([content], terminal, `${name}-${index + 1}`, { save, option: '--save folder' })
        }
      })
    }),
})

async function argumentsFor(
  prompt: Prompt,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<{ [name: string]: string }> {
  const known = prompt.arguments ?? []
  const args = await readArguments(words, schemaOf(prompt), surroundings, 'prompt')
  const missing = known.filter(({ name, required }) => required && !Object.hasOwn(args, name)).map(({ name }) => name)
  if (missing.length > 0) {
    throw new CommandFailure(
      ExitCode.Usage,
      'invalid_arguments',
      missing.map((name) => `arguments.${name}: is required`).join('\n'),
      `Write ${missing.map((name) => `${name}=…`).join(' ')}.`,
    )
  }
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** The arguments of a prompt are texts with names. */
const schemaOf = (prompt: Prompt): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, { type: 'string' }])),
  additionalProperties: false,
})
