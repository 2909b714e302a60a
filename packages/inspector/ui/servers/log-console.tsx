import { type JSX, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { LogLine, ServerView } from '../../src/protocol.ts'
import { clock } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible, visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { type TimeSpan, within } from './during.ts'
import { LogLevel, levels } from './log-level.tsx'

const noLines: readonly LogLine[] = []

/** The log of a server: newest last, from a level on, and with a text in it. */
export function LogConsole({ server, during }: { server: ServerView; during?: TimeSpan | undefined }): JSX.Element {
  const all = useLog(server.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another object of the same time changes nothing.
  const lines = useMemo(() => within(all, during), [all, during?.from, during?.to])
  const [from, setFrom] = useState('debug')
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text).trim().toLowerCase()
  const shown = useMemo(
    () => lines.filter((line) => isFrom(from, line.level) && (wanted === '' || textOf(line).includes(wanted))),
    [lines, from, wanted],
  )
  return (
    <div className="stack">
      <div className="log-head">
        <LogLevel server={server} />
        <label className="field">
          <span className="field-label">Show from</span>
          <select className="select" value={from} onChange={(event) => setFrom(event.target.value)}>
            {levels.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </label>
        <div className="grow log-search">
          <SearchBox label="Search the log" placeholder="Search the log" value={text} change={setText} />
        </div>
      </div>
      {lines.length === 0 ? <NoLog server={server} /> : <Lines lines={shown} total={lines.length} />}
    </div>
  )
}

const maxLines = 2_000

/** The log of a server, read whenever there is more of it. */
function useLog(server: string): readonly LogLine[] {
  const [lines, setLines] = useState(noLines)
  const last = useBench((bench) => bench.logs.get(server))
  const seen = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another last message means more to read.
  useEffect(() => {
    const take = (fresh: readonly LogLine[]): void => {
      // Answers may overlap, and pass each other.
      const later = fresh.filter(({ number }) => number > seen.current)
      seen.current = later.at(-1)?.number ?? seen.current
      if (later.length > 0) setLines((before) => [...before, ...later].slice(-maxLines))
    }
    void run('server.log', { server, after: seen.current }).then(
      ({ lines: fresh }) => take(fresh),
      () => {},
    )
  }, [server, last])
  return lines
}

/** An unknown level is shown always: it may be important. */
const isFrom = (from: string, level: string): boolean => {
  const names: readonly string[] = levels
  const at = names.indexOf(level)
  return at === -1 || at >= names.indexOf(from)
}

const textOf = ({ level, logger = '', data }: LogLine): string =>
  `${level} ${logger} ${typeof data === 'string' ? data : JSON.stringify(data)}`.toLowerCase()

function Lines({ lines, total }: { lines: readonly LogLine[]; total: number }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end.
  useLayoutEffect(() => {
    if (atEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [lines])
  const scrolled = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!
    atEnd.current = scrollHeight - scrollTop - clientHeight < 24
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard. */}
      <div ref={box} className="console mono" role="log" aria-label="Log messages" tabIndex={0} onScroll={scrolled}>
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
        {lines.length === 0 && <span className="muted">None of {total} messages fits.</span>}
      </div>
      <p className="small muted" role="status">
        {lines.length === total ? `${total} messages` : `${lines.length} of ${total} messages`}
      </p>
    </>
  )
}

const tones: ReadonlyMap<string, string> = new Map([
  ['debug', ''],
  ['info', 'accent'],
  ['notice', 'ok'],
  ['warning', 'warn'],
])

function Line({ line: { at, level, logger, data } }: { line: LogLine }): JSX.Element {
  return (
    <div className="log-line" data-level={level}>
      <span className="muted">{clock(at)}</span>
      <span className={`badge ${tones.get(level) ?? 'danger'}`}>{visibleLine(level)}</span>
      {logger !== undefined && <span className="log-logger">{visibleLine(logger)}</span>}
      <LogData data={data} />
    </div>
  )
}

const shortLength = 300

/** A text as it is; other values in one line, which opens as a tree. */
function LogData({ data }: { data: unknown }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  if (typeof data !== 'object' || data === null) {
    return <span className="log-data">{visible(typeof data === 'string' ? data : String(data))}</span>
  }
  const text = JSON.stringify(data)
  return (
    <details className="log-data" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{visible(text.length > shortLength ? `${text.slice(0, shortLength)}…` : text)}</summary>
      {isOpen && <JsonTree value={data} />}
    </details>
  )
}

function NoLog({ server }: { server: ServerView }): JSX.Element {
  const { capabilities, facts, logLevel } = server
  const words = (): string => {
    if (capabilities === undefined) return 'Once it is connected, the log of the server appears here.'
    if (capabilities.logging === undefined) return 'The server does not declare that it logs anything.'
    if (facts?.logLevelPerRequest && logLevel === undefined) {
      return 'In this revision a server logs nothing before a level is set. Choose one above.'
    }
    return 'Log messages of the server appear here. Choose a lower level above to see more of them.'
  }
  return (
    <Empty title="Nothing was logged">
      <p>{words()}</p>
    </Empty>
  )
}
