import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idsIn } from '../requirements/citations.ts'
import { requirements } from '../requirements/table.ts'
import { HttpTarget, playHttp, playStdio, readClientCases, spokenIn } from './play/play-server.ts'

const folder = new URL('clients/', import.meta.url)
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => ({ file, cases: readClientCases(readFileSync(new URL(file, folder), 'utf8')) }))
const all = files.flatMap(({ cases }) => cases)

let http: HttpTarget
beforeAll(async () => {
  http = await HttpTarget.start()
})
afterAll(() => http[Symbol.asyncDispose]())

for (const { file, cases } of files) {
  describe.concurrent(`clients that misbehave: ${file}`, () => {
    for (const one of cases) {
      test(`${one.title} (${one.over}, line ${one.line})`, async ({ task }) => {
        task.meta.speaks = [spokenIn(one)]
        expect(await (one.over === 'stdio' ? playStdio(one) : playHttp(one, http))).toEqual([])
      }, 60_000)
    }
  })
}

describe('the corpus', () => {
  test('left the server alive', () => {
    expect(http.isAlive).toBe(true)
  })

  test('has a title for each case, and cites requirements for servers', () => {
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
    const ids = all.flatMap(({ title }) => idsIn(title))
    expect(ids.filter((id) => !['server', 'both'].includes(requirements.get(id)?.role ?? ''))).toEqual([])
  })
})
