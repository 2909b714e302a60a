import type { JsonObject } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'
import { compileSchema, formatIssues } from '@tenon/sdk/schema'
import { isJsonObject } from '../guards/json.ts'

export type SettingsPath = readonly (string | number)[]

/** A fault of a section of the configuration. */
export interface SettingsProblem {
  /** The members that lead to it. */
  readonly path: SettingsPath
  readonly message: string
}

/** A section of the configuration that cannot be used, with everything that is wrong. */
export class SettingsError extends Error {
  readonly problems: readonly SettingsProblem[]

  constructor(problems: readonly SettingsProblem[]) {
    const lines = problems.map(({ path: [root, ...path], message }) => formatIssues([{ path, message }], String(root)))
    super(lines.join('\n'))
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** The faults that a schema finds, with suggestions for members that it does not know. */
export function schemaProblems(value: unknown, schema: JsonObject, path: SettingsPath): SettingsProblem[] {
  return compileSchema(schema)
    .validate(value)
    .map((issue) => ({
      path: [...path, ...issue.path],
      message: `${issue.message}${suggestion(value, schema, issue.path, issue.keyword)}`,
    }))
}

function suggestion(value: unknown, schema: JsonObject, path: SettingsPath, keyword: string): string {
  if (keyword !== 'additionalProperties') return ''
  const name = path.at(-1)
  if (typeof name !== 'string') return ''
  const known = propertiesAt(schema, path.slice(0, -1))
  const present = ownerAt(value, path.slice(0, -1))
  const near = nearest(
    name,
    known.filter((other) => !present.includes(other)),
  )
  return near.length > 0 ? `. Did you mean ${near.join(' or ')}?` : `. There are ${known.join(', ')}.`
}

function propertiesAt(schema: JsonObject, path: SettingsPath): string[] {
  let at: unknown = schema
  for (const step of path) {
    if (!isJsonObject(at)) return []
    at = typeof step === 'number' ? at.items : isJsonObject(at.properties) ? at.properties[step] : undefined
  }
  return isJsonObject(at) && isJsonObject(at.properties) ? Object.keys(at.properties) : []
}

function ownerAt(value: unknown, path: SettingsPath): string[] {
  let at = value
  for (const step of path) at = (at as { [step: string | number]: unknown } | undefined)?.[step]
  return isJsonObject(at) ? Object.keys(at) : []
}
