import { describe, expect, test } from 'vitest'
import { channelErrorCodes, missingMessages } from './completeness.ts'
import type { FixtureKind } from './fixture-server.ts'
import { type Carrier, overLines, overMemory } from './runner/carrier.ts'
import { Conversation } from './runner/conversation.ts'
import { Player } from './runner/play.ts'
import { readTranscript, recordAll, recordedTopics } from './runner/record.ts'
import { scriptOf } from './runner/script.ts'
import { type Line, serverOf } from './runner/transcript-file.ts'
import { revisions, scenariosOf } from './scenarios/index.ts'

if (process.env.UPDATE_TRANSCRIPTS) {
  for (const revision of revisions) await recordAll(revision, scenariosOf(revision))
}

const carriers: { [name: string]: (kind: FixtureKind) => Carrier } = { memory: overMemory, lines: overLines }

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Memory carries values: text that is not JSON needs lines. */
const fits = (lines: Line[], carrier: string): boolean =>
  carrier === 'lines' || lines.every((line) => line.kind !== 'client' || isJson(line.text))

describe.each(revisions)('%s', (revision) => {
  const topics = recordedTopics(revision).map((topic) => ({ topic, lines: readTranscript(revision, topic) }))

  describe.each(Object.keys(carriers))('over %s', (carrierName) => {
    test.each(topics.filter(({ lines }) => fits(lines, carrierName)))('$topic', async ({ lines }) => {
      await using carrier = carriers[carrierName]!(serverOf(lines))
      const player = new Player(carrier)
      for (const line of lines) {
        if (line.kind === 'client') player.say(line.text)
        if (line.kind === 'server') expect(await player.hear()).toEqual(JSON.parse(line.text))
      }
      expect(await player.leftovers(), 'nothing else is said').toEqual([])
    })
  })

  describe('the published schema', () => {
    test.each(topics)('allows what is said in $topic', ({ lines }) => {
      const conversation = new Conversation(revision)
      for (const line of lines) {
        if (line.kind === 'comment') continue
        const text = line.text.replace(/"<(uuid|error|cursor)-\d+>"/g, '"0"')
        if (!isJson(text)) continue
        const problems = conversation.take(line.kind, JSON.parse(text))
        if (line.kind === 'client' && line.broken)
          expect(problems, `${line.text} is marked as not valid`).not.toEqual([])
        else expect(problems, line.text).toEqual([])
      }
    })

    test('has no message and no error code that the transcripts lack', () => {
      const conversations = topics.map(({ lines }) => follow(lines, new Conversation(revision)))
      const answered = conversations.flatMap((conversation) => conversation.answered)
      const notified = conversations.flatMap((conversation) => conversation.notified)
      const codes = new Set(conversations.flatMap((conversation) => [...conversation.codes]))
      expect(missingMessages(revision, answered, notified)).toEqual([])
      expect(channelErrorCodes[revision].filter((code) => !codes.has(code))).toEqual([])
    })

    test('transcripts say what the scenarios say', () => {
      const scenarios = scenariosOf(revision)
      expect(topics.map(({ topic }) => topic).sort()).toEqual(scenarios.map(({ topic }) => topic).sort())
      for (const scenario of scenarios) {
        const spoken = readTranscript(revision, scenario.topic).filter((line) => line.kind !== 'server')
        const scripted = scriptOf(scenario, revision).steps.map(({ kind, text }) => ({ kind, text }))
        expect(
          spoken.map(({ kind, text }) => ({ kind, text })),
          scenario.topic,
        ).toEqual(scripted)
      }
    })
  })
})

function follow(lines: Line[], conversation: Conversation): Conversation {
  for (const line of lines) {
    if (line.kind !== 'comment' && isJson(line.text)) conversation.take(line.kind, JSON.parse(line.text))
  }
  return conversation
}
