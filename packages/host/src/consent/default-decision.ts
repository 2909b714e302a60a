import { toolFacts } from '@tenon/sdk/client'
import type { ConsentItem, Decision } from './types.ts'

const readOnly: Decision = { verdict: 'allow', rule: 'read-only, of a trusted server' }
const listed: Decision = { verdict: 'allow', rule: 'a resource that its server named' }
const prompt: Decision = { verdict: 'allow', rule: 'a prompt, which its user chose' }
const rest: Decision = { verdict: 'ask', rule: 'no rule' }

/** The decision where no rule matches: everything that may change or send something is asked for. */
export function defaultDecision({ kind, tool, trusted, known }: ConsentItem): Decision {
  if (kind === 'prompt') return prompt
  if (kind === 'resource') return known ? listed : rest
  return trusted && tool !== undefined && toolFacts(tool).readOnly ? readOnly : rest
}
