import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { citedIn, citedInTests, hasRequirements, requirements } from './requirements.ts'

const root = new URL('../', import.meta.url)
const skipped = hasRequirements ? '' : ' (skipped: the requirement lists are not in ../shared/spec)'

/** The files of a folder of the repo that end in one of these, with their text. */
function filesUnder(folder: string, ...endings: string[]): { path: string; text: string }[] {
  const found = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  return found
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path) && endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path: `${folder}${path}`, text: readFileSync(new URL(folder + path, root), 'utf8') }))
}

const transcripts = filesUnder('conformance/transcripts/', '.transcript')
const tests = ['packages/', 'servers/', 'examples/'].flatMap((folder) => filesUnder(folder, '.test.ts', '.suite.ts'))

describe.skipIf(!hasRequirements)(`requirements of the specification${skipped}`, () => {
  test('transcripts cite only what exists in their revision', () => {
    const wrong = transcripts.flatMap(({ path, text }) => {
      const revision = path.split('/').at(-2)!
      return citedIn(text)
        .filter((id) => !requirements.get(id)?.revisions.includes(revision))
        .map((id) => `${path}: [${id}]`)
    })
    expect(wrong).toEqual([])
  })

  test('tests cite only what exists', () => {
    const wrong = tests.flatMap(({ path, text }) =>
      citedInTests(text)
        .filter((id) => !requirements.has(id))
        .map((id) => `${path}: [${id}]`),
    )
    expect(wrong).toEqual([])
  })

  test('a citation is a comment or a title, not code', () => {
    const source = [
      "test('ids are never null [rpc.request.id-not-null]', () => {",
      '  // See [ping.respond].',
      '  list[ping.respond] = names[rpc.version-2-0]',
      "  test.each([1])('%s [life.init.instructions]', () => {})",
    ].join('\n')
    expect(citedInTests(source)).toEqual(['rpc.request.id-not-null', 'ping.respond', 'life.init.instructions'])
  })

  test('how many are cited, by area', () => {
    const cited = new Set([
      ...transcripts.flatMap(({ text }) => citedIn(text)),
      ...tests.flatMap(({ text }) => citedInTests(text)),
    ])
    const areas = new Map<string, { cited: number; all: number }>()
    for (const [id, { area }] of requirements) {
      const count = areas.get(area) ?? { cited: 0, all: 0 }
      areas.set(area, { cited: count.cited + Number(cited.has(id)), all: count.all + 1 })
    }
    const rows = [...areas].filter(([, count]) => count.cited > 0)
    console.log(rows.map(([area, count]) => `${area.padEnd(32)} ${count.cited} of ${count.all}`).join('\n'))
    expect(rows.length).toBeGreaterThan(0)
  })
})
