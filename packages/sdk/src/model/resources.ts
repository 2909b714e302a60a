import type { CacheHints } from './caching.ts'
import type { ResourceContents } from './content.ts'
import type { Annotations, Icon, Meta } from './meta.ts'

/** A resource as it is listed. */
export interface Resource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  icons?: Icon[]
  annotations?: Annotations
  _meta?: Meta
}

/** A family of resources, addressed by an RFC 6570 template. */
export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  icons?: Icon[]
  annotations?: Annotations
  _meta?: Meta
}

export interface ListResourcesResult extends CacheHints {
  resources: Resource[]
  nextCursor?: string
  _meta?: Meta
}

export interface ListResourceTemplatesResult extends CacheHints {
  resourceTemplates: ResourceTemplate[]
  nextCursor?: string
  _meta?: Meta
}

export interface ReadResourceResult extends CacheHints {
  contents: ResourceContents[]
  _meta?: Meta
}
