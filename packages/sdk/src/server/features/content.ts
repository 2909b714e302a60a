import { bytesToBase64 } from '../../internal/base64.ts'
import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
} from '../../model/content.ts'
import type { Annotations, Meta } from '../../model/meta.ts'

/** The members that any content block may have besides its content. */
export interface ContentOptions {
  annotations?: Annotations
  meta?: Meta
}

const extras = ({ annotations, meta }: ContentOptions): { annotations?: Annotations; _meta?: Meta } => ({
  ...(annotations && { annotations }),
  ...(meta && { _meta: meta }),
})

const toBase64 = (data: string | Uint8Array): string => (typeof data === 'string' ? data : bytesToBase64(data))

/** A block of text. */
export const text = (value: string, options: ContentOptions = {}): TextContent => ({
  type: 'text',
  text: value,
  ...extras(options),
})

/** An image, from bytes or from base64. */
export const image = (data: string | Uint8Array, mimeType: string, options: ContentOptions = {}): ImageContent => ({
  type: 'image',
  data: toBase64(data),
  mimeType,
  ...extras(options),
})

/** A sound, from bytes or from base64. */
export const audio = (data: string | Uint8Array, mimeType: string, options: ContentOptions = {}): AudioContent => ({
  type: 'audio',
  data: toBase64(data),
  mimeType,
  ...extras(options),
})

/** A pointer to a resource that the client may read. */
export const resourceLink = (link: Omit<ResourceLink, 'type' | '_meta'> & { meta?: Meta }): ResourceLink => {
  const { meta, ...rest } = link
  return { type: 'resource_link', ...rest, ...(meta && { _meta: meta }) }
}

/** A resource, sent along. */
export const embed = (
  resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string | Uint8Array }),
  options: ContentOptions = {},
): EmbeddedResource => ({ type: 'resource', resource: toContents(resource), ...extras(options) })

/** Contents of a resource, with bytes as base64. */
export function toContents(
  resource: { uri: string; mimeType?: string; _meta?: Meta } & ({ text: string } | { blob: string | Uint8Array }),
): ResourceContents {
  const { uri, mimeType, _meta } = resource
  const common = { uri, ...(mimeType !== undefined && { mimeType }), ...(_meta && { _meta }) }
  return 'text' in resource ? { ...common, text: resource.text } : { ...common, blob: toBase64(resource.blob) }
}

const blockTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource_link', 'resource'])

export const isContentBlock = (value: unknown): value is ContentBlock =>
  typeof value === 'object' && value !== null && blockTypes.has((value as { type?: unknown }).type)
