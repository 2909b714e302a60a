import { McpError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { SpentStates } from '../../server/stateless/spent-states.ts'

type Operation = 'spend' | 'release'

/** The requests of a worker and the answers of the first process, among other messages between them. */
interface Question {
  'tenon:spent': { number: number; operation: Operation; id: string; until: number }
}

interface Answer {
  'tenon:spent-answer': { number: number; done: boolean }
}

/** In a worker: the first process remembers for all of them which states of requests were used. */
export class IpcSpentStates implements SpentStates {
  readonly #send: (message: Question, failed: (error: Error) => void) => void
  readonly #waiting = new Map<number, { resolve(done: boolean): void; reject(error: Error): void }>()
  #last = 0

  constructor(send: (message: Question, failed: (error: Error) => void) => void) {
    this.#send = send
  }

  spend(id: string, until: number): Promise<boolean> {
    return this.#ask('spend', id, until)
  }

  /** Resolves when it is released: a client whose round failed may try again with any worker. */
  async release(id: string): Promise<void> {
    await this.#ask('release', id, 0)
  }

  /** Takes an answer of the first process. False if the message is something else. */
  receive(value: unknown): boolean {
    const answer = isObject(value) ? (value as Partial<Answer>)['tenon:spent-answer'] : undefined
    if (answer === undefined) return false
    this.#waiting.get(answer.number)?.resolve(answer.done)
    this.#waiting.delete(answer.number)
    return true
  }

  #ask(operation: Operation, id: string, until: number): Promise<boolean> {
    const number = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      this.#send({ 'tenon:spent': { number, operation, id, until } }, (cause) => {
        this.#waiting.delete(number)
        reject(new McpError('closed', 'The first process cannot be asked whether a state was used', { cause }))
      })
    })
  }
}

/** In the first process: answers a worker. False if the message is something else. */
export function answerSpent(value: unknown, states: SpentStates, reply: (answer: Answer) => void): boolean {
  const question = isObject(value) ? (value as Partial<Question>)['tenon:spent'] : undefined
  if (question === undefined) return false
  const { number } = question
  void answer(question, states)
    .catch(() => false)
    .then((done) => reply({ 'tenon:spent-answer': { number, done } }))
  return true
}

async function answer({ operation, id, until }: Question['tenon:spent'], states: SpentStates): Promise<boolean> {
  if (operation === 'spend') return states.spend(id, until)
  await states.release(id)
  return true
}
