import { randomUUID } from 'node:crypto'
import { McpError } from '@tenon/sdk/client'
import { RequestProblem } from '../problem.ts'
import type { Answer, BenchEvent, Question } from '../protocol.ts'

/** A question before it has an id. */
type NewQuestion = Question extends infer Kind ? (Kind extends Question ? Omit<Kind, 'id' | 'at'> : never) : never

/** Open questions of servers, until a person answers or the server withdraws them. */
export class Questions {
  readonly #open = new Map<string, { question: Question; answered: (answer: Answer) => void }>()
  readonly #publish: (event: BenchEvent) => void

  constructor(publish: (event: BenchEvent) => void) {
    this.#publish = publish
  }

  get open(): Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  /** Puts a question to the person; rejects if the signal fires first. */
  ask(asked: NewQuestion, signal: AbortSignal): Promise<Answer> {
    const question = { ...asked, id: randomUUID(), at: Date.now() } as Question
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        if (!this.#close(question.id, 'withdrawn')) return
        reject(new McpError('cancelled', 'The question was taken back', { cause: signal.reason }))
      }
      if (signal.aborted) {
        reject(new McpError('cancelled', 'The question was taken back', { cause: signal.reason }))
        return
      }
      signal.addEventListener('abort', withdraw, { once: true })
      const answered = (answer: Answer): void => {
        signal.removeEventListener('abort', withdraw)
        resolve(answer)
      }
      this.#open.set(question.id, { question, answered })
      this.#publish({ type: 'question', question })
    })
  }

  find(id: string): Question | undefined {
    return this.#open.get(id)?.question
  }

  answer(id: string, answer: Answer): void {
    const waiting = this.#open.get(id)
    if (waiting === undefined) throw new RequestProblem('Nobody waits for this answer any more')
    this.#close(id, 'answered')
    waiting.answered(answer)
  }

  #close(id: string, because: 'answered' | 'withdrawn'): boolean {
    if (!this.#open.delete(id)) return false
    this.#publish({ type: 'question-closed', question: id, because })
    return true
  }
}
