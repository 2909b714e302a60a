import { resource, resourceTemplate, type ServerResource, type ServerResourceTemplate } from '@tenon/sdk/server'
import { png } from './media.ts'

export const resources: (ServerResource | ServerResourceTemplate)[] = [
  resource({
    uri: 'test://static-text',
    name: 'Static Text Resource',
    description: 'A text that never changes',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  }),
  resource({
    uri: 'test://static-binary',
    name: 'Static Binary Resource',
    description: 'An image that never changes',
    mimeType: 'image/png',
    read: () => ({ blob: png }),
  }),
  resource({
    uri: 'test://watched-resource',
    name: 'Watched Resource',
    description: 'A resource to subscribe to',
    mimeType: 'text/plain',
    read: () => 'Watched resource content',
  }),
  resourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'Template Resource',
    description: 'A resource for every id',
    mimeType: 'application/json',
    read: ({ variables: { id } }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
]
