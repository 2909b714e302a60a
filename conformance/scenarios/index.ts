import { type Revision, revisions } from '@tenon/sdk/server'
import type { Scenario } from '../runner/script.ts'
import { elicitation, formsOnly, missingCapabilities, roots, sampling } from './asking.ts'
import { batch } from './batch.ts'
import { completion } from './completion.ts'
import { bothEras, discover, manyCallers, modernOnly, offeredByHandshake, requestMeta } from './era.ts'
import { errors, framing, nothingOffered, sameId, unknownMethods } from './errors.ts'
import { beforeInitialize, counterOffer, initialize, legacyOnly } from './initialize.ts'
import { ping } from './ping.ts'
import { prompts } from './prompts.ts'
import { resources, resourcesErrors, subscriptions } from './resources.ts'
import { listChanged, toolsCall, toolsErrors, toolsList } from './tools.ts'
import { cancellation, logging, progress } from './utilities.ts'

const scenarios: readonly Scenario[] = [
  ...[
    initialize,
    counterOffer,
    beforeInitialize,
    legacyOnly,
    discover,
    requestMeta,
    bothEras,
    manyCallers,
    modernOnly,
    offeredByHandshake,
    ping,
  ],
  ...[toolsList, toolsCall, toolsErrors, listChanged, resources, resourcesErrors, subscriptions, prompts, completion],
  ...[logging, progress, cancellation, elicitation, formsOnly, sampling, roots, missingCapabilities],
  ...[errors, unknownMethods, nothingOffered, sameId, framing, batch],
]

/** The scenarios of a revision. */
export const scenariosOf = (revision: Revision): Scenario[] =>
  scenarios.filter((scenario) => scenario.revisions?.(revision) ?? true)

export { revisions }
