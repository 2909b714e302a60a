import { type JSX, useLayoutEffect, useRef, useState } from 'react'
import type { TimelineRow } from '../../src/protocol.ts'
import { clock, duration } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { timelineAddress } from '../timeline/address.ts'
import { MessageText } from './message-text.tsx'
import { useLastRows } from './use-last-rows.ts'

/** The words of the protocol for a message, and its icon. */
const kinds: { readonly [Kind in TimelineRow['kind']]: readonly [word: string, icon: IconName] } = {
  request: ['request', 'request'],
  notification: ['notification', 'notification'],
  result: ['response', 'response'],
  error: ['error response', 'error'],
  http: ['HTTP', 'http'],
  refused: ['refused', 'error'],
  stderr: ['stderr', 'command'],
  note: ['note', 'log'],
}

interface Props {
  query: string
  /** Only the messages of this server are shown. */
  server?: string
}

/** The last messages that match, newest at the bottom; each opens in place. */
export function MessageList({ query, server }: Props): JSX.Element {
  const { rows: found, total } = useLastRows(`-kind:http ${query}`)
  const rows = server === undefined ? found : found.filter((row) => row.server === server)
  const [opened, setOpened] = useState<number>()
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the end.
  useLayoutEffect(() => {
    if (atEnd.current && opened === undefined) box.current!.scrollTop = box.current!.scrollHeight
  }, [rows.at(-1)?.id])
  const scrolled = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!
    atEnd.current = scrollHeight - scrollTop - clientHeight < 24
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <div ref={box} className="panel-messages" role="log" aria-label="Live messages" tabIndex={0} onScroll={scrolled}>
      {rows.length === 0 && <p className="muted pane-note">Messages appear here as they are sent and received.</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <MessageLine row={row} isOpen={row.id === opened} open={setOpened} />
            {row.id === opened && <MessageText id={row.id} />}
          </li>
        ))}
      </ul>
      {total > found.length && (
        <p className="small muted pane-note">
          The last {found.length} of {total.toLocaleString('en')}.{' '}
          <a href={timelineAddress({ q: query })}>All of them</a>
        </p>
      )}
    </div>
  )
}

interface LineProps {
  row: TimelineRow
  isOpen: boolean
  open: (id: number | undefined) => void
}

function MessageLine({ row, isOpen, open }: LineProps): JSX.Element {
  const [word, icon] = kinds[row.kind]
  const isSent = row.from === 'client'
  return (
    <button
      type="button"
      className={`message-line ${row.status ?? ''}`}
      aria-expanded={isOpen}
      onClick={() => open(isOpen ? undefined : row.id)}
    >
      <span className={isSent ? 'way sent' : 'way'} title={`${word}, ${isSent ? 'sent' : 'received'}`}>
        <Icon name={icon} />
      </span>
      <span className="message-method mono">
        {visibleLine(row.method || word)}
        {row.name !== undefined && <span className="muted"> {visibleLine(row.name)}</span>}
      </span>
      <span className="message-kind muted">{word}</span>
      <span className="message-time muted">
        {row.durationMs === undefined ? clock(row.at).slice(0, 8) : duration(row.durationMs)}
      </span>
    </button>
  )
}
