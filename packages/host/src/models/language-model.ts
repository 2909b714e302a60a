/**
 * The part of the AI SDK's provider interface, version 3, that a conversation uses. The types are written out so that
 * this package needs none of theirs; a test says that models fit from both sides.
 */

/** Values that a provider wants back unchanged, such as the signature of a thought. */
export type ProviderData = { [provider: string]: { [name: string]: JsonData } }

/** A JSON value. */
type JsonData = null | string | number | boolean | JsonData[] | { [name: string]: JsonData | undefined }

export interface ModelTextPart {
  type: 'text'
  text: string
  providerOptions?: ProviderData
}

interface ModelReasoningPart {
  type: 'reasoning'
  text: string
  providerOptions?: ProviderData
}

export interface ModelFilePart {
  type: 'file'
  /** Base64. */
  data: string
  mediaType: string
  filename?: string
  providerOptions?: ProviderData
}

interface ModelCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerOptions?: ProviderData
}

export type ModelOutputPart =
  | { type: 'text'; text: string }
  | { type: 'image-data'; data: string; mediaType: string }
  | { type: 'file-data'; data: string; mediaType: string }

export type ModelToolOutput =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'content'; value: ModelOutputPart[] }

export interface ModelResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ModelToolOutput
}

export type ModelMessage = (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (ModelTextPart | ModelFilePart)[] }
  | { role: 'assistant'; content: (ModelTextPart | ModelReasoningPart | ModelFilePart | ModelCallPart)[] }
  | { role: 'tool'; content: ModelResultPart[] }
) & { providerOptions?: ProviderData }

export interface ModelTool {
  type: 'function'
  name: string
  description?: string
  inputSchema: { [keyword: string]: unknown }
}

export interface ModelCallOptions {
  prompt: ModelMessage[]
  tools?: ModelTool[]
  toolChoice?: { type: 'auto' } | { type: 'none' } | { type: 'required' } | { type: 'tool'; toolName: string }
  maxOutputTokens?: number
  temperature?: number
  stopSequences?: string[]
  abortSignal?: AbortSignal
  providerOptions?: ProviderData
}

export interface ModelUsage {
  inputTokens: {
    total: number | undefined
    noCache: number | undefined
    cacheRead: number | undefined
    cacheWrite: number | undefined
  }
  outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined }
}

export type UnifiedFinish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

export interface ModelFinish {
  unified: UnifiedFinish
  raw: string | undefined
}

interface Part {
  providerMetadata?: ProviderData
}

interface ModelToolCall extends Part {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  /** JSON, as the model wrote it. */
  input: string
  providerExecuted?: boolean
}

interface ModelFile extends Part {
  type: 'file'
  mediaType: string
  data: string | Uint8Array
}

export type ModelContent =
  | ({ type: 'text'; text: string } & Part)
  | ({ type: 'reasoning'; text: string } & Part)
  | ModelToolCall
  | ModelFile

/** The stream parts that matter to a conversation; others are skipped. */
export type ModelStreamPart =
  | { type: 'stream-start'; warnings: { type: 'other'; message: string }[] }
  | ({ type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string } & Part)
  | ({ type: 'text-delta' | 'reasoning-delta'; id: string; delta: string } & Part)
  | ({ type: 'tool-input-start'; id: string; toolName: string } & Part)
  | ({ type: 'tool-input-delta'; id: string; delta: string } & Part)
  | ({ type: 'tool-input-end'; id: string } & Part)
  | ModelToolCall
  | ModelFile
  | { type: 'response-metadata'; id?: string; modelId?: string }
  | { type: 'finish'; usage: ModelUsage; finishReason: ModelFinish }
  | { type: 'error'; error: unknown }

export interface ModelAnswer {
  content: ModelContent[]
  finishReason: ModelFinish
  usage: ModelUsage
  response?: { modelId?: string }
  warnings: { type: 'other'; message: string }[]
}

/** A model of version 3, such as the providers of AI SDK 6 make. */
export interface LanguageModel {
  readonly specificationVersion: 'v3'
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: { [mediaType: string]: RegExp[] } | PromiseLike<{ [mediaType: string]: RegExp[] }>
  doGenerate(options: ModelCallOptions): PromiseLike<ModelAnswer>
  doStream(options: ModelCallOptions): PromiseLike<{ stream: ReadableStream<ModelStreamPart> }>
}

/** A model object of the AI SDK: version 3 or 4. Other versions are refused by name when they are used. */
export interface AnyLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>
}
