import { CallsFileError } from '@tenon/replay'
import { loadServers, type PathStep, ProblemList, parseLocated, ValueChecks } from '@tenon/replay/files'
import { type PolicyRules, policy } from '../consent/policy.ts'
import { messageOf } from '../host-error.ts'
import { loadChecks } from './load-checks.ts'
import type { EvalCase, EvalsFile } from './types.ts'

const members = [
  '$schema',
  'tenonEvals',
  'title',
  'servers',
  'models',
  'runs',
  'passRate',
  'system',
  'consent',
  'cases',
] as const
const caseMembers = ['name', 'prompt', 'system', 'runs', 'passRate', 'skip', 'expect'] as const

/** The most runs of a case: each one may cost money. */
const maxRuns = 1_000

/** A file of evaluations that cannot be used: every problem in it, with its place. */
export class EvalsFileError extends CallsFileError {
  override name = 'EvalsFileError'
}

/**
 * Reads prompts with checks from YAML or JSON. Throws an `EvalsFileError` with every problem and its place. `path` is for
 * the messages.
 */
export function loadEvals(text: string, path = 'cases.yaml'): EvalsFile {
  try {
    return readEvals(text, path)
  } catch (error) {
    throw error instanceof CallsFileError ? new EvalsFileError(error.file, error.problems) : error
  }
}

/** Reads a file of prompts with checks. */
export async function loadEvalsFile(path: string): Promise<EvalsFile> {
  const { readFile } = await import('node:fs/promises')
  return loadEvals(await readFile(path, 'utf8'), path)
}

function readEvals(text: string, path: string): EvalsFile {
  const { value, locate } = parseLocated(text, path)
  const problems = new ProblemList(locate)
  const checks = new ValueChecks(problems)
  const file = checks.object(value, [], members)
  if (file === undefined) throw new CallsFileError(path, problems.found)
  if (file.tenonEvals !== 1) problems.add(file.tenonEvals === undefined ? [] : ['tenonEvals'], 'expected tenonEvals: 1')
  const title = optional(file.title, ['title'], checks)
  const system = optional(file.system, ['system'], checks)
  const consent = loadConsent(file.consent, checks)
  const passRate = rateOf(file.passRate, ['passRate'], checks) ?? 1
  const cases = (checks.list(file.cases, ['cases']) ?? []).flatMap(
    (one, index) => loadCase(one, index, passRate, checks) ?? [],
  )
  checkNames(cases, problems)
  const evals = {
    path,
    servers: loadServers(file.servers, checks),
    models: file.models === undefined ? [] : (checks.textList(file.models, ['models']) ?? []),
    runs: countOf(file.runs, ['runs'], checks) ?? 1,
    cases,
    locate,
    ...(title !== undefined && { title }),
    ...(system !== undefined && { system }),
    ...(consent !== undefined && { consent }),
  }
  if (problems.found.length > 0) throw new CallsFileError(path, problems.found)
  return evals
}

function loadCase(value: unknown, index: number, passRate: number, checks: ValueChecks): EvalCase | undefined {
  const path = ['cases', index]
  const here = (name: string): PathStep[] => [...path, name]
  const given = checks.object(value, path, caseMembers)
  if (given === undefined) return undefined
  const prompt = checks.text(given.prompt, here('prompt')) ?? ''
  const system = optional(given.system, here('system'), checks)
  const runs = countOf(given.runs, here('runs'), checks)
  const skip = given.skip === true ? 'skip is set' : given.skip === false ? undefined : given.skip
  const reason = optional(skip, here('skip'), checks)
  return {
    name: optional(given.name, here('name'), checks) ?? prompt,
    index,
    prompt,
    passRate: rateOf(given.passRate, here('passRate'), checks) ?? passRate,
    expect: loadChecks(given.expect ?? {}, here('expect'), checks),
    ...(system !== undefined && { system }),
    ...(runs !== undefined && { runs }),
    ...(reason !== undefined && { skip: reason }),
  }
}

/** Names tell the cases of two runs apart from each other. */
function checkNames(cases: readonly EvalCase[], problems: ProblemList): void {
  const seen = new Set<string>()
  for (const { name, index } of cases) {
    if (seen.has(name)) problems.add(['cases', index], `another case has the name ${JSON.stringify(name)}, too`)
    seen.add(name)
  }
}

const optional = (value: unknown, path: readonly PathStep[], checks: ValueChecks): string | undefined =>
  value === undefined ? undefined : checks.text(value, path)

function countOf(value: unknown, path: readonly PathStep[], checks: ValueChecks): number | undefined {
  if (value === undefined) return undefined
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxRuns) return value as number
  return checks.problems.add(path, `expected a whole number from 1 to ${maxRuns}, got ${JSON.stringify(value)}`)
}

function rateOf(value: unknown, path: readonly PathStep[], checks: ValueChecks): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  return checks.problems.add(path, `expected a number from 0 to 1, got ${JSON.stringify(value)}`)
}

function loadConsent(value: unknown, checks: ValueChecks): PolicyRules | undefined {
  if (value === undefined) return undefined
  const { length } = checks.problems.found
  const given = checks.object(value, ['consent'], ['deny', 'ask', 'allow', 'otherwise'])
  if (given === undefined) return undefined
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rules = given[verdict] === undefined ? [] : (checks.list(given[verdict], ['consent', verdict]) ?? [])
    for (const [index, rule] of rules.entries()) {
      if (typeof rule !== 'string') checks.object(rule, ['consent', verdict, index])
    }
  }
  if (checks.problems.found.length > length) return undefined
  try {
    policy(given)
    return given
  } catch (error) {
    return checks.problems.add(['consent'], messageOf(error))
  }
}
