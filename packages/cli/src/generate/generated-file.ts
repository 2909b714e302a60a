import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'

/** The options of every command that writes a file from the features of a server. */
export const generatedOptions = {
  output: { type: 'text', short: 'o', value: 'file', help: 'Write to this file instead of standard output' },
  check: { type: 'flag', help: 'Write nothing; exit with 8 if the file is out of date' },
  force: { type: 'flag', help: 'Replace a file that this command has not written' },
} as const satisfies OptionTable

type Call = CommandCall<typeof generatedOptions>

interface Generated {
  source: string
  /** By this a file is known as one that may be written again. */
  marker: string
  isProgram?: boolean
}

/** Where a file is, and what happened to it. */
interface GeneratedFile {
  file: string
  written: boolean
  done: string
}

export function refuseCheckWithoutFile({ options: { output, check } }: Call): void {
  if (output === undefined && check) throw usage('--check needs the file to look at', 'Give it with --output.')
}

/** Writes the file of `--output`, unless it is up to date, or was written by somebody else. */
export async function updateGenerated(call: Call, { source, marker, isProgram }: Generated): Promise<GeneratedFile> {
  const { output = '', check, force } = call.options
  const file = resolve(call.terminal.surroundings.cwd, output)
  const before = await contentOf(file)
  const current = before === source
  if (check && !current) throw outdated(output, before)
  if (before !== undefined && !before.includes(marker) && !force) throw foreign(output)
  if (!current) await write(file, source, isProgram)
  return {
    file,
    written: !current,
    done: current ? 'is up to date' : before === undefined ? 'written' : 'written again',
  }
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw usage(`Cannot read ${file}: ${(error as Error).message}`)
  }
}

async function write(file: string, source: string, isProgram = false): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, source)
    if (isProgram) await chmod(file, 0o755)
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
