/** The browser is a program that gets a URL, and never a command. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requires } from '../../../../../../scripts/requires.ts'
import { openBrowser } from './open-browser.ts'

const path = process.env.PATH!
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-browser-'))
})
afterEach(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

// [sec.authurl.no-shell] [sec.authurl.sanitise]
test('what looks like a command to a shell is a part of the address', requires('linux'), async () => {
  const program = `#!${process.execPath}\nrequire('fs').writeFileSync(${JSON.stringify(join(folder, 'seen'))}, JSON.stringify(process.argv.slice(2)))`
  writeFileSync(join(folder, 'xdg-open'), program, { mode: 0o755 })
  process.env.PATH = folder + delimiter + path
  const page = new URL(
    `https://id.example/authorize?a=$(touch ${folder}/owned)&b=\`touch ${folder}/owned\`;touch ${folder}/owned|x`,
  )
  await openBrowser(page)
  await expect
    .poll(() => existsSync(join(folder, 'seen')) && readFileSync(join(folder, 'seen'), 'utf8'))
    .toBe(JSON.stringify([page.href]))
  expect(existsSync(join(folder, 'owned'))).toBe(false)
})

test('a system without a browser says what to do instead', requires('linux'), async () => {
  process.env.PATH = folder
  await expect(Promise.resolve().then(() => openBrowser(new URL('https://id.example')))).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('deviceCode'),
  })
})
