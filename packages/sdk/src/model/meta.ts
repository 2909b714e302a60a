/** Free-form metadata that any party may attach; keys follow the naming rules of the specification. */
export type Meta = { [key: string]: unknown }

/** The `_meta` keys with protocol meaning. */
export const metaKeys = {
  progressToken: 'progressToken',
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  /** 2025-11-25 only: the task that a message belongs to. */
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const

export type Role = 'user' | 'assistant'

export interface Annotations {
  audience?: Role[]
  /** From 0 (optional) to 1 (effectively required). */
  priority?: number
  /** ISO 8601; from 2025-06-18. */
  lastModified?: string
}

export interface Icon {
  src: string
  mimeType?: string
  sizes?: string[]
  theme?: 'light' | 'dark'
}

/** The name and version of a client or server. */
export interface Implementation {
  name: string
  version: string
  title?: string
  description?: string
  websiteUrl?: string
  icons?: Icon[]
}
