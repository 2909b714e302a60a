import { ExpressionError } from '@tenon/host/parts'
import { type ApprovalSettings, defaultApprovals } from '../approvals/types.ts'
import type { SecretsGuardOptions } from '../guards/secrets-guard.ts'
import type { SizeGuardOptions } from '../guards/size-guard.ts'
import type { TextGuardOptions } from '../guards/text-guard.ts'
import type { CounterScope, LimitRule } from '../limits/limits.ts'
import { compileCondition } from '../policy/condition.ts'
import type { Effect, ItemMatch, Rule } from '../policy/types.ts'
import { policySchema } from './policy-schema.ts'
import { SettingsError, type SettingsPath, type SettingsProblem, schemaProblems } from './problems.ts'
import { asList, byteCount, milliseconds } from './values.ts'

/** The section `policy` of the configuration, checked. */
export interface PolicySettings {
  readonly default: Effect
  readonly rules: readonly Rule[]
  readonly approvals: ApprovalSettings
  readonly limits: readonly LimitRule[]
  readonly pins?: { readonly firstUse: 'approve' | 'block'; readonly file?: string; readonly postgres?: string }
  readonly guards: {
    readonly secrets?: SecretsGuardOptions
    readonly size?: SizeGuardOptions
    readonly texts?: TextGuardOptions
  }
}

type OneOrMore<T> = T | readonly T[]

/** The section as its schema allows it. */
interface WrittenPolicy {
  default?: Effect
  rules?: { name?: string; effect: Effect; match?: WrittenMatch; when?: string }[]
  approvals?: {
    by?: OneOrMore<'client' | 'queue'>
    expiresAfter?: string
    wait?: string
    allowOwn?: boolean
    maxPerCaller?: number
  }
  limits?: {
    name?: string
    match?: WrittenMatch
    per?: OneOrMore<CounterScope>
    every: string
    requests?: number
    tokens?: number
  }[]
  pins?: { firstUse?: 'approve' | 'block'; file?: string; postgres?: string }
  guards?: {
    secrets?: SecretsGuardOptions
    size?: { maxArgs?: number | string; maxResult?: number | string; mediaTypes?: OneOrMore<string> }
    texts?: TextGuardOptions
  }
}

type WrittenMatch = { [Member in keyof ItemMatch]: OneOrMore<NonNullable<ItemMatch[Member]>[number]> }

/** Checks the section `policy`; throws a `SettingsError` with the path of everything that is wrong. */
export function parsePolicy(value: unknown, path: SettingsPath = ['policy']): PolicySettings {
  const problems = schemaProblems(value, policySchema, path)
  if (problems.length > 0) throw new SettingsError(problems)
  const written = value as WrittenPolicy
  problems.push(...ruleProblems(written, path), ...limitProblems(written, path), ...pinProblems(written, path))
  if (problems.length > 0) throw new SettingsError(problems)
  const { default: byDefault = 'deny', rules = [], limits = [], pins, guards = {} } = written
  const { size, ...otherGuards } = guards
  return {
    default: byDefault,
    rules: rules.map(({ name, effect, match, when }, at) => ({
      name: name ?? `rules[${at}]`,
      effect,
      match: toMatch(match),
      ...(when !== undefined && { when }),
    })),
    approvals: toApprovals(written.approvals),
    limits: limits.map(({ name, match, per = 'caller', every, ...max }, at) => ({
      name: name ?? `limits[${at}]`,
      match: toMatch(match),
      per: asList(per),
      everyMs: milliseconds(every),
      ...max,
    })),
    ...(pins !== undefined && { pins: { firstUse: 'approve', ...pins } }),
    guards: { ...otherGuards, ...(size !== undefined && { size: toSize(size) }) },
  }
}

function ruleProblems({ rules = [] }: WrittenPolicy, path: SettingsPath): SettingsProblem[] {
  return rules.flatMap(({ when }, at) => {
    if (when === undefined) return []
    try {
      compileCondition(when)
      return []
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const { line, column, message } = error
      return [{ path: [...path, 'rules', at, 'when'], message: `line ${line}, column ${column}: ${message}` }]
    }
  })
}

function limitProblems({ limits = [] }: WrittenPolicy, path: SettingsPath): SettingsProblem[] {
  const names = limits.map(({ name }, at) => name ?? `limits[${at}]`)
  return limits.flatMap(({ requests, tokens }, at) => {
    const place = [...path, 'limits', at]
    if (requests === undefined && tokens === undefined) return [{ path: place, message: 'expected requests or tokens' }]
    // Counters are kept by name.
    const isTaken = names.indexOf(names[at]!) < at
    return isTaken ? [{ path: [...place, 'name'], message: 'another limit has this name' }] : []
  })
}

function pinProblems({ pins }: WrittenPolicy, path: SettingsPath): SettingsProblem[] {
  if (pins === undefined || (pins.file === undefined) !== (pins.postgres === undefined)) return []
  return [{ path: [...path, 'pins'], message: 'expected either file or postgres' }]
}

const toMatch = (match: WrittenMatch = {}): ItemMatch =>
  Object.fromEntries(Object.entries(match).map(([member, patterns]) => [member, asList<unknown>(patterns)]))

function toApprovals({
  by,
  expiresAfter,
  wait,
  ...others
}: NonNullable<WrittenPolicy['approvals']> = {}): ApprovalSettings {
  return {
    ...defaultApprovals,
    ...others,
    ...(by !== undefined && { by: asList(by) }),
    ...(expiresAfter !== undefined && { expiresAfterMs: milliseconds(expiresAfter) }),
    ...(wait !== undefined && { waitMs: milliseconds(wait) }),
  }
}

const toSize = ({ maxArgs, maxResult, mediaTypes }: NonNullable<NonNullable<WrittenPolicy['guards']>['size']>) => ({
  ...(maxArgs !== undefined && { maxArgsBytes: byteCount(maxArgs) }),
  ...(maxResult !== undefined && { maxResultBytes: byteCount(maxResult) }),
  ...(mediaTypes !== undefined && { mediaTypes: asList(mediaTypes) }),
})
