/** Tests the page about security: every attack has its row, and every test that it names exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const page = readFileSync(join(docs, 'security.md'), 'utf8')
const rows = page.split('\n').filter((line) => /^\| (\*\*|\s*\|)/.test(line))

/** The attacks with a section in the specification's page, up to 2026-07-28. */
const attacks = [
  'Confused deputy',
  'Token passthrough',
  'Server-side request forgery',
  'SSRF against authorization servers',
  'State handle hijacking',
  'Session hijacking',
  'Local MCP server compromise',
  'OAuth authorization URL validation',
  'stdio in proxy scenarios',
  'Mix-up attacks',
  'Localhost redirect URI impersonation',
  'CIMD trust policies',
  'Scope minimization',
]

const named = [...page.matchAll(/\[[^\]]+\]\((\.\.\/[^)]+\.test\.ts)\) “([^”]+)”/g)].map(([, file, title]) => ({
  file: file!,
  title: title!,
}))

test.each(attacks)('%s is on the page', (attack) => {
  expect(rows.some((row) => row.startsWith(`| **${attack}`))).toBe(true)
})

test('every row names a test, or says whom it concerns', () => {
  const [shown, concerns] = page.split('## Out of scope') as [string, string]
  const lines = shown.split('\n').filter((line) => /^\| (\*\*|\s*\|)/.test(line) && !line.includes('---'))
  expect(lines.length).toBeGreaterThan(15)
  expect(lines.filter((line) => !line.includes('.test.ts) “'))).toEqual([])
  expect(concerns.match(/concerns/g)!.length).toBeGreaterThanOrEqual(1)
})

describe('the tests that it names', () => {
  test.each(named)('$file: $title', ({ file, title }) => {
    const path = resolve(docs, file)
    expect(existsSync(path), `${file} is not there`).toBe(true)
    // Part of a title: of a test, of a group, or of a row of a table of tests.
    const titles = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /['"`]/.test(line) && !/^\s*(import|\/\/)/.test(line))
    expect(
      titles.some((line) => line.includes(title)),
      `no test of ${file} is called “${title}”`,
    ).toBe(true)
  })

  test('are many', () => expect(named.length).toBeGreaterThan(30))
})
