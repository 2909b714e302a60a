import { useCallback, useEffect, useRef, useState } from 'react'
import { keyHeader } from '../state/key.ts'

interface Fault {
  readonly message: string
  readonly suggestions?: readonly string[]
}

/** A question that was not answered. */
export class AskError extends Error {
  readonly suggestions: readonly string[]

  constructor({ message, suggestions = [] }: Fault) {
    super(message)
    this.suggestions = suggestions
  }
}

/** Asks the gateway. */
export async function ask<Answer>(command: string, params: object = {}): Promise<Answer> {
  const { result, error } = await send<Answer>(command, params)
  if (error !== undefined) throw new AskError(error)
  return result as Answer
}

async function send<Answer>(command: string, params: object): Promise<{ result?: Answer; error?: Fault }> {
  try {
    const response = await fetch(`/api/${command}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keyHeader },
      body: JSON.stringify(params),
    })
    if (response.headers.get('content-type')?.startsWith('application/json')) return await response.json()
    return { error: { message: await response.text() } }
  } catch {
    return { error: { message: 'The page of the gateway does not answer. Is it still running?' } }
  }
}

interface Answered<Answer> {
  readonly answer: Answer | undefined
  readonly problem: AskError | undefined
  readonly again: () => void
}

/** The answer to a question: asked when it changes, and every so often if `everyMs` says so. Undefined params ask nothing. */
export function useAnswer<Answer>(command: string, params: object | undefined, everyMs?: number): Answered<Answer> {
  const [state, setState] = useState<{ answer?: Answer; problem?: AskError }>({})
  const question = params === undefined ? undefined : JSON.stringify(params)
  // An answer to an earlier question must not take the place of a later one.
  const latest = useRef(0)
  const again = useCallback(() => {
    if (question === undefined) return
    const own = ++latest.current
    ask<Answer>(command, JSON.parse(question)).then(
      (answer) => own === latest.current && setState({ answer }),
      (problem: AskError) => own === latest.current && setState({ problem }),
    )
  }, [command, question])
  useEffect(() => {
    again()
    if (everyMs === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again()
    }, everyMs)
    return () => clearInterval(timer)
  }, [again, everyMs])
  return { answer: state.answer, problem: state.problem, again }
}
