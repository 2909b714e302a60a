/** Only `src/revisions.ts` deals with revisions of the protocol, and it asks the SDK. What hosts speak is a table of facts. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const owners: ReadonlySet<string> = new Set(['src/revisions.ts', 'src/servers/client-features.ts'])

const files = ['src', 'ui'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|suite)\.ts$/.test(name) && !owners.has(name)),
)

const dates = revisions.join('|')
const patterns = {
  literal: new RegExp(`(['"\`])(?:${dates})\\1`, 'g'),
  // The page has its words from facts. The backend may say in a sentence since when a rule is there.
  'date on the page': new RegExp(dates, 'g'),
  comparison: /revision\b(?:\s*\?\?\s*'')?\)?\s*[<>]=?\s|(?<!=)[<>]=?\s+\(?(?:\w+\.)*revision\b/gi,
  list: /import\s*\{[^}]*\brevisions\b[^}]*\}\s*from\s*'@tenon\/sdk/g,
}

/** Takes out comments, and nothing of the lines. */
const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ''))

/** The places of a file that name, compare or list revisions. */
function placesIn(name: string, code: string): string[] {
  const bare = withoutComments(code)
  return Object.entries(patterns).flatMap(([kind, pattern]) => {
    if (kind === 'date on the page' && !name.startsWith('ui/')) return []
    return [...bare.matchAll(pattern)].map(({ index }) => `${name}:${bare.slice(0, index).split('\n').length} ${kind}`)
  })
}

test('no other file names, compares or lists revisions', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(files.flatMap((name) => placesIn(name, readFileSync(`${root}${name}`, 'utf8')))).toEqual([])
})

test.each([
  `if (revision === '2025-11-25') start()`,
  `const isModern = (revision ?? '') >= since`,
  `if (since <= server.revision) start()`,
  `const names = ['2024-11-05']`,
  `import { type Revision, revisions } from '@tenon/sdk/client'`,
])('%s is found', (code) => expect(placesIn('src/some.ts', code)).toHaveLength(1))

test('a date in the words of the page is found, and one in a comment is not', () => {
  expect(placesIn('ui/some.tsx', '// 2025-11-25\n<p>It came with 2025-11-25.</p>')).toEqual([
    'ui/some.tsx:2 date on the page',
  ])
})
