import type { JsonObject } from '@tenon/sdk/client'
import { type Difference, differences } from '../json/differences.ts'
import { relevantParams } from './request-key.ts'
import type { NotificationMessage, RequestMessage, Turn } from './turns.ts'

/** A request that the recording has no answer to. */
export interface UnknownNote {
  method: string
  params: JsonObject
  nearest: string[]
}

/** A client that answered a question of the server in another way than the recorded one did. */
export interface AnswerNote {
  /** The request during which the server asked. */
  during: string
  method: string
  recorded: JsonObject
  answered: JsonObject
  differences: Difference[]
}

const limit = 1_000

/** A log of a replay. */
export class ReplayNotes {
  /** How many requests were answered from the recording. */
  answers = 0
  readonly unknownRequests: UnknownNote[] = []
  readonly otherAnswers: AnswerNote[] = []

  answered(request: RequestMessage, turn: Turn): void {
    this.answers += 1
    // In stateless revisions the responses come with the retried request.
    const [now, then] = [request.params?.inputResponses, turn.message.params?.inputResponses]
    if (now !== undefined && then !== undefined) {
      this.compared(request, request, { inputResponses: then }, { inputResponses: now })
    }
  }

  unknown({ method, params }: RequestMessage, nearest: string[]): void {
    if (this.unknownRequests.length >= limit) return
    this.unknownRequests.push({ method, params: relevantParams(method, params), nearest })
  }

  compared(during: NotificationMessage, asked: NotificationMessage, recorded: JsonObject, answered: JsonObject): void {
    const found = differences(recorded, answered)
    if (found.length === 0 || this.otherAnswers.length >= limit) return
    this.otherAnswers.push({ during: during.method, method: asked.method, recorded, answered, differences: found })
  }

  /** Adds the notes of another log. */
  add(other: ReplayNotes): void {
    this.answers += other.answers
    this.unknownRequests.push(...other.unknownRequests.slice(0, limit - this.unknownRequests.length))
    this.otherAnswers.push(...other.otherAnswers.slice(0, limit - this.otherAnswers.length))
  }
}
