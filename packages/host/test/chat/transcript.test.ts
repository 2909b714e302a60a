/** Conversations that go on after their process was killed; needs a build. */
import { execFile, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../../scripts/requires.ts'
import { chat, createTranscript, openTranscript, scriptedModel, type TranscriptEntry } from '../../src/chat.ts'
import { allOf, emptyToolbox, newFolder, ofType, startWorkshop, textIn, workshopFile } from './workshop.suite.ts'

const program = fileURLToPath(new URL('one-turn.mjs', import.meta.url))

/** Runs one turn in a process, and kills it after so many events; the events that were printed. */
function runTurn(folder: string, stopAfter: number, input: string): Promise<{ type: string; text?: string }[]> {
  const args = [program, join(folder, 'chat.jsonl'), workshopFile, join(folder, 'log'), String(stopAfter), input]
  return new Promise((resolve) => {
    execFile(process.execPath, args, (_error, stdout) =>
      resolve(
        stdout
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ),
    )
  })
}

const logOf = (folder: string): string[] => {
  const file = join(folder, 'log')
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('begin'))
    : []
}

describe('a process that is killed', () => {
  test('after any event leaves a conversation that goes on, and no call is made twice', {
    timeout: 240_000,
  }, async () => {
    const whole = newFolder()
    const events = await runTurn(whole, 0, 'Go, hunter2')
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'answered' })
    expect(logOf(whole)).toEqual(['begin one', 'begin two', 'begin three'])

    // Between two pieces of text nothing is kept, so one of each run is enough.
    const cuts = events.flatMap(({ type }, index) =>
      type === 'text' && events[index + 1]?.type === 'text' ? [] : [index + 1],
    )
    const killedAfter = async (stopAfter: number): Promise<void> => {
      const folder = newFolder()
      expect(await runTurn(folder, stopAfter, 'Go, hunter2')).toHaveLength(stopAfter)
      const last = (await runTurn(folder, 0, '')).at(-1)
      expect(last, `after event ${stopAfter}`).toMatchObject({ type: 'done', reason: 'answered', text: 'All done.' })
      const log = logOf(folder)
      expect(log, `after event ${stopAfter}`).toEqual([...new Set(log)])
      expect(readFileSync(join(folder, 'chat.jsonl'), 'utf8')).not.toContain('hunter2')
    }
    const rest = cuts.slice(0, -1).values()
    const worker = async (): Promise<void> => {
      for (const stopAfter of rest) await killedAfter(stopAfter)
    }
    await Promise.all([worker(), worker(), worker()])
  })
})

describe('a call without a result', () => {
  const answer = (callId: string): TranscriptEntry => ({
    type: 'assistant',
    model: 'scripted/scripted',
    content: [{ type: 'call', callId, name: 'shop__write_note', arguments: { note: 'x' } }],
    finish: 'tool-calls',
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
  })
  const start: TranscriptEntry[] = [{ type: 'user', content: [{ type: 'text', text: 'Go' }] }, answer('c1')]

  test.each([
    ['begun', [...start, { type: 'call', callId: 'c1' }], /may or may not have had its effect/],
    ['not begun', start, /It had no effect/],
  ] as [string, TranscriptEntry[], RegExp][])(
    '%s, is told to the model as interrupted',
    async (_name, entries, expected) => {
      const { toolbox, log } = await startWorkshop()
      const transcript = createTranscript({ type: 'tenon-transcript', version: 1, entries })
      const events = await allOf(
        chat(toolbox, scriptedModel([{ after: 'shop__write_note', text: 'I see: {result}' }]), undefined, {
          transcript,
        }),
      )
      expect(ofType(events, 'tool-result')).toMatchObject([{ callId: 'c1', outcome: 'interrupted' }])
      expect(textIn(events)).toMatch(expected)
      expect(log()).toEqual([])
    },
  )

  test('is answered before new words of the user', async () => {
    const { toolbox } = await startWorkshop()
    const transcript = createTranscript({ type: 'tenon-transcript', version: 1, entries: start })
    await allOf(chat(toolbox, scriptedModel([{ text: 'Yes' }]), 'Still there?', { transcript }))
    expect(transcript.entries.map(({ type }) => type)).toEqual(['user', 'assistant', 'result', 'user', 'assistant'])
  })
})

