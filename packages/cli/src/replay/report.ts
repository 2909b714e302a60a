import type { ReplayReport } from '@tenon/replay'
import { CommandFailure, ExitCode } from '../exit.ts'
import { say, type TerminalText } from '../terminal/text.ts'

const most = 10

/** The report of a replay. */
export function reportLines({ answers, unknownRequests, otherAnswers }: ReplayReport): TerminalText[] {
  const unknown = unknownRequests
    .slice(0, most)
    .map(({ method, params }) => `not recorded: ${method} ${JSON.stringify(params)}`)
  const other = otherAnswers
    .slice(0, most)
    .map(({ method, during }) => `answered other than recorded: ${method} during ${during}`)
  const lines = [`${answers} ${answers === 1 ? 'answer' : 'answers'} from the recording`, ...unknown, ...other]
  const left = unknownRequests.length + otherAnswers.length - unknown.length - other.length
  return (left > 0 ? [...lines, `and ${left} more`] : lines).map((line) => say`${line}`)
}

/** The failure that a strict replay ends with. */
export function failureOf({ unknownRequests }: ReplayReport): CommandFailure | undefined {
  const { length } = unknownRequests
  if (length === 0) return undefined
  return new CommandFailure(
    ExitCode.Different,
    'not_recorded',
    `${length} ${length === 1 ? 'request was' : 'requests were'} not in the recording`,
    'Record them, or change who asks.',
  )
}
