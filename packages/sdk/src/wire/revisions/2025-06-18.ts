import type { ShapeChange } from '../change.ts'
import { changeMember, isObject, omit, omitting } from '../change.ts'
import type { Difference } from '../dialect.ts'
import { before, without } from '../dialect.ts'
import { elicitParamsAsPlainForm, elicitResultAsPlainValues, plainValuesAsAsked } from '../older/elicitation-form.ts'
import { samplingParamsWithoutTools, samplingResultWithoutTools } from '../older/sampling-text.ts'

// `elicitation` means forms here, so a client that only opens URLs has none.
const formsOnly: ShapeChange = (capabilities) => {
  const { elicitation } = capabilities
  if (isObject(elicitation) && elicitation.url && !elicitation.form) return omit(capabilities, 'elicitation')
  return changeMember(capabilities, 'elicitation', omitting('form', 'url'))
}

// `extensions` stays: hosts of this revision declare Apps there, and the schema allows it.
const clientCapabilities: ShapeChange = (capabilities) =>
  changeMember(formsOnly(capabilities), 'sampling', omitting('context', 'tools'))

/** No icons, no URL elicitation, no tools in sampling; forms are plainer. */
export const rev20250618: Difference = (newer) =>
  before(newer, {
    revision: '2025-06-18',
    errorsWithoutId: false,
    argumentErrorsAreResults: false,
    declaresContext: false,
    tasks: undefined,
    requests: {
      ...newer.requests,
      client: without(newer.requests.client, 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'),
    },
    notifications: {
      ...newer.notifications,
      server: without(newer.notifications.server, 'notifications/elicitation/complete', 'notifications/tasks/status'),
    },
    shapes: {
      implementation: omitting('description', 'websiteUrl', 'icons'),
      clientCapabilities,
      serverCapabilities: omitting('extensions'),
      tool: omitting('icons', 'execution'),
      resource: omitting('icons'),
      resourceTemplate: omitting('icons'),
      prompt: omitting('icons'),
      content: (block) => (block.type === 'resource_link' ? omit(block, 'icons') : block),
      samplingMessage: omitting('_meta'),
      samplingParams: samplingParamsWithoutTools,
      samplingResult: samplingResultWithoutTools,
      elicitParams: elicitParamsAsPlainForm,
      elicitResult: elicitResultAsPlainValues,
    },
    upgrades: { 'elicitation/create': plainValuesAsAsked },
  })
