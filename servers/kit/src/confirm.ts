import { randomUUID } from 'node:crypto'
import { visible } from '@tenon/sdk/display'
import type { Middleware, RequestContext, ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'

/** Long values are cut in the question, each for itself: one of them must not hide the others. */
const maxShownValue = 300
const maxShownArguments = 20

/**
 * Asks the user before a destructive tool runs. A tool counts as destructive unless it says otherwise, as in the
 * specification. A client that cannot ask its user gets an error that says so: nothing runs unconfirmed. Tools of mounted
 * servers are not known here: mount only servers that ask themselves.
 */
export function confirmDestructive(
  isOn: () => boolean,
  findTool: (name: string) => ServerTool | undefined,
): Middleware {
  return {
    'tools/call': async ({ params, ctx }, next) => {
      const tool = isOn() ? findTool(params.name) : undefined
      if (tool === undefined || !isDestructive(tool)) return next()
      if (ctx.caller.capabilities.elicitation === undefined) return refusal(cannotAsk)
      const question = `Allow ${tool.listed.title ?? tool.name}?\n\n${shownArguments(tool, params.arguments)}`
      const { action } = await ctx.elicit(question, z.object({}), { key: await newQuestionKey(ctx) })
      return action === 'accept' ? next() : refusal('The user did not allow it. Nothing was changed.')
    },
  }
}

/**
 * A key that nobody can answer to before the question was asked: it comes back only with the sealed state of the request,
 * which is bound to the arguments that the user saw.
 */
export const newQuestionKey = (ctx: Pick<RequestContext, 'once'>): Promise<string> =>
  ctx.once('confirm', () => `confirm-${randomUUID()}`)

const cannotAsk =
  'This server was started with --confirm: it asks the user before it deletes or overwrites something, and this client ' +
  'has no way to ask (elicitation). Nothing was changed.'

const isDestructive = ({ listed: { annotations } }: ServerTool): boolean =>
  annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false

const refusal = (message: string): { content: { type: 'text'; text: string }[]; isError: true } => ({
  content: [{ type: 'text', text: message }],
  isError: true,
})

/** The arguments, one per line: those that the tool declares first. */
function shownArguments({ listed }: ServerTool, given: { [name: string]: unknown } = {}): string {
  const declared = Object.keys(listed.inputSchema.properties ?? {}).filter((name) => Object.hasOwn(given, name))
  const names = [...new Set([...declared, ...Object.keys(given)])]
  const lines = names
    .slice(0, maxShownArguments)
    .map((name) => `${cut(nameOf(name))}: ${cut(JSON.stringify(given[name]))}`)
  const left = names.length - lines.length
  return visible([...lines, ...(left > 0 ? [`… and ${left} more`] : [])].join('\n'))
}

/** A name with a line break would look like another argument. */
const nameOf = (name: string): string => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name))

const cut = (text: string): string =>
  text.length <= maxShownValue
    ? text
    : `${text.slice(0, maxShownValue)}… (${text.length - maxShownValue} more characters)`
