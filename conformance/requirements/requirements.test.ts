import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { codecFor } from '../../packages/sdk/src/wire/codecs.ts'
import { citationsIn, commentsIn, filesUnder, idsIn, revisionOf, testFiles, transcriptFiles } from './citations.ts'
import { count } from './counts.ts'
import { coveredBy, isOurs, type TestRun } from './coverage.ts'
import { excuseOf, independents, patternOf, readExcuses } from './exceptions.ts'
import { pageOf, staleLines, summaryOf, unexplained } from './report.ts'
import { type Spoken, takeSpoken } from './spoken.ts'
import { requirements } from './table.ts'

const silent: Spoken = { said: [], asked: [], elsewhere: false }
const clientInfo = { name: 'a', version: '1' }

describe('citations', () => {
  test('of transcripts exist in their revision', () => {
    const wrong = transcriptFiles().flatMap((source) =>
      idsIn(source.text)
        .filter((id) => !requirements.get(id)?.revisions.includes(revisionOf(source)))
        .map((id) => `${source.file}: [${id}]`),
    )
    expect(wrong).toEqual([])
  })

  test('of tests exist, and the revisions that they name are those where they hold', () => {
    const wrong = testFiles().flatMap(({ file, text }) =>
      citationsIn(text)
        .filter(({ id, revisions = [] }) => !revisions.every((one) => requirements.get(id)?.revisions.includes(one)))
        .map(({ id }) => `${file}: [${id}]`),
    )
    expect(wrong).toEqual([])
    const unknown = testFiles().flatMap(({ text }) => citationsIn(text).filter(({ id }) => !requirements.has(id)))
    expect(unknown).toEqual([])
  })

  test('stand in comments and titles, not in code', () => {
    const source = [
      "test('ids are never null [rpc.request.id-not-null]', () => {",
      '  // See [ping.respond @2024-11-05,2025-03-26].',
      '  list[ping.respond] = names[rpc.version-2-0]',
      '  // [life.init.first]',
      "  test.each([1])('%s [life.init.instructions]', () => {})",
    ].join('\n')
    expect(citationsIn(source).map(({ id }) => id)).toEqual([
      'rpc.request.id-not-null',
      'ping.respond',
      'life.init.first',
      'life.init.instructions',
    ])
    expect(commentsIn('a.test.ts', source)).toEqual([
      { id: 'ping.respond', file: 'a.test.ts', line: 2, revisions: ['2024-11-05', '2025-03-26'] },
      { id: 'life.init.first', file: 'a.test.ts', line: 4, above: 5 },
    ])
  })

  test('of suites stand in titles: which tests a comment there is about cannot be told', () => {
    const suites = testFiles().filter(({ file }) => file.endsWith('.suite.ts'))
    expect(suites.flatMap(({ file, text }) => commentsIn(file, text))).toEqual([])
  })
})

