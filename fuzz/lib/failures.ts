import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const failures = new URL('fuzz/failures/', root)
const corpus = new URL('fuzz/corpus/', root)

/** An input with a finding, as it is kept in a file. */
export interface Kept {
  target: string
  input: unknown
  problem: string
}

/** Writes an input to a file, and returns its path from the root of the repo. */
export function keep(one: Kept): string {
  mkdirSync(failures, { recursive: true })
  const text = `${JSON.stringify(one, null, 2)}\n`
  const name = `${one.target}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`
  writeFileSync(new URL(name, failures), text)
  return `fuzz/failures/${name}`
}

export const readKept = (path: string): Kept => JSON.parse(readFileSync(path, 'utf8')) as Kept

/** Inputs that failed once and must never fail again. */
export function knownInputs(target: string): Kept[] {
  if (!existsSync(corpus)) return []
  const files = readdirSync(corpus).filter((name) => name.endsWith('.json'))
  return files.map((name) => readKept(fileURLToPath(new URL(name, corpus)))).filter((one) => one.target === target)
}
