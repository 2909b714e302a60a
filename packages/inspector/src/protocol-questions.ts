import type { CreateMessageParams, CreateMessageResult, ElicitationSchema, ElicitValue } from '@tenon/sdk/client'

interface SharedQuestion {
  id: string
  server: string
  at: number
  /** The id of the task that asks, if it is one. */
  task?: string
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

/** Something that a server waits for, and that a person answers. */
export type Question = FormQuestion | UrlQuestion | SamplingQuestion | AuthorizationQuestion

/** The decision of the person. */
export type Answer =
  | { action: 'accept'; content?: { [field: string]: ElicitValue }; message?: CreateMessageResult }
  | { action: 'decline' }
  | { action: 'cancel' }
