/** The two walks through the library, as the page on its architecture tells them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8')

/** The modules that a section links to, in order. */
function walkOf(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/\]\(\.\.\/packages\/sdk\/src\/(.*?)\.ts\)/g)].map(([, path]) => path!)
}

function modulesThatRun(side: string): string[] {
  const args = ['--conditions=module', fileURLToPath(new URL('walk-process.mjs', import.meta.url)), side]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

describe.each([
  ['A tools/call at the server', 'server', /^server\//],
  ['A callTool with a question at the client', 'client', /^client\//],
])('%s', (heading, side, own) => {
  const walk = walkOf(heading)

  test('is a walk through at most 25 files', () => {
    expect(new Set(walk).size).toBe(walk.length)
    expect(walk.length).toBeGreaterThan(15)
    expect(walk.length).toBeLessThanOrEqual(25)
  })

  test('is told as it happens: every file runs, and none of this side is left out but leaves', () => {
    const ran = modulesThatRun(side)
    expect(walk.filter((path) => !ran.includes(path))).toEqual([])
    const leftOut = ran.filter((path) => own.test(path) && !walk.includes(path))
    expect(leftOut.length).toBeLessThanOrEqual(8)
  })
})
