/**
 * Checks the pages about commands. The `console` blocks of a page are run by a shell in an empty folder, which is the home
 * too, so that `everything` is the server that is built in.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readPage } from '../../../scripts/read-page.ts'
import { commonOptions } from '../src/command.ts'
import { commandNames, loadCommand } from '../src/commands.ts'
import { parseLine, parseLineToWord } from '../src/line/parse.ts'
import { begin, bin, cleanEnv } from './tenon.ts'

const exec = promisify(execFile)
const folder = fileURLToPath(new URL('../../../docs/cli/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

/** An empty home without config files, and the command on the path. */
function prepare(): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = mkdtempSync(join(tmpdir(), 'tenon-docs-'))
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/tenon'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  return { cwd, env: { ...cleanEnv(cwd), PATH: `${join(cwd, 'bin')}:${process.env.PATH}` } }
}

const printedBy = (line: string, place: ReturnType<typeof prepare>): Promise<string> =>
  /^tenon [^|<>;&$`]*$/.test(line) ? printedHere(line, place) : printedByShell(line, place)

async function printedByShell(line: string, { cwd, env }: ReturnType<typeof prepare>): Promise<string> {
  const run = exec('bash', ['-c', `{ ${line}\n} 2>&1`], { cwd, env, timeout: 100_000 })
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

test.each(pages)('what is typed in docs/cli/%s prints what follows it', { timeout: 120_000 }, async (name) => {
  const place = prepare()
  await readPage(join(folder, name), {
    type: (line) => printedBy(line, place),
    save: (file, text) => writeFileSync(join(place.cwd, file), text),
  })
  rmSync(place.cwd, { recursive: true })
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
      const parse = command.wordEndsOptions ? parseLineToWord : parseLine
      expect(() => parse(words.slice(1), { ...command.options, ...commonOptions }), line).not.toThrow()
    }
  }
})
