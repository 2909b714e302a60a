/** Rules that hold for every file of the repository, so that a clone works anywhere. */
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
const here = 'scripts/repository.test.ts'

/** The text files that a clone has, those that are about to be committed included. */
function readFiles(): { path: string; text: string }[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...new Set(listed.split('\0'))]
    .filter((path) => path !== '' && lstatSync(`${root}/${path}`, { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

const files = readFiles()

/** Every place that breaks a rule, as `file:line: text`. */
const places = (find: (line: string, path: string) => string[], isConcerned = (_path: string): boolean => true) =>
  files
    .filter(({ path }) => path !== here && isConcerned(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => find(line, path).map((found) => `${path}:${index + 1}: ${found}`)),
    )

/** Relative paths that lead out of the repository from the folder of their file. Attacks in tests lead to /etc. */
function pathsOutside(line: string, file: string): string[] {
  const named = [...line.matchAll(/(?<![\w./-])(?:\.\/)?(?:\.\.\/)+(?!etc\b)[\w@][\w.@-]*/g)].map(([path]) => path)
  return named.filter((path) => posix.join(posix.dirname(file), path).startsWith('../'))
}

/** Absolute paths of one machine, this one included. Examples are in the homes of `ada`, `me` and `x`. */
function pathsOfMachine(line: string): string[] {
  const named = line.match(/(?<![\w.:*-])\/(?:root\/|(?:home|Users)\/(?!(?:ada|me|x)\b)\w)[\w.-]*/g) ?? []
  return line.includes(root) ? [...named, root] : named
}

/** Ways to skip a test that the end of a run would not explain. */
const waysToSkip = (line: string): string[] =>
  line.match(/\b(?:test|it|describe|suite)\.(?:skip|skipIf|runIf|todo|only)\b|\b(?:ctx|context)\.skip\(/g) ?? []

describe('a clone stands alone', () => {
  test('no file refers to a path outside of the repository', () => {
    expect(places(pathsOutside)).toEqual([])
  })

  test('no file refers to a path of one machine', () => {
    expect(places(pathsOfMachine)).toEqual([])
  })

  test('tests are skipped by `requires` only, which says what is missing', () => {
    expect(places(waysToSkip, (path) => /\.(?:test|suite)\.(?:ts|mjs|tsx)$/.test(path))).toEqual([])
  })
})

describe('the rules find', () => {
  test.each([
    ['packages/sdk/test/a.ts', "new URL('../../../../beside/spec/', import.meta.url)", '../../../../beside'],
    ['CONTRIBUTING.md', 'the schemas (`../elsewhere/spec` beside the repository)', '../elsewhere'],
    ['scripts/a.mjs', "import './../../b.mjs'", './../../b.mjs'],
  ])('in %s: %s', (path, line, found) => {
    expect(pathsOutside(line, path)).toEqual([found])
  })

  test.each([
    ['packages/sdk/test/a.ts', "import { a } from '../../../conformance/a.ts'"],
    ['packages/sdk/test/a.ts', "open('../../../../../../etc/passwd')"],
    ['docs/a.md', '`/x/../../../y` is `../..`'],
  ])('nothing in %s: %s', (path, line) => {
    expect(pathsOutside(line, path)).toEqual([])
  })

  test('paths of a machine', () => {
    expect(pathsOfMachine('see file:///home/grace/tenon')).toEqual(['/home/grace'])
    expect(pathsOfMachine("open('/root/.npmrc')")).toEqual(['/root/.npmrc'])
    expect(pathsOfMachine(`open('${root}/x')`)).toContain(root)
    expect(pathsOfMachine("import './root/a.ts'; fetch('http://a/root/b'); read('file:///home/ada/b')")).toEqual([])
  })

  test('tests that skip without a reason', () => {
    expect(waysToSkip("test.skipIf(!hasIt)('a', () => {})")).toEqual(['test.skipIf'])
    expect(waysToSkip("describe.only('a', () => {})")).toEqual(['describe.only'])
    expect(waysToSkip('test("a", (ctx) => ctx.skip())')).toEqual(['ctx.skip('])
    expect(waysToSkip("test('a', requires('zsh'), () => {})")).toEqual([])
  })
})
