import type { JsonObject } from '@tenon/sdk/client'
import { jsonExcerpt } from '../json/describe-value.ts'
import { type Difference, differences } from '../json/differences.ts'
import { isObject } from '../json/is-object.ts'
import { relevantParams, requestKey } from '../serve/request-key.ts'
import type { Turn } from '../serve/turns.ts'
import { isList, resultOf } from './inventory.ts'
import type { RequestDiff, TimingDiff } from './types.ts'

/** Members that revisions add to results, and that say nothing about the requested data. */
const surroundings: readonly string[] = ['_meta', 'resultType', 'ttlMs', 'cacheScope', 'requestState']
/** Introductions and pings are not compared as requests. */
const skipped: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping'])

interface RequestChanges {
  requests: RequestDiff[]
  unchanged: number
  timing: TimingDiff[]
}

/** Compares the answers to the same requests: the first with the first, the second with the second. */
export function requestChanges(before: readonly Turn[], after: readonly Turn[]): RequestChanges {
  const [had, has] = [byKey(before), byKey(after)]
  const requests: RequestDiff[] = []
  const timing: TimingDiff[] = []
  let unchanged = 0
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const [mine, theirs] = [had.get(key) ?? [], has.get(key) ?? []]
    for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
      const diff = compare(mine[i], theirs[i], i + 1)
      if (diff === undefined) unchanged += 1
      else requests.push(diff)
    }
    const times = timingOf(mine, theirs)
    if (times !== undefined) timing.push(times)
  }
  return { requests, unchanged, timing }
}

function byKey(turns: readonly Turn[]): Map<string, Turn[]> {
  const found = new Map<string, Turn[]>()
  for (const turn of turns) {
    const { method, params } = turn.message
    if (!('id' in turn.message) || skipped.has(method)) continue
    const key = requestKey(method, withoutState(params))
    const same = found.get(key)
    if (same === undefined) found.set(key, [turn])
    else same.push(turn)
  }
  return found
}

/** State and cursors are sealed anew by every server: that they differ does not make a request another one. */
function withoutState(params: JsonObject | undefined): JsonObject {
  const { requestState, cursor, ...rest } = params ?? {}
  return rest
}

function compare(before: Turn | undefined, after: Turn | undefined, occurrence: number): RequestDiff | undefined {
  const { message } = (before ?? after)!
  const about = { method: message.method, request: requestTitle(message), occurrence }
  if (before === undefined) return { ...about, status: 'added', differences: [] }
  if (after === undefined) return { ...about, status: 'removed', differences: [] }
  const found = answerDifferences(before, after)
  return found.length === 0 ? undefined : { ...about, status: 'changed', differences: found }
}

function answerDifferences(before: Turn, after: Turn): Difference[] {
  const [mine, theirs] = [answerOf(before), answerOf(after)]
  // Lists are compared item by item.
  if (isList(before.message.method) && 'result' in mine && 'result' in theirs) return []
  return differences(mine, theirs)
}

function answerOf(turn: Turn): JsonObject {
  const result = resultOf(turn)
  if (result !== undefined) {
    return { result: Object.fromEntries(Object.entries(result).filter(([name]) => !surroundings.includes(name))) }
  }
  const answer = turn.steps.find(({ kind }) => kind === 'answer')?.message as { error?: unknown } | undefined
  return answer === undefined ? { unanswered: true } : { error: answer.error }
}

/** `tools/call add {"a":1}`, `resources/read guide:///welcome` */
function requestTitle({ method, params }: Turn['message']): string {
  const relevant = relevantParams(method, params)
  const { name, uri, arguments: args, ...rest } = relevant
  const words = [method]
  for (const word of [name, uri]) if (typeof word === 'string') words.push(jsonExcerpt(word, 80).slice(1, -1))
  for (const given of [args, withoutState(rest)]) {
    if (isObject(given) && Object.keys(given).length > 0) words.push(jsonExcerpt(given, 120))
  }
  return words.join(' ')
}

function timingOf(before: readonly Turn[], after: readonly Turn[]): TimingDiff | undefined {
  const [mine, theirs] = [durations(before), durations(after)]
  const count = Math.min(mine.length, theirs.length)
  if (count === 0) return undefined
  const [beforeMs, afterMs] = [median(mine), median(theirs)]
  return {
    request: requestTitle(before[0]!.message),
    count,
    beforeMs: rounded(beforeMs),
    afterMs: rounded(afterMs),
    ratio: rounded(afterMs / Math.max(beforeMs, 0.001)),
  }
}

const durations = (turns: readonly Turn[]): number[] =>
  turns.flatMap((turn) => {
    const answer = turn.steps.find(({ kind }) => kind === 'answer')
    return answer === undefined ? [] : [answer.at - turn.at]
  })

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
