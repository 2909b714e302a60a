/** The built package. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

test('the exported names are these', async () => {
  expect(Object.keys(await import(new URL('dist/replay.js', root).href)).sort()).toEqual([
    'CallsFileError',
    'Redactor',
    'SessionFileError',
    'aboutSession',
    'callsFormat',
    'callsFromSession',
    'callsText',
    'connectServer',
    'defaultServer',
    'diffSessions',
    'fileSink',
    'formatDiff',
    'junitXml',
    'lineOf',
    'loadCalls',
    'loadCallsFile',
    'memorySink',
    'readSession',
    'readSessionFile',
    'recorder',
    'recordingProxy',
    'redactSession',
    'replayServer',
    'runCalls',
    'sessionText',
    'tapText',
    'visitSession',
  ])
})

test('what pages need of it is small, and needs nothing else', async () => {
  const entry = fileURLToPath(new URL('dist/json.js', root))
  expect(Object.keys(await import(entry)).sort()).toEqual(['differences', 'literal', 'toExpectation', 'toSavedCall'])
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    packages: 'external',
  })
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
  expect(outputFiles[0]!.contents.length).toBeLessThan(3_500)
})

test('pages can load it: what needs Node is loaded when it is used', () => {
  const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(sources.length).toBeGreaterThan(30)
  for (const file of sources) {
    const source = readFileSync(new URL(`src/${file}`, root), 'utf8')
    expect(source, file).not.toMatch(/^import .* from 'node:/m)
    const packages = [...source.matchAll(/ from '([^.'][^']*)'/g)].map(([, name]) => name)
    expect(
      packages.filter((name) => name !== 'yaml' && !name!.startsWith('@tenon/sdk/')),
      file,
    ).toEqual([])
  }
})
