import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { compileGlob } from './glob.ts'

type Minimatch = { minimatch(path: string, pattern: string, options: { dot: boolean }): boolean }

const original = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')
const { minimatch } = createRequire(original)('minimatch') as Minimatch

const patterns = [
  ...[
    '*',
    '**',
    '*.ts',
    '**/*.ts',
    '**/*',
    'a/**',
    'a/**/c',
    '**/b/**',
    'a/*',
    '?',
    '??.ts',
    'a?c',
    '[ab]*',
    '[!a]*',
    '[a-c].ts',
  ],
  ...[
    '*.{ts,js}',
    '{a,b}/{c,d}',
    'a/{b,c}/**',
    '!*.ts',
    '*a*b*',
    '**/**',
    'a**',
    '.*',
    '**/.*',
    'a.b',
    'src/**/*.test.ts',
    'é*',
  ],
]
const paths = [
  ...[
    'a',
    'b',
    'a.ts',
    'b.js',
    'c.ts',
    'ab.ts',
    'a/b',
    'a/c',
    'a/b/c',
    'a/b/c/d.ts',
    'b/d',
    'abc',
    'axbyb',
    '.hidden',
    'x/.hidden',
  ],
  ...['src/a.test.ts', 'src/b/c.test.ts', 'éa', 'a.b', 'axb', 'x/b/y', 'b/x', 'a/b/c/d/e/f'],
]

test('globs mean the same as those of the original', () => {
  for (const pattern of patterns) {
    const matches = compileGlob(pattern)
    for (const path of paths) {
      expect(matches(path), `${pattern} on ${path}`).toBe(minimatch(path, pattern, { dot: true }))
    }
  }
})
