import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Revision } from '@tenon/sdk/server'
import { overLines } from './carrier.ts'
import { Player } from './play.ts'
import { type Scenario, type Script, scriptOf } from './script.ts'
import { formatLines, type Line, parseLines } from './transcript-file.ts'

const folderOf = (revision: Revision): URL => new URL(`../transcripts/${revision}/`, import.meta.url)
const fileOf = (revision: Revision, topic: string): URL => new URL(`${topic}.transcript`, folderOf(revision))

/** The topics with transcripts of a revision. */
export const recordedTopics = (revision: Revision): string[] =>
  readdirSync(folderOf(revision)).map((name) => name.replace(/\.transcript$/, ''))

export const readTranscript = (revision: Revision, topic: string): Line[] =>
  parseLines(readFileSync(fileOf(revision, topic), 'utf8'))

/** Plays the clients' lines in a revision, and records the server's. */
export async function recordAll(revision: Revision, scenarios: readonly Scenario[]): Promise<void> {
  rmSync(folderOf(revision), { recursive: true, force: true })
  mkdirSync(folderOf(revision), { recursive: true })
  for (const scenario of scenarios) {
    const lines = await record(scriptOf(scenario, revision), scenario)
    writeFileSync(fileOf(revision, scenario.topic), formatLines(lines))
  }
}

async function record({ steps }: Script, { topic, server = 'everything' }: Scenario): Promise<Line[]> {
  await using carrier = overLines(server)
  const player = new Player(carrier)
  const lines: Line[] = []
  for (const step of steps) {
    if (step.kind === 'comment') {
      lines.push(step)
      continue
    }
    lines.push({ kind: 'client', text: step.text, broken: step.broken })
    player.say(step.text)
    for (let answer = 0; answer < step.answers; answer++) {
      const heard = await player.hear().catch((error: Error) => {
        throw new Error(`${topic}: answer ${answer + 1} of ${step.answers} to ${step.text}: ${error.message}`)
      })
      lines.push({ kind: 'server', text: JSON.stringify(heard) })
    }
  }
  const rest = await player.leftovers()
  if (rest.length > 0) throw new Error(`${topic}: the server also said ${JSON.stringify(rest)}`)
  return lines
}
