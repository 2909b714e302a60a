import type { JsonObject } from '@tenon/sdk/client'
import { stringify } from 'yaml'
import { serverEntry } from '../files/server-entry.ts'
import { RequestProblem } from '../problem.ts'
import type { PlaygroundCase, PlaygroundTurn, ToolUse } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import { offline } from './model-name.ts'

/** A case for `tenon eval`: the message, and the calls that the model made of it. */
export function evalCase(
  { text: prompt, answers }: PlaygroundTurn,
  index: number,
  servers: readonly ManagedServer[],
): PlaygroundCase {
  const answer = answers[index]
  if (answer?.end === undefined) throw new RequestProblem('This answer has not ended yet')
  const uses = answer.parts.filter((part): part is ToolUse => part.kind === 'call' && part.server !== undefined)
  const used = servers.filter(({ id }) => uses.some(({ server }) => server === id))
  const nameOf = (id: string): string | undefined => used.find((server) => server.id === id)?.spec.name
  const calls = uses.map(({ server, tool, arguments: args, outcome }) => ({
    tool: `${nameOf(server!) ?? '*'}.${tool}`,
    arguments: args,
    ...(outcome !== undefined && { outcome }),
  }))
  const one = {
    prompt,
    expect: {
      ...(calls.length > 0 && { calls }),
      ...(answer.end.steps !== undefined && { maxSteps: answer.end.steps }),
    },
  }
  // In an evaluation nobody is asked: the calls that the person allowed here are allowed there.
  const made = calls.filter(({ outcome }) => outcome === 'ok' || outcome === 'error')
  const allow = [...new Set(made.map(({ tool }) => tool))]
  const file = {
    tenonEvals: 1,
    servers: Object.fromEntries(used.map(({ spec }): [string, JsonObject] => [spec.name, serverEntry(spec)])),
    ...(answer.model !== offline && { models: [answer.model] }),
    ...(allow.length > 0 && { consent: { allow } }),
    cases: [one],
  }
  const text = stringify(file, { aliasDuplicateObjects: false, lineWidth: 0 })
  return {
    name: `${fileName(prompt)}.yaml`,
    text,
    case: one as unknown as JsonObject,
    servers: used.map(({ id }) => id),
    allow,
  }
}

const fileName = (prompt: string): string =>
  prompt
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '') || 'case'
