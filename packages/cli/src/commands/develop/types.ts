import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { generatedOptions, refuseCheckWithoutFile, updateGenerated } from '../../generate/generated-file.ts'
import { withServer } from '../../server/connect.ts'
import { connectionOptions } from '../../server/options.ts'
import { say } from '../../terminal/text.ts'
import { generate, generatedMarker } from '../../types/generate.ts'
import { readFeatures } from '../../types/server-features.ts'

export default command({
  name: 'types',
  summary: 'Write TypeScript types and a typed client for a server',
  usage: ['<target> [--output file]', '[--output file] -- <program> [argument…]'],
  details:
    'Every tool becomes a method with the types of its schemas, every prompt one with its arguments, and every URI template one with its variables. The output depends only on the features of the server, so it can be kept in version control and checked.',
  examples: [
    { line: 'tenon types everything -o src/everything.ts', shows: 'write a module' },
    { line: 'tenon types everything -o src/everything.ts --check', shows: 'fail if the server has changed since' },
  ],
  options: {
    ...generatedOptions,
    ...connectionOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, label, words }) => {
      const { output } = call.options
      if (words.length > 0) throw usage(`Expected nothing after the target, got ${JSON.stringify(words[0])}`)
      refuseCheckWithoutFile(call)
      const source = generate(await readFeatures(client, label))
      if (output === undefined) return await call.result({ source }, () => call.terminal.content(source))
      const { done, ...file } = await updateGenerated(call, { source, marker: generatedMarker })
      await call.result(file, () => call.terminal.note(say`${output} ${done}`))
    }),
})
