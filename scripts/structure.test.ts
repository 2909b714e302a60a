/** Rules about the shape of the source: which folder may import which, names, sizes, and where a revision may matter. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cyclesAmong, isForTests, type Module, readModules } from './modules.ts'

const all = readModules()
const sources = all.filter(({ path }) => /^packages\/[^/]+\/(?:src|ui)\//.test(path) && !isForTests(path))
const sdk = sources.filter(({ path }) => path.startsWith('packages/sdk/src/'))
const inSdk = (path: string): string => path.slice('packages/sdk/src/'.length)

/** The public files of every package. */
const entries: ReadonlySet<string> = new Set(
  all
    .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
    .map(({ path }) => path.split('/').slice(0, 2).join('/'))
    .flatMap((folder) => {
      const { exports = {} } = JSON.parse(readFileSync(new URL(`../${folder}/package.json`, import.meta.url), 'utf8'))
      const targets = Object.values(exports as { [subpath: string]: { 'tenon-source'?: string } })
      return targets.map((target) => posix.join(folder, target['tenon-source'] ?? ''))
    }),
)

/** The folders of the library from top to bottom, as the page on its architecture lists them. */
function layersOf(page: string): string[] {
  const tree = /```\npackages\/sdk\/src\/\n(.*?)```/s.exec(page)![1]!
  return [...tree.matchAll(/^ {2}([\w-]+)\/ /gm)].map(([, folder]) => folder!)
}

const layers = layersOf(readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8'))

/** Entries stand above all folders, and the few other files of `src` below them. */
function heightOf(path: string): number {
  const [folder, rest] = inSdk(path).split('/')
  if (rest !== undefined) return layers.length - layers.indexOf(folder!)
  return entries.has(path) ? layers.length + 1 : 0
}

describe('imports of the library', () => {
  test('every folder has its place in the list of layers', () => {
    const folders = new Set(
      sdk
        .map(({ path }) => inSdk(path))
        .filter((path) => path.includes('/'))
        .map((path) => path.split('/')[0]!),
    )
    expect([...folders].sort()).toEqual([...layers].sort())
  })

  test('point downwards, those of types too', () => {
    const upwards = sdk.flatMap(({ path, imports }) =>
      [...imports.keys()]
        .filter((target) => target.startsWith('packages/sdk/src/') && heightOf(target) > heightOf(path))
        .map((target) => `${inSdk(path)} imports ${inSdk(target)}`),
    )
    expect(upwards).toEqual([])
  })

  test('form no large cycles', () => {
    expect(cyclesAmong(sdk).filter((cycle) => cycle.length > 6)).toEqual([])
  })
})

describe('names', () => {
  test('an exported name is declared in one file of a package', () => {
    const files = new Map<string, string[]>()
    for (const { path, exports } of sources) {
      const folder = path.split('/').slice(0, 2).join('/')
      for (const name of exports) files.set(`${folder} ${name}`, [...(files.get(`${folder} ${name}`) ?? []), path])
    }
    const shared = [...files].filter(([, paths]) => new Set(paths).size > 1)
    expect(shared.map(([name, paths]) => `${name}: ${[...new Set(paths)].join(', ')}`)).toEqual([])
  })

  /** Exports for the module loader of Node, and exports in the text of generated modules. */
  const usedElsewhere = /^packages\/cli\/src\/(?:dev\/process\/loader|types\/(?:generate|helpers))\.ts$/

  test('an export is imported somewhere', () => {
    const used = new Set(
      all.flatMap(({ imports }) => [...imports].flatMap(([path, names]) => names.map((name) => `${path} ${name}`))),
    )
    const isUsed = (path: string, name: string): boolean => used.has(`${path} ${name}`) || used.has(`${path} *`)
    const unused = sources
      .filter(({ path }) => !entries.has(path) && !usedElsewhere.test(path))
      .flatMap(({ path, exports }) => exports.filter((name) => !isUsed(path, name)).map((name) => `${path}: ${name}`))
    expect(unused).toEqual([])
  })
})

/** As many files as one can take in at a glance. */
const maxFiles = 16

test('a folder of the library and of the command has few files', () => {
  const counts = new Map<string, number>()
  for (const { path } of sources) {
    if (/^packages\/(?:sdk|cli)\//.test(path))
      counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  }
  counts.delete('packages/sdk/src')
  expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([])
})

/** The folders that describe revisions, those of the two ways to talk, and the file on each side that chooses between them. */
const mayBranch =
  /^packages\/sdk\/src\/(?:wire\/|model\/revision\.ts|(?:server|client|http-server)\/(?:session|stateless)\/|server\/conversations\.ts|client\/choose-conversation\.ts|http-server\/transports\.ts)/

/** A table of the revisions that other applications speak: data, and no branch. */
const isTable = /^packages\/inspector\/src\/servers\/client-features\.ts$/

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

const branch = new RegExp(
  [
    String.raw`\b(?:hasHandshake|newestWithHandshake|isStateless|isModern|isLegacy|standsAlone)\b|\.handshake\b`,
    String.raw`\b(?:session|stateless)Revisions\.length\b`,
    "'20(?:24-11-05|25-03-26|25-06-18|25-11-25|26-07-28)'",
    String.raw`\brevision\)? *[<>]=? |[^=] [<>]=? \(?(?:\w+\.)*revision\b`,
  ].join('|'),
  'g',
)

const branchesIn = ({ path, text }: Module): string[] =>
  [...withoutComments(text).matchAll(branch)].map(([found]) => `${path}: ${found}`)

describe('which revision is spoken', () => {
  test('matters in the wire, and in the rooms for sessions and for stateless requests', () => {
    expect(sources.filter(({ path }) => !mayBranch.test(path) && !isTable.test(path)).flatMap(branchesIn)).toEqual([])
  })

  test.each([
    ['if (codec.handshake) open()', '.handshake'],
    ["if (revision === '2026-07-28') open()", "'2026-07-28'"],
    ['if (hasHandshake(revision)) open()', 'hasHandshake'],
    ['if (definition.sessionRevisions.length > 0) open()', 'sessionRevisions.length'],
    ['if (server.revision < since) open()', 'revision < '],
  ])('is found in %s', (text, found) => {
    expect(branchesIn({ path: 'a.ts', text: `${text} // 2025-11-25`, exports: [], imports: new Map() })).toEqual([
      `a.ts: ${found}`,
    ])
  })
})
