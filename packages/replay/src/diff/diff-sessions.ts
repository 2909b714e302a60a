import type { JsonObject } from '@tenon/sdk/client'
import { jsonExcerpt } from '../json/describe-value.ts'
import { differences } from '../json/differences.ts'
import { isObject } from '../json/is-object.ts'
import { type Turn, turnsOf } from '../serve/turns.ts'
import { aboutSession } from '../session/agreement.ts'
import type { Session } from '../session/format.ts'
import { inventoryOf, resultOf } from './inventory.ts'
import { itemDiffs } from './item-changes.ts'
import { requestChanges } from './request-changes.ts'
import type { Change, SessionDiff } from './types.ts'

/**
 * Compares two sessions: the features of the servers, their results for the same requests, and the durations. A
 * redacted value of the first equals any value of the second.
 */
export function diffSessions(before: Session, after: Session): SessionDiff {
  const [mine, theirs] = [turnsOf(before), turnsOf(after)]
  const server = serverChanges(before, after, mine, theirs)
  const items = itemDiffs(inventoryOf(mine), inventoryOf(theirs))
  const { requests, unchanged, timing } = requestChanges(mine, theirs)
  const all = [...server, ...items.flatMap(({ changes }) => changes)]
  const removed = items.filter(({ status }) => status === 'removed').length
  return {
    same: server.length === 0 && items.length === 0 && requests.length === 0,
    breaking: all.filter(({ severity }) => severity === 'breaking').length + removed,
    server,
    items,
    requests,
    unchanged,
    timing,
  }
}

function serverChanges(before: Session, after: Session, mine: readonly Turn[], theirs: readonly Turn[]): Change[] {
  const [had, has] = [aboutSession(before), aboutSession(after)]
  const [old, now] = [introductionOf(mine), introductionOf(theirs)]
  const facts = (about: typeof had, said: JsonObject): JsonObject => ({
    name: about?.server?.name,
    version: about?.server?.version,
    revision: about?.revision,
    capabilities: said.capabilities,
    instructions: said.instructions,
  })
  return differences(facts(had, old), facts(has, now)).map(({ path, before: was, after: is }) => ({
    severity: path.startsWith('capabilities') && is === undefined ? 'breaking' : 'compatible',
    path,
    what: `was ${jsonExcerpt(was, 60)}, is ${jsonExcerpt(is, 60)}`,
  }))
}

function introductionOf(turns: readonly Turn[]): JsonObject {
  for (const turn of turns) {
    const { method } = turn.message
    const result = method === 'initialize' || method === 'server/discover' ? resultOf(turn) : undefined
    if (isObject(result)) return result
  }
  return {}
}
