import type { CreateMessageResult } from '@tenon/sdk/client'

/** The model that drafts answers for servers, as the page knows it: its key stays in the backend. */
export interface ModelView {
  /** Of an interface like OpenAI's, such as `http://localhost:11434/v1`. */
  baseUrl: string
  model: string
  hasKey: boolean
}

export interface ModelCommands {
  'model.get': { params: Record<string, never>; result: { model?: ModelView } }
  /** Without a key the one that is known stays, unless the address leads elsewhere. */
  'model.set': { params: { baseUrl: string; model: string; key?: string }; result: { model: ModelView } }
  /** The answer of the model to a question of a server. Nothing is sent to the server. */
  'model.draft': { params: { question: string }; result: { message: CreateMessageResult } }
}
