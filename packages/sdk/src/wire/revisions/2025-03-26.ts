import type { ShapeChange } from '../change.ts'
import { changeMember, changeMemberItems, compose, isObject, omit, omitting } from '../change.ts'
import type { Difference } from '../dialect.ts'
import { before, without } from '../dialect.ts'
import { describeResourceLink, textInstead } from '../older/content-text.ts'
import { structuredContentAsText } from '../older/structured-content.ts'

const withoutLastModified: ShapeChange = (value) => changeMember(value, 'annotations', omitting('lastModified'))

const content: ShapeChange = (block) => {
  const said = block.type === 'resource_link' ? textInstead(block, describeResourceLink(block)) : omit(block, '_meta')
  return withoutLastModified(said)
}

const titleAsAnnotation: ShapeChange = (tool) => {
  if (typeof tool.title !== 'string') return tool
  const annotations = isObject(tool.annotations) ? tool.annotations : {}
  return { ...tool, annotations: { title: tool.title, ...annotations } }
}

const listed: ShapeChange = (item) => withoutLastModified(omit(item, 'title', '_meta'))

/** Batches exist; titles, structured results, resource links and elicitation do not. */
export const rev20250326: Difference = (newer) =>
  before(newer, {
    revision: '2025-03-26',
    batches: true,
    requests: { ...newer.requests, server: without(newer.requests.server, 'elicitation/create') },
    shapes: {
      implementation: omitting('title'),
      clientCapabilities: omitting('elicitation', 'extensions'),
      tool: compose(titleAsAnnotation, omitting('title', 'outputSchema', '_meta'))!,
      resource: listed,
      resourceTemplate: listed,
      prompt: (prompt) => changeMemberItems(omit(prompt, 'title', '_meta'), 'arguments', omitting('title')),
      root: omitting('_meta'),
      content,
      resourceContents: omitting('_meta'),
      toolResult: structuredContentAsText,
      completeParams: (params) => changeMember(omit(params, 'context'), 'ref', omitting('title')),
    },
  })
