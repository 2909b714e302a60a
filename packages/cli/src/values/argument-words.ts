import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { usage } from '../exit.ts'
import type { Surroundings } from '../terminal/terminal.ts'

/** One argument as it was written: `key=text`, or `key:=json` when `value` is set. */
export type Assignment = { key: string; text: string } | { key: string; value: unknown }

/** The arguments of a command line, not yet typed. */
interface Written {
  /** Objects given whole, as JSON, in a file or on standard input. */
  whole: { [name: string]: unknown }[]
  assignments: Assignment[]
  /** Words without a name, which stand for arguments in their order. */
  positional: string[]
}

/** Whether a word with `=` in it names an argument; `https://example.com/?a=1` does not. */
type IsName = (key: string) => boolean

const looksLikeName: IsName = (key) => /^[\w.$-]+$/.test(key)

/**
 * Reads words such as `a=1`, `tags:=["x"]`, `text=@notes.md`, `@arguments.json`, `-` and `{"a":1}`. With `positional` any
 * other word is an argument without its name; otherwise it is refused.
 */
export async function readWords(
  words: readonly string[],
  surroundings: Surroundings,
  positional?: { isName: IsName },
): Promise<Written> {
  const written: Written = { whole: [], assignments: [], positional: [] }
  for (const word of words) {
    const assignment = /^([^=:{@][^=]*?)(:?=)([\s\S]*)$/.exec(word)
    const isNamed =
      assignment !== null && (!positional || looksLikeName(assignment[1]!) || positional.isName(assignment[1]!))
    if (isNamed) written.assignments.push(await readAssignment(assignment, surroundings))
    else if (positional && !/^(?:[@{]|-$)/.test(word)) written.positional.push(word)
    else written.whole.push(await readWhole(word, surroundings))
  }
  return written
}

async function readAssignment(
  [, key, operator, rest]: RegExpExecArray,
  surroundings: Surroundings,
): Promise<Assignment> {
  const text = rest!.startsWith('@@') ? rest!.slice(1) : await contentOf(rest!, surroundings)
  return operator === '=' ? { key: key!, text } : { key: key!, value: parseJson(text, key!) }
}

async function readWhole(word: string, surroundings: Surroundings): Promise<{ [name: string]: unknown }> {
  const source = word === '-' ? '@-' : word
  if (!/^[@{]/.test(source)) {
    throw usage(
      `Expected an argument such as name=value, got ${JSON.stringify(word)}`,
      'Write name=value, name:=json, name=@file, @file.json or -.',
    )
  }
  const value = parseJson(await contentOf(source, surroundings), source.startsWith('@') ? source : 'arguments')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { [name: string]: unknown }
  throw usage(`${word}: expected a JSON object with the arguments`)
}

/** The text itself, or the contents of the file that it names. */
async function contentOf(text: string, surroundings: Surroundings): Promise<string> {
  if (!text.startsWith('@')) return text
  if (text === '@-') return await readAll(surroundings.stdin)
  const file = resolve(surroundings.cwd, text.slice(1))
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw usage(
      `Cannot read ${file}: ${(error as Error).message}`,
      'A value that begins with @ names a file; write @@ for the character itself.',
    )
  }
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  let text = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin) text += chunk
  return text
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(`${where}: expected JSON: ${(error as Error).message}`, 'For plain text write name=value.')
  }
}
