import { withinMs } from '../../internal/timers.ts'
import type { Revision } from '../../model/revision.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecFor } from '../../wire/codecs.ts'
import { clientConversationFor } from '../choose-conversation.ts'
import type { ClientConnection, Terms } from './connection.ts'
import type { Agreed, Disagreed, Opening, OpeningPlan, Unanswered } from './opening.ts'

/** The first revision is the newest, or the one that an earlier connection used. */
interface NegotiationPlan extends OpeningPlan {
  first: Revision
  /** Whether only an answer to the first opening decides, however long it takes. */
  patient: boolean
  /** Whether the channel can be opened again. */
  reopenable: boolean
}

/** The server was sent a second opening before it answered the first one, and agreed to both. */
interface TwoAnswers {
  revision: Revision
}

/**
 * Agrees with the server on a revision, as newer clients do with servers of any age: with the opening of the newest
 * revision first, and with an older one if that is not understood. Each answer is believed once, so a contradictory
 * server cannot cause a loop. Silence is no answer: a server that is slow to start gets both openings, and its answer
 * counts whenever it comes.
 */
export async function negotiate(connection: ClientConnection, plan: NegotiationPlan): Promise<TwoAnswers | undefined> {
  const began = performance.now()
  const untried = new Set(plan.settings.revisions)
  let revision = plan.first
  let { patient } = plan
  let repeated = false
  while (true) {
    untried.delete(revision)
    connection.speak(codecFor(revision))
    const { conversation } = connection
    const opening = patient ? conversation.open(connection, plan) : conversation.probe(connection, plan, [...untried])
    const outcome = await opening
    if (outcome.kind === 'unanswered') {
      const decided = await openBothWays(connection, plan, outcome, began)
      if ('revision' in decided) return decided
      if (decided.kind === 'agreed') return agree(connection, decided, plan)
      // The first opening may be the reason for the refusal: only a server that was opened anew can tell.
      if (isRefusal(decided) && plan.reopenable) throw decided.error(plan.settings.revisions)
      // The server runs by now, so the first revision can be tried again.
      untried.delete(outcome.alternative)
      revision = nextRevision(decided, [revision, ...untried], plan)
      patient = true
    } else if (outcome.kind === 'agreed') return agree(connection, outcome, plan)
    // A server that refuses a revision and offers it in the same breath is taken by its word, once.
    else if (!repeated && outcome.offers?.includes(revision)) repeated = true
    else revision = nextRevision(outcome, [...untried], plan)
  }
}

function nextRevision({ next, error }: Disagreed, untried: readonly Revision[], { settings }: OpeningPlan): Revision {
  const revision = next(untried)
  if (revision === undefined) throw error(settings.revisions)
  return revision
}

function agree(connection: ClientConnection, { codec, server }: Agreed, plan: OpeningPlan): undefined {
  const offered = termsOf(connection.codec, plan)
  connection.agree(codec === connection.codec ? offered : termsOf(codec, plan), server, offered)
  connection.conversation.opened(connection)
}

/** The client capabilities, as a server of the revision understands them. */
const termsOf = (codec: Codec, plan: OpeningPlan): Terms => ({
  codec,
  declared: clientConversationFor(codec.revision).declared(codec, plan),
})

/** Opens with an alternative while the first opening is unanswered, and goes by whichever answer agrees first. */
async function openBothWays(
  connection: ClientConnection,
  plan: NegotiationPlan,
  { answer, alternative }: Unanswered,
  began: number,
): Promise<Opening | TwoAnswers> {
  const probed = connection.codec
  connection.speak(codecFor(alternative))
  const leftMs = Math.max(1, Math.round(plan.settings.peer.timeoutMs - (performance.now() - began)))
  const asked = connection.conversation.open(connection, { ...plan, timeoutMs: leftMs })
  const agreed = new Promise<Agreed>((resolve) => {
    answer.then((outcome) => outcome.kind === 'agreed' && resolve(outcome), ignore)
  })
  const first = await Promise.race([asked.catch(() => undefined), agreed])
  // Both answers may have come at once. A server that refuses the alternative may still work on the first opening.
  const late = await valueWithin(isRefusal(first) ? plan.settings.probeTimeoutMs : 0, agreed)
  if (late === undefined) return asked
  // The server may have begun a session because of the alternative, in which nothing else might be answered.
  const second = await valueWithin(plan.settings.probeTimeoutMs, asked)
  if (second?.kind === 'agreed') return plan.reopenable ? { revision: late.codec.revision } : second
  connection.speak(probed)
  return late
}

/** The server said no, and named no other revision. */
const isRefusal = (opening: Opening | undefined): opening is Disagreed =>
  opening?.kind === 'disagreed' && opening.offers === undefined

/** The value of a promise, if it comes within the limit. */
async function valueWithin<Value>(limitMs: number, promise: Promise<Value>): Promise<Value | undefined> {
  const value = promise.catch(() => undefined)
  return (await withinMs(limitMs, value)) ? value : undefined
}

const ignore = (): void => {}
