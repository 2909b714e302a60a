import { type JSX, useRef } from 'react'
import { ProblemNotice } from './problem.tsx'
import { useBusy } from './use-busy.ts'

// The limit of a command of the backend, with room for how JSON writes quotes.
const maxBytes = 12 * 1024 * 1024

interface Props {
  label: string
  accept: string
  /** Takes the file: its name and its text. */
  take: (name: string, text: string) => Promise<unknown>
  className?: string
}

/** Opens a file of this computer. The page reads it; nothing is sent anywhere but to the workbench. */
export function OpenFile({ label, accept, take, className = 'button' }: Props): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const { busy, problem, start } = useBusy()
  const opened = (file: File | undefined): Promise<void> =>
    start(async () => {
      if (file === undefined) return
      if (file.size > maxBytes) throw new Error(`${file.name} is larger than ${maxBytes / 1024 / 1024} MiB`)
      await take(file.name, await file.text())
    })
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          void opened(file)
          // The same file can be opened once more.
          event.target.value = ''
        }}
      />
      <button type="button" className={className} disabled={busy} onClick={() => input.current?.click()}>
        {label}
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}
