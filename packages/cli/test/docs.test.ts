/**
 * The pages about commands are held to what they say. A `console` block is run by a shell in a folder of its own, in which
 * the server `everything` is configured: lines with `$` are typed, what follows has to be printed. `…` in a line stands
 * for anything, and alone in a line for any lines. `UPDATE_DOCS=1` writes down what is printed.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { commonOptions } from '../src/command.ts'
import { commandNames, loadCommand } from '../src/commands.ts'
import { parseLine } from '../src/line/parse.ts'
import { bin, cleanEnv, everything } from './tenon.ts'

const exec = promisify(execFile)
const folder = fileURLToPath(new URL('../../../docs/cli/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

interface Step {
  line: string
  printed: string[]
}

interface Block {
  /** The index of the first line after the backticks. */
  start: number
  steps: Step[]
  length: number
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(({ 1: body, index }) => {
    const lines = body!.split('\n').slice(0, -1)
    const steps: Step[] = []
    for (const line of lines) {
      if (line.startsWith('$ ')) steps.push({ line: line.slice(2), printed: [] })
      else steps.at(-1)!.printed.push(line)
    }
    return { start: text.slice(0, index).split('\n').length, steps, length: lines.length }
  })
}

/** A home with a config file, and the command on the path. */
function prepare(): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = mkdtempSync(join(tmpdir(), 'tenon-docs-'))
  const [, command, ...args] = everything
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/tenon'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { everything: { command, args } } }))
  return { cwd, env: { ...cleanEnv(cwd), PATH: `${join(cwd, 'bin')}:${process.env.PATH}` } }
}

async function printedBy(line: string, { cwd, env }: ReturnType<typeof prepare>): Promise<string[]> {
  const run = exec('bash', ['-c', `{ ${line}\n} 2>&1`], { cwd, env, timeout: 25_000 })
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  return stdout === '' ? [] : stdout.replace(/\n$/, '').split('\n')
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const pattern = (lines: string[]): RegExp =>
  new RegExp(
    `^${lines.map((line) => (line === '…' ? '(?:.*\n)*' : `${line.split('…').map(literally).join('.*')}\n`)).join('')}$`,
  )

describe.each(pages)('docs/cli/%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')

  test.each(
    blocksOf(text)
      .map((block): [number, Block] => [block.start, block])
      .reverse(),
  )('what is typed at line %d prints what follows it', async (_start, block) => {
    const place = prepare()
    const updated: string[] = []
    for (const { line, printed } of block.steps) {
      const found = await printedBy(line, place)
      const fits = pattern(printed).test(found.map((one) => `${one}\n`).join(''))
      if (!process.env.UPDATE_DOCS && !fits) expect(found.join('\n')).toBe(printed.join('\n'))
      updated.push(`$ ${line}`, ...(fits ? printed : found))
    }
    rmSync(place.cwd, { recursive: true })
    if (!process.env.UPDATE_DOCS) return
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    lines.splice(block.start, block.length, ...updated)
    writeFileSync(join(folder, name), lines.join('\n'))
  })
})

test('every command has a page, and its examples can be typed', async () => {
  for (const name of commandNames()) {
    const command = (await loadCommand(name))!
    expect(pages, `docs/cli/${name}.md`).toContain(`${name}.md`)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`(${name}.md)`)
    for (const { line } of command.examples) {
      const words = line
        .replace(/^.*?\btenon /, '')
        .replace(/ [|>].*$/, '')
        .split(' ')
      expect(words[0]).toBe(name)
      expect(() => parseLine(words.slice(1), { ...command.options, ...commonOptions }), line).not.toThrow()
    }
  }
})
