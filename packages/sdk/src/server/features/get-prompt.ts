import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { GetPromptResult, PromptMessage } from '../../model/prompts.ts'
import { formatIssues } from '../../schema/bridge.ts'
import { refuseScopes } from '../access/scopes.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import { Interrupted } from '../questions/round.ts'
import { text } from './content.ts'
import type { ServerPrompt } from './prompt.ts'

/** Fills in a prompt, here or in a mounted server. */
export function answerPromptsGet(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  return definition.layers.run(
    'prompts/get',
    params,
    () => call.contextOf(definition),
    async (current) => {
      const found = await findPrompt(call, definition, current.name as string)
      if (found === undefined) {
        const result = await call.parts?.pass(call, current)
        if (result === undefined) throw unknownPrompt(current.name as string)
        return result
      }
      if (found.definition !== definition) {
        return answerPromptsGet(call, found.step.definition, { ...current, name: found.step.name })
      }
      return run(call, definition, found.prompt, current.arguments ?? {})
    },
  )
}

interface FoundPrompt {
  prompt: ServerPrompt<never>
  definition: Offers
  /** The next server on the way to the prompt, and the prompt's name there. */
  step: { definition: Offers; name: string }
}

/** A prompt that the caller sees, and the way to it. */
export async function findPrompt(
  { caller }: Pick<Call, 'caller'>,
  definition: Offers,
  name: string,
): Promise<FoundPrompt | undefined> {
  const prompt = definition.prompts.get(name)
  if (prompt !== undefined) {
    if (prompt.scopes !== undefined) await refuseScopes(caller, definition, prompt.scopes)
    const sees = await definition.sees(caller, prompt.visible)
    return sees ? { prompt, definition, step: { definition, name } } : undefined
  }
  for (const mount of definition.mounts) {
    if (!name.startsWith(mount.prefix)) continue
    const inner = name.slice(mount.prefix.length)
    const found = await findPrompt({ caller }, mount.definition, inner)
    if (found !== undefined) return { ...found, step: { definition: mount.definition, name: inner } }
  }
  return undefined
}

export const unknownPrompt = (name: string): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Unknown prompt: ${JSON.stringify(name)}`)

async function run(call: Call, definition: Offers, prompt: ServerPrompt<never>, given: unknown): Promise<JsonObject> {
  let args: unknown = {}
  if (prompt.arguments !== undefined) {
    const parsed = await prompt.arguments.parse(given)
    if (!parsed.ok) {
      const problem = formatIssues(parsed.issues, 'arguments')
      throw new RpcError(ErrorCode.InvalidParams, `Invalid arguments for prompt ${prompt.name}: ${problem}`)
    }
    args = parsed.value
  }
  const context = await call.contextOf(definition)
  const returned = await call.run(() => prompt.run(args, context))
  if (returned instanceof Interrupted) return returned.result
  return toPromptResult(returned, prompt) as unknown as JsonObject
}

function toPromptResult(returned: unknown, { name, listed }: ServerPrompt<never>): GetPromptResult {
  const description = listed.description === undefined ? {} : { description: listed.description }
  if (typeof returned === 'string') return { ...description, messages: [{ role: 'user', content: text(returned) }] }
  if (Array.isArray(returned)) return { ...description, messages: returned as PromptMessage[] }
  if (isObject(returned) && Array.isArray(returned.messages)) {
    return { ...description, ...(returned as unknown as GetPromptResult) }
  }
  throw new McpError(
    'invalid_result',
    `Prompt ${name}: expected a string, messages, or an object with messages, got ${describe(returned)}`,
  )
}
