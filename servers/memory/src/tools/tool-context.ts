import type { ToolContext } from '@tenon/sdk/server'
import { ToolResult } from '@tenon/sdk/server'
import type { Origin } from '../graph.ts'
import type { Namespaces } from '../namespaces.ts'
import type { Author } from '../store/change.ts'

/** The parts of the server that tools work on. */
export interface Memory {
  readonly namespaces: Namespaces
  maxResultBytes(): number
}

/** The client as it calls itself, behind the principal if it is authenticated. */
export function authorOf({ caller }: ToolContext): Author {
  const client = caller.client && `${caller.client.name} ${caller.client.version}`.slice(0, 200)
  const by = [caller.auth?.principal, client].filter((part) => part !== undefined).join(', ')
  return by === '' ? {} : { by }
}

export const originFrom = (at: string, author: Author, source: string | undefined): Origin => ({
  at,
  ...author,
  ...(source !== undefined && { source }),
})

/** Structured content, and the same as indented JSON, as the original writes it. */
export const answer = (structured: object, text: unknown = structured): ToolResult =>
  new ToolResult({ content: JSON.stringify(text, null, 2), structured })
