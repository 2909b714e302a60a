// Flags and the progress line, shared by the command line programs of this repository.
import { parseArgs } from 'node:util'

/** A mistake in the command line: the user sees only its message. */
export class UsageError extends Error {}

/** Reads the values of these flags: each is `--name`, or `--name <text>`. */
export function readFlags(args, flags, texts) {
  const options = Object.fromEntries([
    ...flags.map((name) => [name, { type: 'boolean' }]),
    ...texts.map((name) => [name, { type: 'string' }]),
  ])
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error.message)
  }
}

/** Reads known names separated by commas; all of them if nothing is given. */
export function readNames(flag, text, known) {
  if (text === undefined) return [...known]
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.filter((name) => !known.includes(name))
  if (names.length > 0 && unknown.length === 0) return known.filter((name) => names.includes(name))
  const found = names.length === 0 ? 'none' : unknown.map((name) => JSON.stringify(name)).join(', ')
  throw new UsageError(`${flag}: expected some of ${known.join(', ')}; got ${found}`)
}

export function readNumber(flag, text, least) {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number >= least) return number
  throw new UsageError(`${flag}: expected a number of at least ${least}, got ${JSON.stringify(text)}`)
}

export function readCount(flag, text, most) {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= most) return count
  throw new UsageError(`${flag}: expected a whole number from 1 to ${most}, got ${JSON.stringify(text)}`)
}

const isTerminal = process.stderr.isTTY

/** Shows progress in one line that replaces the last; outside of a terminal only lines with `keep` are printed. */
export function progress(text, keep = false) {
  if (isTerminal)
    process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}${keep ? '\n' : ''}`)
  else if (keep) process.stderr.write(`${text}\n`)
}

export const clearProgress = () => isTerminal && process.stderr.write('\r\x1b[2K')
