import { loadMatcher, type PathStep, type ValueChecks } from '@tenon/replay/files'
import type { CallOutcome } from '../chat/events.ts'
import type { CallCheck, EvalChecks } from './types.ts'

const members = ['calls', 'never', 'text', 'maxSteps', 'maxTokens'] as const
const outcomes: readonly CallOutcome[] = ['ok', 'error', 'refused', 'cancelled', 'interrupted', 'limit']

/** Reads the checks of a case. */
export function loadChecks(value: unknown, path: readonly PathStep[], checks: ValueChecks): EvalChecks {
  const here = (name: string): PathStep[] => [...path, name]
  const given = checks.object(value, path, members) ?? {}
  const calls = given.calls === undefined ? [] : (checks.list(given.calls, here('calls')) ?? [])
  const loaded: EvalChecks = {
    calls: calls.flatMap((one, index) => loadCallCheck(one, [...here('calls'), index], checks) ?? []),
    never: given.never === undefined ? [] : (checks.textList(given.never, here('never')) ?? []),
  }
  if (given.text !== undefined) {
    // An answer of a model is never foreseen to the letter, so a text alone is a part of it.
    const matcher = typeof given.text === 'string' ? { contains: given.text } : given.text
    loaded.text = loadMatcher(matcher, here('text'), checks)
  }
  for (const name of ['maxSteps', 'maxTokens'] as const) {
    const most = given[name] === undefined ? undefined : checks.number(given[name], here(name))
    if (most !== undefined) loaded[name] = most
  }
  return loaded
}

function loadCallCheck(value: unknown, path: readonly PathStep[], checks: ValueChecks): CallCheck | undefined {
  if (typeof value === 'string' && value !== '') return { tool: value }
  const given = checks.object(value, path, ['tool', 'arguments', 'outcome'])
  const tool = given && checks.text(given.tool, [...path, 'tool'])
  if (given === undefined || tool === undefined) return undefined
  const args = given.arguments === undefined ? undefined : checks.object(given.arguments, [...path, 'arguments'])
  const outcome = given.outcome === undefined ? undefined : checks.oneOf(given.outcome, [...path, 'outcome'], outcomes)
  return { tool, ...(args && { arguments: args }), ...(outcome && { outcome }) }
}
