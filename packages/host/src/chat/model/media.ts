/**
 * How a model takes a kind of media in the results of tools: inside of the result, as a message after it, or not at
 * all, in which case it reads that there was one.
 */
export type MediaUse = (mediaType: string) => 'result' | 'message' | 'none'

const pictures = /^image\/(?:png|jpeg|gif|webp)$/
const documents = /^application\/pdf$/
const sounds = /^audio\//

/** By the names that the providers of the AI SDK give themselves. */
const byProvider: [RegExp, MediaUse][] = [
  [/^scripted$/, () => 'result'],
  [
    /^anthropic|\.anthropic|^amazon-bedrock/,
    (type) => (pictures.test(type) || documents.test(type) ? 'result' : 'none'),
  ],
  [/^openai\.responses/, (type) => (pictures.test(type) || documents.test(type) ? 'result' : 'none')],
  [
    /^google/,
    (type) => (pictures.test(type) ? 'result' : sounds.test(type) || documents.test(type) ? 'message' : 'none'),
  ],
]

/** Providers of the chat completions wire take text in results, and pictures in messages. */
const usual: MediaUse = (type) => (pictures.test(type) ? 'message' : 'none')

export const mediaUseOf = (provider: string): MediaUse =>
  byProvider.find(([pattern]) => pattern.test(provider))?.[1] ?? usual
