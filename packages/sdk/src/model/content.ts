import type { Annotations, Meta } from './meta.ts'
import type { Resource } from './resources.ts'

export interface TextContent {
  type: 'text'
  text: string
  annotations?: Annotations
  _meta?: Meta
}

export interface ImageContent {
  type: 'image'
  /** Base64. */
  data: string
  mimeType: string
  annotations?: Annotations
  _meta?: Meta
}

export interface AudioContent {
  type: 'audio'
  /** Base64. */
  data: string
  mimeType: string
  annotations?: Annotations
  _meta?: Meta
}

/** A resource that can be read. */
export interface ResourceLink extends Resource {
  type: 'resource_link'
}

export interface EmbeddedResource {
  type: 'resource'
  resource: ResourceContents
  annotations?: Annotations
  _meta?: Meta
}

export interface TextResourceContents {
  uri: string
  mimeType?: string
  text: string
  _meta?: Meta
}

export interface BlobResourceContents {
  uri: string
  mimeType?: string
  /** Base64. */
  blob: string
  _meta?: Meta
}

export type ResourceContents = TextResourceContents | BlobResourceContents

/** A block of a tool result or prompt message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