describe('coverage', () => {
  const file = 'conformance/requirements/requirements.test.ts'
  const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
  const shownBy = (run: Partial<TestRun>, name = 'answers [ping.respond]'): string[] => {
    const shown = coveredBy(new Map([[file, [{ name, passed: true, spoken: silent, ...run }]]]))
    return [...(shown.get('ping.respond') ?? [])]
  }

  test('counts what a title cites only if the test passed', () => {
    expect(shownBy({})).toEqual(legacy)
    expect(shownBy({ passed: false })).toEqual([])
    expect(coveredBy(new Map()).size).toBe(0)
  })

  test('counts in the revisions that were spoken', () => {
    expect(shownBy({ spoken: { ...silent, said: ['2025-06-18'], asked: ['2025-06-18'] } })).toEqual(['2025-06-18'])
    // A newer revision that was only tried first does not count.
    const probed: Spoken = { ...silent, said: ['2024-11-05'], asked: ['2025-03-26', '2024-11-05'] }
    expect(shownBy({ spoken: probed })).toEqual(['2024-11-05'])
    expect(shownBy({ spoken: { ...silent, asked: ['2025-03-26'] } })).toEqual(['2025-03-26'])
  })

  test('counts in every revision where the requirement holds if nothing could depend on one', () => {
    expect(shownBy({ spoken: silent })).toEqual(legacy)
    // The revisions of a process are not observed.
    expect(shownBy({ spoken: { ...silent, elsewhere: true } })).toEqual([])
  })

  test('counts in the revisions that a test or a citation names, where they cannot be seen', () => {
    const spoken = { ...silent, elsewhere: true }
    expect(shownBy({ spoken, speaks: ['2025-03-26'] })).toEqual(['2025-03-26'])
    expect(shownBy({ spoken }, 'answers [ping.respond @2024-11-05,2025-06-18]')).toEqual(['2024-11-05', '2025-06-18'])
    expect(shownBy({ spoken, speaks: ['2026-07-28'] })).toEqual([])
  })

  test('counts what a comment cites only if its test passed', () => {
    const cited = testFiles()
      .filter((source) => source.file.endsWith('.test.ts'))
      .flatMap((source) => commentsIn(source.file, source.text))
      .find((citation) => citation.above === citation.line + 1)!
    const runs = (passed: boolean): Map<string, TestRun[]> =>
      new Map([
        [
          cited.file,
          [
            { name: 'it', passed, spoken: silent, line: cited.above! },
            { name: 'other', passed: false, spoken: silent, line: 1e6 },
          ],
        ],
      ])
    expect(coveredBy(runs(true)).has(cited.id)).toBe(true)
    expect(coveredBy(runs(false)).has(cited.id)).toBe(false)
  })

  test('is of what can be shown and is for clients and servers, once for each revision', () => {
    const shown = new Map([['ping.respond', new Set(['2024-11-05', '2025-06-18'])]])
    expect(count(shown, ({ requirement }) => requirement.id === 'ping.respond')).toEqual({ shown: 2, all: 4 })
    expect(summaryOf(shown)).toMatch(/must 2 of \d{4}, should 0 of \d{3}, may 0 of \d{3}$/)
    expect(pageOf(shown, [])).toMatch(
      /^\| utilities \| 1 of \d+ \| 0 of \d+ \| 1 of \d+ \| 0 of \d+ \| 0 of \d+ \| 2 of/m,
    )
  })

  test('that is missing is named with its revisions, unless it is excused there', () => {
    const shown = new Map([['ping.respond', new Set(['2024-11-05', '2025-06-18'])]])
    const lines = (excused: string) =>
      unexplained(shown, [{ pattern: patternOf(excused), reason: 'so' }]).filter((line) =>
        line.includes('ping.respond'),
      )
    const { says } = requirements.get('ping.respond')!
    expect(lines('other')).toEqual([`must       both   ping.respond in 2025-03-26, 2025-11-25: ${says}`])
    expect(lines('ping.respond@2025-03-26')).toEqual([`must       both   ping.respond in 2025-11-25: ${says}`])
    expect(lines('ping.*')).toEqual([])
  })

  /** Cited somewhere, which is less than shown: that takes a whole run of `npm run coverage:requirements`. */
  const isNamed = (): ((id: string) => boolean) => {
    const sources = [
      ...testFiles(),
      ...transcriptFiles(),
      ...filesUnder('conformance/misbehaving/', '.txt', '.test.ts'),
    ]
    const named = new Set(sources.flatMap(({ text }) => idsIn(text)))
    return (id) => named.has(id)
  }

  test('every must that can be shown is named by a test, or it is said why not', () => {
    const excuses = readExcuses()
    const named = isNamed()
    const musts = [...requirements.values()].filter((one) => isOurs(one) && one.level.startsWith('must'))
    expect(musts.filter(({ id }) => !named(id) && excuseOf(excuses, id) === undefined).map(({ id }) => id)).toEqual([])
  })

  test('of what should be, four fifths are named by tests', () => {
    const named = isNamed()
    const shoulds = [...requirements.values()].filter((one) => isOurs(one) && one.level.startsWith('should'))
    expect(shoulds.filter(({ id }) => named(id)).length / shoulds.length).toBeGreaterThan(0.8)
  })

  test('excuses are for requirements that exist', () => {
    const all = [...requirements.values()].flatMap(({ id, revisions }) =>
      revisions.map((revision) => ({ id, revision })),
    )
    for (const { pattern, reason } of readExcuses()) {
      expect(
        all.some(({ id, revision }) => pattern.matches(id, revision)),
        pattern.text,
      ).toBe(true)
      expect(reason, pattern.text).toMatch(/\w{3}/)
    }
  })
})

describe('what a test speaks', () => {
  test('is seen: messages, the handshake where there is nothing else, and facts', () => {
    takeSpoken()
    codecFor('2025-03-26').decodeParams('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo })
    expect(takeSpoken()).toEqual({ said: ['2025-03-26'], asked: ['2025-03-26'], elsewhere: false })
    codecFor('2026-07-28').encodeParams('server/discover', {})
    codecFor('2025-06-18').encodeParams('tools/list', {})
    expect(takeSpoken()).toEqual({ said: ['2025-06-18'], asked: ['2025-06-18', '2026-07-28'], elsewhere: false })
    expect(codecFor('2024-11-05').batches).toBe(false)
    expect(takeSpoken()).toEqual({ said: [], asked: ['2024-11-05'], elsewhere: false })
    expect(takeSpoken()).toEqual(silent)
  })

  test('in a process or a worker is not seen, but that there is one is', async () => {
    takeSpoken()
    await once(spawn(process.execPath, ['--version'], { stdio: 'ignore' }), 'exit')
    expect(takeSpoken()).toEqual({ ...silent, elsewhere: true })
    await once(new Worker('', { eval: true }), 'exit')
    expect(takeSpoken()).toEqual({ ...silent, elsewhere: true })
  })
})

test('a stale page is shown by the lines that differ', () => {
  expect(staleLines('a\nb\n', 'a\nb\n')).toEqual([])
  expect(staleLines('a\nmust 2 of 3\n', 'a\nmust 3 of 3\n')).toEqual(['- must 2 of 3', '+ must 3 of 3'])
})

describe('what is the same in every revision', () => {
  const library = 'packages/sdk/src/'
  const root = new URL('../../', import.meta.url)
  const codeOf = (place: string): string[] =>
    place.endsWith('.ts')
      ? [readFileSync(new URL(library + place, root), 'utf8')]
      : filesUnder(`${library}${place}/`, '.ts')
          .filter(({ file }) => !/\.(test|suite)\.ts$/.test(file))
          .map(({ text }) => text)
  const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

  test.each(independents.map(({ pattern, places, reason }) => [pattern.text, pattern, places, reason] as const))(
    '%s is met by code that cannot know of a revision',
    (_, pattern, places, reason) => {
      expect([...requirements.keys()].some((id) => pattern.matches(id))).toBe(true)
      expect(reason).toMatch(/\w{3}/)
      const code = places.flatMap(codeOf)
      expect(code).not.toEqual([])
      const telling = code.filter((text) => /\/wire\/|20\d\d-\d\d-\d\d|\brevision/i.test(withoutComments(text)))
      expect(telling).toEqual([])
    },
  )
})
