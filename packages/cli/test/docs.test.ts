/**
 * Checks the pages about commands. The `console` blocks of a page are run by a shell in a folder of its own, in which
 * the server `everything` is configured: lines with `$` are typed, the lines after them have to be printed. `…` in a
 * line stands for anything, and alone in a line for any lines. `UPDATE_DOCS=1` writes the printed lines into the page.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commonOptions } from '../src/command.ts'
import { commandNames, loadCommand } from '../src/commands.ts'
import { parseLine } from '../src/line/parse.ts'
import { begin, bin, cleanEnv, everything } from './tenon.ts'

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

async function printedBy(line: string, place: ReturnType<typeof prepare>): Promise<string[]> {
  const printed = await (/^tenon [^|<>;&$`]*$/.test(line) ? printedHere(line, place) : printedByShell(line, place))
  return printed === '' ? [] : printed.replace(/\n$/, '').split('\n')
}

async function printedByShell(line: string, { cwd, env }: ReturnType<typeof prepare>): Promise<string> {
  const run = exec('bash', ['-c', `{ ${line}\n} 2>&1`], { cwd, env, timeout: 25_000 })
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  return stdout
}

/** A line that is nothing but a command: the shell takes it apart, and it is run in this process. */
async function printedHere(line: string, { cwd, env }: ReturnType<typeof prepare>): Promise<string> {
  const { stdout } = await exec('bash', ['-c', `tenon() { printf '%s\\0' "$@"; }\n${line}`], { cwd, env })
  const { stdin, printed, ended } = begin(stdout.split('\0').slice(0, -1), { cwd, env })
  stdin.end()
  await ended
  return printed()
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const pattern = (lines: string[]): RegExp =>
  new RegExp(
    `^${lines.map((line) => (line === '…' ? '(?:.*\n)*' : `${line.split('…').map(literally).join('.*')}\n`)).join('')}$`,
  )

test.each(pages)('what is typed in docs/cli/%s prints what follows it', { timeout: 120_000 }, async (name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const lines = text.split('\n')
  const place = prepare()
  // Lines are replaced from the end of the page, so that those before stay where they are.
  const updates: (() => void)[] = []
  for (const { steps, start, length } of blocksOf(text)) {
    const found: string[] = []
    for (const { line, printed } of steps) {
      const output = await printedBy(line, place)
      const fits = pattern(printed).test(output.map((one) => `${one}\n`).join(''))
      if (!process.env.UPDATE_DOCS && !fits) expect(output.join('\n'), `$ ${line}`).toBe(printed.join('\n'))
      found.push(`$ ${line}`, ...(fits ? printed : output))
    }
    updates.unshift(() => lines.splice(start, length, ...found))
  }
  rmSync(place.cwd, { recursive: true })
  if (!process.env.UPDATE_DOCS) return
  for (const update of updates) update()
  writeFileSync(join(folder, name), lines.join('\n'))
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
