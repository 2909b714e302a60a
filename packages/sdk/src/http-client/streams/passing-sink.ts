import type { SseEvent } from '../../http/sse-parser.ts'
import type { RefusedInput } from '../../jsonrpc/channel.ts'
import type { ReplyHead } from '../engines/engine.ts'
import type { ReplyOutcome, ReplySink } from './reply.ts'

/** Passes a reply on to the sink of its caller, except for the outcomes that it handles. */
export abstract class PassingSink implements ReplySink {
  protected readonly sink: ReplySink

  constructor(sink: ReplySink) {
    this.sink = sink
  }

  accepted(head: ReplyHead, streamed: boolean): void {
    this.sink.accepted?.(head, streamed)
  }

  event(event: SseEvent): boolean {
    return this.sink.event?.(event) ?? false
  }

  value(value: unknown, text?: string): void {
    this.sink.value(value, text)
  }

  unreadable(problem: Error, input?: RefusedInput): void {
    this.sink.unreadable(problem, input)
  }

  abstract finished(outcome: ReplyOutcome): void
}
