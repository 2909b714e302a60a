import { visibleLine } from '@tenon/sdk/display'
import { jsonExcerpt } from '../json/describe-value.ts'
import type { Change, ItemDiff, RequestDiff, SessionDiff, TimingDiff } from './types.ts'

const signs = { added: '+', removed: '-', changed: '~' } as const
const maxDifferences = 10

/**
 * A comparison as text. Names and values come from servers: control characters in them are made visible, so that a
 * terminal does not obey them.
 */
export function formatDiff(diff: SessionDiff): string {
  const blocks = [
    section('Server', diff.server.map(changeLine)),
    section('Offers', diff.items.flatMap(itemLines)),
    section('Answers', diff.requests.flatMap(requestLines)),
    section('Times', slowest(diff.timing).map(timingLine)),
    [summary(diff)],
  ]
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

const section = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [title, ...lines])

const changeLine = ({ severity, path, what }: Change): string =>
  `  ~ ${visibleLine(path)} ${visibleLine(what)}${flag(severity)}`

function itemLines({ kind, name, status, severity, changes }: ItemDiff): string[] {
  const head = `  ${signs[status]} ${kind} ${visibleLine(name)}${status === 'removed' ? flag(severity) : ''}`
  return [head, ...changes.map((change) => `  ${changeLine(change)}`)]
}

function requestLines({ request, occurrence, status, differences }: RequestDiff): string[] {
  const which = occurrence > 1 ? ` (${occurrence}.)` : ''
  const shown = differences.slice(0, maxDifferences)
  const more = differences.length - shown.length
  return [
    `  ${signs[status]} ${visibleLine(request)}${which}`,
    ...shown.map(({ path, before, after }) => `    ~ ${visibleLine(path)} was ${value(before)}, is ${value(after)}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ]
}

const timingLine = ({ request, count, beforeMs, afterMs, ratio }: TimingDiff): string =>
  `  ${visibleLine(request)}: ${beforeMs} ms, then ${afterMs} ms (×${ratio}${count > 1 ? `, medians of ${count}` : ''})`

/** Only durations that are long enough to measure and changed by more than chance. */
const slowest = (timing: readonly TimingDiff[]): TimingDiff[] =>
  timing
    .filter(({ beforeMs, afterMs, ratio }) => Math.max(beforeMs, afterMs) >= 10 && (ratio >= 2 || ratio <= 0.5))
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, 20)

function summary({ same, breaking, items, requests, unchanged, server }: SessionDiff): string {
  if (same) return `The same: ${count(unchanged, 'answer')}`
  const parts = [
    `${count(breaking, 'breaking change')}`,
    `${count(server.length, 'change')} of the server`,
    `${count(items.length, 'offer')} and ${count(requests.length, 'answer')} differ`,
    `${count(unchanged, 'answer')} alike`,
  ]
  return parts.join(', ')
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
const flag = (severity: Change['severity']): string => (severity === 'compatible' ? '' : ` [${severity}]`)
const value = (one: unknown): string => (one === undefined ? 'nothing' : visibleLine(jsonExcerpt(one, 100)))
