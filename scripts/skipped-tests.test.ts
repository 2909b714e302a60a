import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findChromium } from './programs.mjs'
import { findJsonSchemaSuite, needs, requires } from './requires.ts'
import { skippedLine } from './skipped-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-programs-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const addProgram = (name: string, mode = 0o755): void => writeFileSync(join(folder, name), '', { mode })

/** Runs the fixture as `npm test` runs tests, with only the programs of the folder. */
function runFixture(...names: string[]): string[] {
  const script = `import { startVitest } from 'vitest/node'
    await startVitest('test', [], ${JSON.stringify({
      config: false,
      watch: false,
      include: ['scripts/fixtures/needy.test.ts'],
      reporters: ['default', './scripts/outcome-reporter.ts'],
      ...(names.length > 0 && { testNamePattern: names.join('|') }),
    })})`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { HOME: folder, PATH: folder },
    encoding: 'utf8',
  })
  expect(stdout, stderr).toContain('Test Files')
  return stdout.trimEnd().split('\n')
}

describe('a run', () => {
  test('ends with one line about skipped tests, and the command that installs what they need', () => {
    addProgram('fish')
    const lines = runFixture()
    expect(lines.at(-1)).toBe(
      'Skipped 3 tests: 2 need zsh, 1 needs openssl. To install what is missing: scripts/install-test-material',
    )
    expect(lines.filter((line) => line.includes('Skipped'))).toHaveLength(1)
  })

  test('says nothing of tests that were not asked for', () => {
    for (const name of ['fish', 'openssl']) addProgram(name)
    const text = runFixture('needs nothing', 'two programs').join('\n')
    expect(text).toMatch(/2 passed.*2 skipped/)
    expect(text).not.toContain('Skipped')
  })
})

describe('the line', () => {
  test('names no command where none helps', () => {
    expect(skippedLine(['linux', 'posix', 'linux'])).toBe(
      'Skipped 3 tests: 2 need Linux, 1 needs a system other than Windows',
    )
    expect(skippedLine([])).toBeUndefined()
  })

  test('counts tests that give no reason', () => {
    expect(skippedLine([undefined])).toBe('Skipped 1 test: 1 without a reason')
  })

  test('speaks of what the command installs', () => {
    const script = readFileSync(new URL('install-test-material', import.meta.url), 'utf8')
    const named = Object.entries(needs).filter(([, { installable }]) => installable)
    for (const [need, { name }] of named) {
      expect(script.toLowerCase(), need).toContain(name.toLowerCase().replace(/^(?:the|a) /, ''))
    }
  })
})

describe('a need', () => {
  test('is met by a program on the path that can be run', () => {
    vi.stubEnv('PATH', folder)
    expect(requires('zsh')).toEqual({ skip: true, meta: { missing: 'zsh' } })
    addProgram('zsh', 0o644)
    expect(requires('zsh')).toMatchObject({ skip: true })
    rmSync(join(folder, 'zsh'))
    addProgram('zsh')
    expect(requires('zsh')).toEqual({})
    expect(requires('zsh', 'fish', 'openssl')).toEqual({ skip: true, meta: { missing: 'fish' } })
  })

  test('for Chromium is met by a setting, and a wrong one is refused', () => {
    vi.stubEnv('PATH', folder)
    vi.stubEnv('CHROMIUM', '')
    expect(findChromium()).toBeUndefined()
    addProgram('google-chrome')
    expect(findChromium()).toBe(join(folder, 'google-chrome'))
    vi.stubEnv('CHROMIUM', join(folder, 'elsewhere'))
    expect(() => findChromium()).toThrow(`CHROMIUM: expected the path of a browser, got "${folder}/elsewhere"`)
    addProgram('elsewhere')
    expect(findChromium()).toBe(join(folder, 'elsewhere'))
  })

  test('for the JSON Schema test suite is met by a setting, and a wrong one is refused', () => {
    vi.stubEnv('JSON_SCHEMA_TEST_SUITE', folder)
    expect(() => findJsonSchemaSuite()).toThrow('JSON_SCHEMA_TEST_SUITE: expected a folder with tests/draft7')
    mkdirSync(join(folder, 'tests/draft7'), { recursive: true })
    expect(findJsonSchemaSuite()).toBe(folder)
  })
})
