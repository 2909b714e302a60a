import { resource, resourceTemplate, type ServerResource, type ServerResourceTemplate } from '@tenon/sdk/server'
import { defaultNamespace, namespacePattern } from './namespaces.ts'
import { Room, readGraph, relationsAmong, shownEntity } from './reading.ts'
import type { Memory } from './tools/tool-context.ts'

export const graphUri = 'memory://knowledge-graph'
const maxItems = 10_000
const maxCompletions = 100

/** The URI under which clients watch the graph of a namespace. */
export const graphUriOf = (namespace: string): string =>
  namespace === defaultNamespace ? graphUri : `${graphUri}?namespace=${namespace}`

/** The URI of an entity, escaped as the template of the resource does it. */
export const entityUriOf = (namespace: string, name: string): string =>
  `memory://entity/${encode(name)}${namespace === defaultNamespace ? '' : `?namespace=${namespace}`}`

const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The graph and its entities, which can be watched. */
export function memoryResources(memory: Memory): (ServerResource | ServerResourceTemplate)[] {
  const { namespaces, maxResultBytes } = memory
  const pageOf = (namespace: string | undefined, cursor: string | undefined): string | undefined => {
    if (namespace !== undefined && !namespacePattern.test(namespace)) return undefined
    const limits = { items: maxItems, bytes: maxResultBytes() }
    return JSON.stringify(readGraph(namespaces.store(namespace).graph, cursor, limits, false), null, 2)
  }
  return [
    resource({
      uri: graphUri,
      name: 'knowledge-graph',
      title: 'Knowledge graph',
      description: 'All entities and relations. A large graph ends with nextCursor: pass it in the URI as ?cursor=…',
      mimeType: 'application/json',
      read: () => pageOf(undefined, undefined),
    }),
    resourceTemplate({
      uriTemplate: 'memory://knowledge-graph{?namespace,cursor}',
      name: 'knowledge-graph-page',
      title: 'Knowledge graph, by namespace and page',
      description: 'The entities and relations of a namespace, or the next page of them',
      mimeType: 'application/json',
      complete: { namespace: (typed) => namespaces.names().filter((name) => name.startsWith(typed)) },
      read: ({ variables: { namespace, cursor } }) => pageOf(namespace, cursor),
    }),
    resourceTemplate({
      uriTemplate: 'memory://entity/{name}{?namespace}',
      name: 'entity',
      title: 'Entity',
      description: 'One entity with its relations, and time, client and source of its observations',
      mimeType: 'application/json',
      complete: {
        name: (typed, { namespace }) => namesLike(memory, typed, namespace),
        namespace: (typed) => namespaces.names().filter((name) => name.startsWith(typed)),
      },
      read: ({ variables: { name, namespace } }) => {
        if (namespace !== undefined && !namespacePattern.test(namespace)) return undefined
        const { graph } = namespaces.store(namespace)
        const entity = graph.entities.get(name)
        if (entity === undefined) return undefined
        const { relations } = relationsAmong(graph, [name], new Room({ items: maxItems, bytes: maxResultBytes() }))
        return JSON.stringify({ ...shownEntity(entity, true), relations }, null, 2)
      },
    }),
  ]
}

/** Names of entities that begin with a text, whatever the case of their letters. */
export function namesLike({ namespaces }: Memory, typed: string, namespace: string | undefined): string[] {
  if (namespace !== undefined && !namespacePattern.test(namespace)) return []
  const start = typed.toLowerCase()
  const found: string[] = []
  for (const name of namespaces.store(namespace).graph.entities.keys()) {
    if (!name.toLowerCase().startsWith(start)) continue
    if (found.push(name) > maxCompletions) break
  }
  return found
}
