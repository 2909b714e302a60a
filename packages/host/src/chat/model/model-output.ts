import type { ModelOutputPart, ModelToolOutput } from '../../models/language-model.ts'
import type { UserPart } from '../transcript/transcript.ts'

const outputPart = (part: UserPart): ModelOutputPart => {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const type = part.mediaType.startsWith('image/') ? 'image-data' : 'file-data'
  return { type, data: part.data, mediaType: part.mediaType }
}

/** A tool result in the shape of the provider interface. Text alone is sent as text, which every provider takes. */
export function toModelOutput(parts: readonly UserPart[], isError: boolean): ModelToolOutput {
  if (parts.some(({ type }) => type === 'media')) return { type: 'content', value: parts.map(outputPart) }
  const value = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { type: isError ? 'error-text' : 'text', value }
}
