import { ChatError } from '../chat/chat-error.ts'
import type { AnyLanguageModel, LanguageModel, ModelMessage, ModelStreamPart } from './language-model.ts'

/** Version 4 wraps the data of files, and has one type for all media in results. The rest is the same. */
const wrapFile = (part: { type: string; data?: unknown; mediaType?: string }): unknown => {
  if (part.type === 'image-data' || part.type === 'file-data') {
    return { type: 'file', data: { type: 'data', data: part.data }, mediaType: part.mediaType }
  }
  return part.type === 'file' ? { ...part, data: { type: 'data', data: part.data } } : part
}

function toVersion4(message: ModelMessage): unknown {
  if (message.role === 'system') return message
  if (message.role !== 'tool') return { ...message, content: message.content.map(wrapFile) }
  const content = message.content.map((part) =>
    part.output.type === 'content'
      ? { ...part, output: { ...part.output, value: part.output.value.map(wrapFile) } }
      : part,
  )
  return { ...message, content }
}

/** A generated file whose data is a URL stays outside: nothing is fetched for a model. */
function unwrapFile<T extends { type: string }>(part: T): T | undefined {
  const { data } = part as { data?: { type?: string; data?: unknown } }
  if (part.type !== 'file' || typeof data !== 'object' || data === null || data instanceof Uint8Array) return part
  return data.type === 'data' ? { ...part, data: data.data } : undefined
}

function fromVersion4(model: LanguageModel): LanguageModel {
  const adapt = <T extends { prompt: ModelMessage[] }>(options: T): T => ({
    ...options,
    prompt: options.prompt.map(toVersion4),
  })
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const answer = await model.doGenerate(adapt(options))
      return { ...answer, content: answer.content.flatMap((part) => unwrapFile(part) ?? []) }
    },
    async doStream(options) {
      const { stream } = await model.doStream(adapt(options))
      const unwrap = new TransformStream<ModelStreamPart, ModelStreamPart>({
        transform(part, controller) {
          const unwrapped = unwrapFile(part)
          if (unwrapped) controller.enqueue(unwrapped)
        },
      })
      return { stream: stream.pipeThrough(unwrap) }
    },
  }
}

/** The model, if a conversation can use it; an error that says how to get one otherwise. */
export function asLanguageModel(model: AnyLanguageModel): LanguageModel {
  const candidate: unknown = model
  if (typeof candidate !== 'object' || candidate === null || typeof model.doStream !== 'function') {
    throw new ChatError(
      'model_unknown',
      `Expected a model of the AI SDK or a name such as "anthropic/claude-…", found ${typeof candidate}`,
    )
  }
  const { specificationVersion: version } = model
  if (version === 'v3') return model as unknown as LanguageModel
  if (version === 'v4') return fromVersion4(model as unknown as LanguageModel)
  const name = `${model.provider}/${model.modelId}`
  const advice =
    version === 'v2' ? '; AI SDK 6 and its providers (@ai-sdk/anthropic 3, for example) make models of version v3' : ''
  throw new ChatError(
    'model_unknown',
    `The model ${name} has the version ${JSON.stringify(version)}: expected v3 or v4${advice}`,
  )
}
