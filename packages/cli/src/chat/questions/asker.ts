import type { Answer, Ask, Question } from '@tenon/host'
import type { Answers, GivenAnswer } from '../../ask/answers.ts'
import { withExclusiveTerminal } from '../../ask/exclusive-terminal.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Part, say } from '../../terminal/text.ts'

interface ChatAskerOptions {
  terminal: Terminal
  /** Says yes to calls and to servers that are new. */
  yes: boolean
  /** The answers of `--elicit`. */
  elicit: Answers<GivenAnswer> | undefined
  /** The servers that stand on the command line itself: nobody has to be asked whether they may be started. */
  named: ReadonlySet<string>
}

/** Answers the questions of a host: one after the other, by the person, by options, or by refusing. */
export class ChatAsker {
  /** Called before something is asked, so that the screen is free. */
  before: () => void | Promise<void> = () => {}
  readonly #options: ChatAskerOptions
  #last: Promise<unknown> = Promise.resolve()
  #open = 0

  constructor(options: ChatAskerOptions) {
    this.#options = options
  }

  /** Resolves when no question is open. */
  get idle(): Promise<unknown> {
    return this.#last
  }

  /** Whether a question is open. */
  get isAsking(): boolean {
    return this.#open > 0
  }

  readonly ask: Ask = (question) => {
    this.#open += 1
    const turn = this.#last
      .then(() => this.#answer(question))
      .finally(() => {
        this.#open -= 1
      })
    this.#last = turn.catch(() => {})
    return turn
  }

  async #answer(question: Question): Promise<Answer> {
    question.signal.throwIfAborted()
    const known = await this.#byOptions(question)
    if (known !== undefined) return known
    const { terminal } = this.#options
    await this.before()
    if (!terminal.canAsk) return this.#refuse(question)
    return await withExclusiveTerminal(terminal, () => askPerson(question, terminal))
  }

  async #byOptions(question: Question): Promise<Answer | undefined> {
    const { yes, elicit, named, terminal } = this.#options
    const { kind, server } = question
    if (kind === 'trust' && question.changes.length === 0 && named.has(server)) return 'approve'
    // A change is never approved unseen: that is the attack which pins are for.
    if (kind === 'trust' && yes && question.changes.length === 0 && question.approved === undefined) return 'approve'
    if ((kind === 'consent' || kind === 'sample') && yes) return kind === 'consent' ? 'once' : { answer: 'once' }
    if ((kind === 'form' || kind === 'page') && elicit) {
      const { preparedAnswer } = await import('../../ask/prepared-answers.ts')
      const { message } = question
      const note = (text: string): void => terminal.note(terminal.notes.dim(text))
      return kind === 'form'
        ? preparedAnswer({ message, requestedSchema: question.schema }, elicit, note)
        : preparedAnswer({ mode: 'url', message, url: question.url }, elicit, note)
    }
    return undefined
  }

  #refuse(question: Question): Answer {
    const { kind, server } = question
    const tell = (text: Part): void => this.#options.terminal.note(this.#options.terminal.notes.dim(text))
    switch (kind) {
      case 'consent':
        tell(
          say`${server}.${question.name} is not called: there is nobody to ask. --allow ${`${server}.${question.name}`} allows it, --yes everything.`,
        )
        return 'deny'
      case 'trust':
        tell(
          question.changes.length > 0
            ? say`${server} has changed ${question.changes.map(({ kind, name }) => `${kind} ${name}`).join(', ')}: left out until you approve that on a terminal.`
            : say`${server} was never approved: start tenon chat ${server} on a terminal once, or give --yes.`,
        )
        return 'deny'
      case 'sample':
        tell(say`${server} wants an answer of the model: refused, because there is nobody to ask. --yes allows it.`)
        return { answer: 'deny' }
      default:
        tell(say`${server} asks: ${question.message}`)
        tell('Declined, because there is no terminal to ask on; --elicit answers.')
        return { action: 'decline' }
    }
  }
}

/** Asks the person at the terminal. Each kind of question is loaded when it is asked. */
async function askPerson(question: Question, terminal: Terminal): Promise<Answer> {
  const { signal } = question
  switch (question.kind) {
    case 'consent':
      return (await import('./ask-consent.ts')).askConsent(question, terminal)
    case 'trust':
      return (await import('./ask-trust.ts')).askTrust(question, terminal)
    case 'sample':
      return (await import('./ask-sample.ts')).askSample(question, terminal)
    case 'form': {
      const { askForm } = await import('../../ask/form-prompt.ts')
      return askForm(
        { message: question.message, requestedSchema: question.schema },
        askerOf(question),
        terminal,
        signal,
      )
    }
    default: {
      const { askToVisit } = await import('../../ask/url-prompt.ts')
      const { message, url } = question
      return askToVisit({ mode: 'url', message, url }, askerOf(question), terminal, signal)
    }
  }
}

/** The server in the words of the configuration, and the call during which it asks. */
const askerOf = ({ server, call }: Question): string => (call === undefined ? server : `${server} (${call.tool})`)
