import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitationSchema,
  ElicitValue,
  JsonObject,
  Tool,
} from '@tenon/sdk/client'

interface SharedQuestion {
  id: string
  server: string
  at: number
  /** The id of the task that asks, if it is one. */
  task?: string
  /** The call that led to it, if the server says so. */
  call?: string
}

/** The server asks the user to fill in a form. */
export interface FormQuestion extends SharedQuestion {
  kind: 'form'
  message: string
  schema: ElicitationSchema
}

/** The server asks the user to visit a page. */
export interface UrlQuestion extends SharedQuestion {
  kind: 'url'
  message: string
  url: string
}

/** The server asks the model to write something. */
export interface SamplingQuestion extends SharedQuestion {
  kind: 'sampling'
  params: CreateMessageParams
}

/** Authorization needs the user to agree on a page of the authorization server. */
export interface AuthorizationQuestion extends SharedQuestion {
  kind: 'authorization'
  url: string
}

/** A model of the Playground wants to call a tool of the server. */
export interface ConsentQuestion extends SharedQuestion {
  kind: 'consent'
  /** The `ToolUse` that waits for it. */
  use: string
  tool: Tool
  arguments: JsonObject
  /** Reasons to look twice at the tool. */
  warnings: string[]
}

/** Something that waits for the answer of a person. */
export type Question = FormQuestion | UrlQuestion | SamplingQuestion | AuthorizationQuestion | ConsentQuestion

/** The decision of the person. */
export type Answer =
  | {
      action: 'accept'
      content?: { [field: string]: ElicitValue }
      message?: CreateMessageResult
      /** Of a call, instead of those that the model wrote. */
      arguments?: JsonObject
      /** Whether the tool is not asked about again in this conversation. */
      always?: boolean
    }
  | { action: 'decline' }
  | { action: 'cancel' }
