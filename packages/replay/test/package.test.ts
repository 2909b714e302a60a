/** What the built package promises. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

test('the exported names are these', async () => {
  expect(Object.keys(await import(new URL('dist/replay.js', root).href)).sort()).toEqual([
    'CallsFileError',
    'Redactor',
    'SessionFileError',
    'aboutSession',
    'callsFromSession',
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
