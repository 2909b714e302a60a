import type { Revision } from '@tenon/sdk/client'
import { revisions } from '@tenon/sdk/client'
import { describeValue } from '../../json/describe-value.ts'
import { isObject } from '../../json/is-object.ts'
import { type PathStep, parsePath } from '../../json/path.ts'
import type { Answer, Expectation, SavedCall } from '../types.ts'
import { loadExpectation } from './expectation.ts'
import { loadMatcher } from './matcher.ts'
import { loadOperation, operationKinds } from './operation.ts'
import type { ValueChecks } from './value-checks.ts'

const members = [
  ...operationKinds,
  'name',
  'server',
  'arguments',
  'revisions',
  'skip',
  'answers',
  'expect',
  'expectIn',
  'capture',
  'timeoutMs',
] as const

type Path = readonly PathStep[]

/** Reads one call. `servers` are the names that it may use; the first is meant if it names none. */
export function loadCall(
  value: unknown,
  index: number,
  servers: readonly string[],
  checks: ValueChecks,
): SavedCall | undefined {
  const path = ['calls', index]
  const call = checks.object(value, path, members)
  if (call === undefined) return undefined
  const here = (name: string): PathStep[] => [...path, name]
  const found = loadOperation(call, path, checks)
  const server = call.server === undefined ? servers[0] : checks.oneOf(call.server, here('server'), servers)
  const name = call.name === undefined ? found?.title : checks.text(call.name, here('name'))
  const only = call.revisions === undefined ? undefined : loadRevisions(call.revisions, here('revisions'), checks)
  const skip = skipOf(call.skip, here('skip'), checks)
  const timeoutMs = call.timeoutMs === undefined ? undefined : checks.number(call.timeoutMs, here('timeoutMs'))
  const rest = {
    answers: loadAnswers(call.answers ?? [], here('answers'), checks),
    expect: loadExpectation(call.expect ?? {}, here('expect'), checks),
    expectIn: loadExpectIn(call.expectIn ?? {}, here('expectIn'), checks),
    capture: loadCapture(call.capture ?? {}, here('capture'), checks),
    ...(only && { revisions: only }),
    ...(skip !== undefined && { skip }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  if (found === undefined) return undefined
  return { name: name ?? found.title, index, server: server ?? '', operation: found.operation, ...rest }
}

export function loadRevisions(value: unknown, path: Path, checks: ValueChecks): Revision[] {
  const given = checks.list(value, path) ?? []
  if (given.length === 0) checks.problems.add(path, `expected some of ${revisions.join(', ')}`)
  return given.flatMap((one, index) => checks.oneOf(one, [...path, index], revisions) ?? [])
}

function skipOf(value: unknown, path: Path, checks: ValueChecks): string | undefined {
  if (value === undefined || value === false) return undefined
  return value === true ? 'skip is set' : checks.text(value, path)
}

function loadExpectIn(value: unknown, path: Path, checks: ValueChecks): Map<Revision, Expectation> {
  const given = checks.object(value, path, revisions) ?? {}
  return new Map(
    Object.entries(given).map(([revision, expected]) => [
      revision as Revision,
      loadExpectation(expected, [...path, revision], checks),
    ]),
  )
}

function loadCapture(value: unknown, path: Path, checks: ValueChecks): Map<string, PathStep[]> {
  const given = checks.texts(value, path) ?? {}
  const captures = new Map<string, PathStep[]>()
  for (const [name, text] of Object.entries(given)) {
    const steps = parsePath(text)
    if (!/^[A-Za-z_][\w-]*$/.test(name) || name === 'env') {
      checks.problems.add([...path, name], 'expected a name of letters, digits, _ and -, other than env')
    } else if (steps === undefined || steps.length === 0) {
      checks.problems.add([...path, name], `expected a path such as structured.id, got ${describeValue(text)}`)
    } else captures.set(name, steps)
  }
  return captures
}

function loadAnswers(value: unknown, path: Path, checks: ValueChecks): Answer[] {
  const given = checks.list(value, path) ?? []
  return given.flatMap((one, index) => loadAnswer(one, [...path, index], checks) ?? [])
}

function loadAnswer(value: unknown, path: Path, checks: ValueChecks): Answer | undefined {
  const given = checks.object(value, path, ['elicit', 'sample', 'message'])
  if (given === undefined) return undefined
  const { elicit, sample } = given
  const message =
    given.message === undefined ? {} : { message: loadMatcher(given.message, [...path, 'message'], checks) }
  if ((elicit === undefined) === (sample === undefined)) {
    return checks.problems.add(path, 'expected either elicit or sample')
  }
  if (sample !== undefined) return loadSample(sample, [...path, 'sample'], message, checks)
  if (elicit === 'decline' || elicit === 'cancel') return { kind: 'elicit', action: elicit, ...message }
  const accepted = isObject(elicit) ? checks.object(elicit, [...path, 'elicit'], ['accept']) : undefined
  const content = accepted && checks.object(accepted.accept ?? {}, [...path, 'elicit', 'accept'])
  if (content !== undefined) return { kind: 'elicit', action: 'accept', content, ...message }
  if (accepted !== undefined) return undefined
  return checks.problems.add(
    [...path, 'elicit'],
    `expected { accept: … }, decline or cancel, got ${describeValue(elicit)}`,
  )
}

function loadSample(value: unknown, path: Path, message: object, checks: ValueChecks): Answer | undefined {
  const text = typeof value === 'string' ? { content: { type: 'text', text: value } } : checks.object(value, path)
  if (text === undefined) return undefined
  return { kind: 'sample', result: { role: 'assistant', model: 'saved answer', ...text }, ...message }
}
