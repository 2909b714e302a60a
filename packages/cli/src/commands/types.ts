import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { command } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { withServer } from '../server/connect.ts'
import { connectionOptions } from '../server/options.ts'
import { say } from '../terminal/text.ts'
import { generate, generatedMarker } from '../types/generate.ts'
import { readFeatures } from '../types/server-features.ts'

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
    output: { type: 'text', short: 'o', value: 'file', help: 'Write to this file instead of standard output' },
    check: { type: 'flag', help: 'Write nothing; exit with 8 if the file is out of date' },
    force: { type: 'flag', help: 'Replace a file that this command has not written' },
    ...connectionOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, label, words }) => {
      const { output, check, force } = call.options
      if (words.length > 0) throw usage(`Expected nothing after the target, got ${JSON.stringify(words[0])}`)
      if (output === undefined && check) throw usage('--check needs the file to look at', 'Give it with --output.')
      const source = generate(await readFeatures(client, label))
      if (output === undefined) return await call.result({ source }, () => call.terminal.content(source))
      const file = resolve(call.terminal.surroundings.cwd, output)
      const before = await contentOf(file)
      const current = before === source
      if (check && !current) throw outdated(output, before)
      if (before !== undefined && !before.includes(generatedMarker) && !force) throw foreign(output)
      if (!current) await write(file, source)
      const done = current ? 'is up to date' : before === undefined ? 'written' : 'written again'
      await call.result({ file, written: !current }, () => call.terminal.note(say`${output} ${done}`))
    }),
})

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw usage(`Cannot read ${file}: ${(error as Error).message}`)
  }
}

async function write(file: string, source: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, source)
  } catch (error) {
    throw usage(`Cannot write ${file}: ${(error as Error).message}`)
  }
}

const outdated = (file: string, before: string | undefined): CommandFailure =>
  new CommandFailure(
    ExitCode.Different,
    'outdated',
    before === undefined ? `${file} is missing` : `${file} is not what the server offers now`,
    'Run the same command without --check to write it.',
  )

const foreign = (file: string): CommandFailure =>
  usage(`${file} is there and was not written by this command`, 'Give another file, or --force to replace it.')