describe('the file', () => {
  test('can be read by its owner only, and loses a line that a crash cut', async () => {
    const path = join(newFolder(), 'chat.jsonl')
    {
      await using transcript = await openTranscript(path)
      await allOf(chat(emptyToolbox, scriptedModel([{ text: 'Hello' }]), 'Hi', { transcript }))
    }
    expect(statSync(path).mode & 0o777).toBe(0o600)
    appendFileSync(path, '{"type":"user","content":[{"type":"te')
    await using again = await openTranscript(path)
    expect(again.entries.map(({ type }) => type)).toEqual(['user', 'assistant'])
    await again.append({ type: 'user', content: [{ type: 'text', text: 'More' }] })
    await using third = await openTranscript(path)
    expect(third.entries).toHaveLength(3)
  })

  test.each([
    ['{"type":"tenon-transcript","version":2}\n', /expected a transcript of version 1, found version 2/],
    ['{"hello":1}\n', /is no transcript/],
    ['some notes of mine', /is no transcript/],
    [
      '{"type":"tenon-transcript","version":1}\n{"type":"user"}\n',
      /:2: expected "content" of a user entry to be a list/,
    ],
    ['{"type":"tenon-transcript","version":1}\n{"type":"wish"}\n', /:2: expected an entry of type user/],
    ['{"type":"tenon-transcript","version":1}\nnothing\n', /:2 is not JSON/],
  ])('%j is refused, and left as it is', async (text, expected) => {
    const path = join(newFolder(), 'chat.jsonl')
    writeFileSync(path, text)
    await expect(openTranscript(path)).rejects.toMatchObject({
      code: 'transcript_invalid',
      message: expect.stringMatching(expected),
    })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('has no secret, not even in part', async () => {
    const path = join(newFolder(), 'chat.jsonl')
    await using transcript = await openTranscript(path, { secrets: ['token', 'token-of-ada'] })
    await allOf(chat(emptyToolbox, scriptedModel([{ text: 'You said {input}' }]), 'My token-of-ada', { transcript }))
    const text = readFileSync(path, 'utf8')
    expect(text).not.toMatch(/token-of-ada|of-ada/)
    expect(text).toContain('You said My [secret]')
  })
})

test('a recorded conversation is a script', async () => {
  const path = join(newFolder(), 'chat.jsonl')
  const { toolbox } = await startWorkshop()
  const rules = [
    { step: 1, text: 'Hm.', calls: [{ name: 'shop__forecast', arguments: { city: 'Oslo' } }] },
    { text: 'Rain.' },
  ]
  {
    await using transcript = await openTranscript(path)
    await allOf(chat(toolbox, scriptedModel(rules), 'Rain?', { transcript }))
  }
  const events = await allOf(chat(toolbox, `scripted:${path}`, 'Rain?'))
  expect(textIn(events)).toBe('Hm.Rain.')
  expect(ofType(events, 'tool-call')).toMatchObject([{ arguments: { city: 'Oslo' } }])
})

describe('a transcript that lies', () => {
  const text = { type: 'text', text: 'Hi' }
  test.each([
    [{ type: 'user', content: [{ type: 'text', text: 5 }] }],
    [{ type: 'user', content: [{ type: 'call', callId: 'a', name: 'x', arguments: {} }] }],
    [{ type: 'user', content: [{ type: 'constructor' }] }],
    [{ type: 'user', content: [null] }],
    [{ type: 'assistant', model: 'm', content: [{ type: 'call', callId: {}, name: 'x', arguments: {} }] }],
    [{ type: 'assistant', model: 'm', content: [{ type: 'call', callId: 'a', name: 'x', arguments: null }] }],
    [{ type: 'assistant', model: 'm', content: [{ type: 'media', data: 5, mediaType: 'image/png' }] }],
    [{ type: 'result', callId: 'a', name: 'x', content: [text], found: 7 }],
    [{ type: 'result', callId: 'a', name: 'x', content: [text], links: [null] }],
    [{ type: 'spill', id: 'result-1', text: 'x', server: {}, tool: 'x' }],
    [{ type: 'toString' }],
  ])('%j is refused when it is read', (entry) => {
    const saved = { type: 'tenon-transcript', version: 1, entries: [entry] }
    expect(() => createTranscript(saved)).toThrow(expect.objectContaining({ code: 'transcript_invalid' }))
  })

  test('about its characters is not made longer', async () => {
    const path = join(newFolder(), 'chat.jsonl')
    const entry = Buffer.from('{"type":"user","content":[{"type":"text","text":"?"}]}\n')
    entry[entry.indexOf('?')] = 0xff
    writeFileSync(path, Buffer.concat([Buffer.from('{"type":"tenon-transcript","version":1}\n'), entry]))
    await (await openTranscript(path)).close()
    expect(readFileSync(path)).not.toContain(0)
  })
})

test('an entry for which the disk has no room leaves nothing behind', requires('linux'), async () => {
  const path = join(newFolder(), 'chat.jsonl')
  const program = fileURLToPath(new URL('transcript-until-full.mjs', import.meta.url))
  const run = 'ulimit -f 2; exec "$0" "$@"'
  const { stdout } = spawnSync('/bin/sh', ['-c', run, process.execPath, program, path], { encoding: 'utf8' })
  expect(stdout).toBe('EFBIG\n')
  await using transcript = await openTranscript(path)
  expect(transcript.entries.at(-1)).toEqual({ type: 'user', content: [{ type: 'text', text: 'small' }] })
})
