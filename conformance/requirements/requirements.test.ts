import { describe, expect, test } from 'vitest'
import { citationsIn, citedIn, filesUnder, testFiles, transcriptFiles } from './citations.ts'
import { countCoverage, coveredBy, excuseOf, isOurs, readExcuses } from './coverage.ts'
import { summaryOf } from './report.ts'
import { hasLists, requirements, tableOfLists, writeTable, writtenTable } from './table.ts'

const skipped = hasLists ? '' : ' (skipped: the lists are not in ../shared/spec)'

test.skipIf(!hasLists)(`the table is made from the lists${skipped}`, () => {
  if (process.env.UPDATE_REQUIREMENTS) writeTable(tableOfLists())
  expect(writtenTable()).toBe(tableOfLists())
  expect(requirements.size).toBeGreaterThan(1_300)
})

describe('citations', () => {
  test('of transcripts exist in their revision', () => {
    const wrong = transcriptFiles().flatMap(({ file, text }) => {
      const revision = file.split('/').at(-2)!
      return citedIn(text)
        .filter((id) => !requirements.get(id)?.revisions.includes(revision))
        .map((id) => `${file}: [${id}]`)
    })
    expect(wrong).toEqual([])
  })

  test('of tests exist', () => {
    const cited = testFiles().flatMap(({ file, text }) => citationsIn(file, text))
    expect(cited.filter(({ id }) => !requirements.has(id))).toEqual([])
  })

  test('stand in comments and titles, not in code', () => {
    const source = [
      "test('ids are never null [rpc.request.id-not-null]', () => {",
      '  // See [ping.respond].',
      '  list[ping.respond] = names[rpc.version-2-0]',
      '  // [life.init.first]',
      "  test.each([1])('%s [life.init.instructions]', () => {})",
    ].join('\n')
    expect(citationsIn('a.test.ts', source)).toEqual([
      { id: 'rpc.request.id-not-null', file: 'a.test.ts', line: 1, above: 1 },
      { id: 'ping.respond', file: 'a.test.ts', line: 2 },
      { id: 'life.init.first', file: 'a.test.ts', line: 4, above: 5 },
      { id: 'life.init.instructions', file: 'a.test.ts', line: 5, above: 5 },
    ])
  })
})

describe('coverage', () => {
  const file = 'conformance/requirements/requirements.test.ts'

  test('counts what a title cites only if the test passed', () => {
    const runs = (passed: boolean) => new Map([[file, [{ name: 'answers [ping.respond]', passed }]]])
    expect(coveredBy(runs(true)).has('ping.respond')).toBe(true)
    expect(coveredBy(runs(false)).has('ping.respond')).toBe(false)
    expect(coveredBy(new Map()).size).toBe(0)
  })

  test('counts what a comment cites only if its test passed', () => {
    const cited = testFiles()
      .filter((source) => source.file.endsWith('.test.ts'))
      .flatMap((source) => citationsIn(source.file, source.text))
      .find((citation) => citation.above === citation.line + 1)!
    const runs = (passed: boolean) =>
      new Map([
        [
          cited.file,
          [
            { name: 'it', passed, line: cited.above! },
            { name: 'other', passed: false, line: 1e6 },
          ],
        ],
      ])
    expect(coveredBy(runs(true)).has(cited.id)).toBe(true)
    expect(coveredBy(runs(false)).has(cited.id)).toBe(false)
  })

  test('is counted by area and level, of what can be shown and is for clients and servers', () => {
    const none = countCoverage(new Set())
    const one = countCoverage(new Set(['ping.respond']))
    const { area, level } = requirements.get('ping.respond')!
    expect(none.get(area)!.get(level)!.shown).toBe(0)
    expect(one.get(area)!.get(level)!.shown).toBe(1)
    expect(one.get(area)!.get(level)!.all).toBe(none.get(area)!.get(level)!.all)
  })

  test('is summed up over areas, with must not beside must', () => {
    const counts = new Map([
      [
        'one',
        new Map([
          ['must', { shown: 1, all: 2 }],
          ['must-not', { shown: 3, all: 4 }],
        ]),
      ],
      [
        'other',
        new Map([
          ['must-not', { shown: 5, all: 9 }],
          ['may', { shown: 0, all: 1 }],
        ]),
      ],
    ])
    const rows = summaryOf(counts, { areas: true })
      .split('\n')
      .map((row) => row.split(/ {2,}/))
    expect(rows.slice(1)).toEqual([
      ['one', '4 of 6', '0 of 0', '0 of 0'],
      ['other', '5 of 9', '0 of 0', '0 of 1'],
      ['all', '9 of 15', '0 of 0', '0 of 1'],
    ])
  })

  /** Named somewhere, which is less than shown: that takes a whole run, and `npm run coverage:requirements` tells. */
  const isNamed = (): ((id: string) => boolean) => {
    const sources = [
      ...testFiles(),
      ...transcriptFiles(),
      ...filesUnder('conformance/misbehaving/', '.txt', '.test.ts'),
    ]
    const named = new Set(sources.flatMap(({ text }) => citedIn(text)))
    return (id) => named.has(id)
  }

  test('every must that can be shown is named by a test, or it is said why not', () => {
    const excuses = readExcuses()
    const named = isNamed()
    const musts = [...requirements.values()].filter((one) => isOurs(one) && one.level.startsWith('must'))
    expect(musts.filter(({ id }) => !named(id) && excuseOf(id, excuses) === undefined).map(({ id }) => id)).toEqual([])
  })

  test('of what should be, four fifths are named by tests', () => {
    const named = isNamed()
    const shoulds = [...requirements.values()].filter((one) => isOurs(one) && one.level.startsWith('should'))
    expect(shoulds.filter(({ id }) => named(id)).length / shoulds.length).toBeGreaterThan(0.8)
  })

  test('excuses are for requirements that exist', () => {
    const excuses = readExcuses()
    const ids = [...requirements.keys()]
    for (const [pattern, reason] of excuses) {
      expect(
        ids.some((id) => excuseOf(id, new Map([[pattern, reason]])) !== undefined),
        pattern,
      ).toBe(true)
      expect(reason, pattern).toMatch(/\w{3}/)
    }
  })
})
