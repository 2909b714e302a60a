import { parseArgs } from 'node:util'

/** A mistake in the command line: its message is all that the user needs. */
export class UsageError extends Error {}

/** The values of these flags: each is `--name`, or `--name <text>`. */
export function readFlags<const Flag extends string, const Text extends string>(
  args: string[],
  flags: readonly Flag[],
  texts: readonly Text[],
): { [name in Flag]?: boolean } & { [name in Text]?: string } {
  const options = Object.fromEntries([
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
    ...texts.map((name) => [name, { type: 'string' }] as const),
  ])
  try {
    return parseArgs({ args, options }).values as { [name in Flag]?: boolean } & { [name in Text]?: string }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Names separated by commas, all of them known; every one that is, if none is given. */
export function readNames(flag: string, text: string | undefined, known: readonly string[]): string[] {
  const names = text?.split(',') ?? [...known]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  throw new UsageError(`${flag}: ${unknown} is none of ${known.join(', ')}`)
}

export function readNumber(flag: string, text: string, least: number): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number >= least) return number
  throw new UsageError(`${flag}: expected a number of at least ${least}, got ${text}`)
}
