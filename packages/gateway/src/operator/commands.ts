import { type JsonObject, McpError } from '@tenon/sdk/client'
import { compileSchema } from '@tenon/sdk/schema'
import type { AuditQuery } from '../audit/search-audit.ts'
import type { PinnedKind } from '../pins/pin-store.ts'
import type { CallerChoice, ExplainQuestion, Operator } from './operator.ts'

/** One question of the API, and the parameters that it takes. */
interface Command {
  readonly check: (params: unknown) => void
  run(operator: Operator, params: JsonObject): unknown
}

const text = { type: 'string', maxLength: 10_000 }
const texts = { type: 'array', items: text, maxItems: 1_000 }
const caller = {
  type: 'object',
  properties: { id: text, groups: texts, scopes: texts, claims: { type: 'object' } },
  required: ['id'],
  additionalProperties: false,
}

/** The name of the person in the log: the API has one token, so it cannot tell people apart. */
const by = 'operator'

/** The questions and decisions of the API by their names. */
export const operatorCommands: ReadonlyMap<string, Command> = new Map([
  ['servers', command({}, [], (operator) => operator.servers)],
  ['upstreams', command({}, [], (operator) => operator.upstreams())],
  ['check', command({}, [], (operator) => operator.check())],
  ['callers', command({}, [], (operator) => operator.callers())],
  [
    'viewAs',
    command({ caller, server: text }, ['caller'], (operator, params) =>
      operator.viewAs(params.caller as CallerChoice, params.server as string | undefined),
    ),
  ],
  [
    'explain',
    command({ caller, name: text, server: text, args: { type: 'object' } }, ['caller', 'name'], (operator, params) =>
      operator.explain(params as unknown as ExplainQuestion),
    ),
  ],
  ['approvals', command({}, [], (operator) => operator.approvals())],
  [
    'decide',
    command({ id: text, verdict: { enum: ['approve', 'deny'] } }, ['id', 'verdict'], (operator, params) =>
      operator.decide(params.id as string, params.verdict as 'approve' | 'deny', by),
    ),
  ],
  ['pins', command({}, [], (operator) => operator.pins())],
  [
    'approvePin',
    command(
      { upstream: text, kind: { enum: ['tool', 'prompt', 'template'] }, name: text, hash: text },
      ['upstream', 'kind', 'name', 'hash'],
      async (operator, params) => {
        const { upstream, name, hash } = params as { upstream: string; name: string; hash: string }
        await operator.approvePin({ upstream, kind: params.kind as PinnedKind, name, hash }, by)
        return null
      },
    ),
  ],
  [
    'audit',
    command(
      {
        text,
        facts: { type: 'object', additionalProperties: text },
        from: text,
        to: text,
        limit: { type: 'integer', minimum: 1, maximum: 1_000 },
      },
      [],
      async (operator, params) => (await operator.audit(params as AuditQuery)) ?? null,
    ),
  ],
])

function command(properties: JsonObject, required: readonly string[], run: Command['run']): Command {
  const schema = compileSchema({ type: 'object', properties, required: [...required], additionalProperties: false })
  const check = (params: unknown): void => {
    const [issue] = schema.validate(params)
    if (issue === undefined) return
    const place = issue.path.length === 0 ? 'parameters' : issue.path.join('.')
    throw new McpError('invalid_argument', `${place}: ${issue.message}`)
  }
  return { check, run }
}
