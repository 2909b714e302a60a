import { type JSX, useEffect, useRef, useState } from 'react'
import type { StderrLine } from '../../src/protocol.ts'
import { clock } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { type TimeSpan, within } from './during.ts'

// Programs colour their output; the page shows the words.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with it.
const colours = /\u001b\[[\d;]*m/g

/** The standard error of a server process. */
export function StderrConsole({ server, during }: { server: string; during?: TimeSpan | undefined }): JSX.Element {
  const [earlier, setEarlier] = useState<StderrLine[]>([])
  const later = useBench((bench) => bench.stderr.get(server))
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void run('server.stderr', { server }).then(
      ({ lines }) => setEarlier(lines),
      () => {},
    )
  }, [server])
  const last = earlier.at(-1)?.at ?? 0
  const lines = within([...earlier, ...(later ?? []).filter(({ at }) => at > last)], during)
  useEffect(() => {
    if (lines.length > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [lines.length])
  if (lines.length === 0) {
    return (
      <Empty title="Nothing was written">
        <p>The standard error of the process appears here.</p>
      </Empty>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <div className="console mono" role="log" aria-label="Standard error" tabIndex={0}>
      {lines.map((line, index) => (
        <div key={String(index)} className="console-line">
          <span className="muted">{clock(line.at)}</span> {visibleLine(line.text.replace(colours, ''))}
        </div>
      ))}
      <div ref={end} />
    </div>
  )
}
