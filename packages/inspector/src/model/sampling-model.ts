import type { CreateMessageParams, CreateMessageResult, SamplingMessage } from '@tenon/sdk/client'
import { RequestProblem } from '../problem.ts'
import type { ModelView } from '../protocol.ts'
import { isObject } from '../read-params.ts'

/** A model, and its key. */
export interface ModelSettings {
  baseUrl: string
  model: string
  key?: string
}

const patienceMs = 120_000
const maxReplyBytes = 4 * 1024 * 1024

/** A model behind an interface like OpenAI's. It drafts answers, and a person sends them or not. */
export class SamplingModel {
  #settings: ModelSettings | undefined
  readonly #save: (settings: ModelSettings) => Promise<void>

  /** `save` keeps the settings for the next time. */
  constructor(settings?: ModelSettings, save: (settings: ModelSettings) => Promise<void> = async () => {}) {
    this.#settings = settings
    this.#save = save
  }

  get view(): ModelView | undefined {
    if (this.#settings === undefined) return undefined
    const { baseUrl, model, key } = this.#settings
    return { baseUrl, model, hasKey: key !== undefined }
  }

  async set(baseUrl: string, model: string, key: string | undefined): Promise<ModelView> {
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
      throw new RequestProblem('baseUrl: expected an http or https URL without credentials')
    }
    if (model === '') throw new RequestProblem('model: expected the name of a model')
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new RequestProblem('key: expected visible characters')
    const before = this.#settings
    // A key goes to where the person sent it, and not to wherever the address was changed to.
    const known = before !== undefined && new URL(before.baseUrl).origin === url.origin ? before.key : undefined
    const used = key ?? known
    await this.#keep({ baseUrl, model, ...(used !== undefined && { key: used }) })
    return this.view!
  }

  async forgetKey(): Promise<void> {
    if (this.#settings === undefined) return
    const { key: _, ...rest } = this.#settings
    await this.#keep(rest)
  }

  async #keep(settings: ModelSettings): Promise<void> {
    this.#settings = settings
    await this.#save(settings)
  }

  async draft(params: CreateMessageParams): Promise<CreateMessageResult> {
    if (this.#settings === undefined) throw new RequestProblem('No model is set up', 'Give its address and name first.')
    const { baseUrl, model, key } = this.#settings
    const reply = await post(
      `${baseUrl.replace(/\/+$/, '')}/chat/completions`,
      key,
      JSON.stringify(toRequest(model, params)),
    )
    return toMessage(reply, model)
  }
}

async function post(url: string, key: string | undefined, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  try {
    // A redirect could lead the key elsewhere.
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
    const text = await readText(response)
    if (!response.ok) throw new RequestProblem(`The model answered ${response.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof RequestProblem) throw error
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    throw new RequestProblem(`The model could not be asked: ${why}`, 'Is its address right?')
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxReplyBytes) throw new RequestProblem(`The model answered more than ${maxReplyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function toRequest(
  model: string,
  { messages, systemPrompt, maxTokens, temperature, stopSequences }: CreateMessageParams,
) {
  const system = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]
  return {
    model,
    messages: [...system, ...messages.map(({ role, content }) => ({ role, content: toParts(content) }))],
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && { stop: stopSequences }),
  }
}

const toParts = (content: SamplingMessage['content']): object[] =>
  [content].flat().map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    if (block.type === 'image') {
      return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }
    }
    throw new RequestProblem(`The model cannot be given ${block.type}`, 'Answer by hand.')
  })

function toMessage(reply: unknown, asked: string): CreateMessageResult {
  const choice: unknown = isObject(reply) && Array.isArray(reply.choices) ? reply.choices[0] : undefined
  const text = isObject(choice) && isObject(choice.message) ? choice.message.content : undefined
  if (!isObject(reply) || !isObject(choice) || typeof text !== 'string') {
    throw new RequestProblem('The model answered without a text: expected choices[0].message.content')
  }
  return {
    role: 'assistant',
    model: typeof reply.model === 'string' ? reply.model : asked,
    stopReason: choice.finish_reason === 'length' ? 'maxTokens' : 'endTurn',
    content: { type: 'text', text },
  }
}
