import { existsSync, readdirSync, readFileSync } from 'node:fs'

const transcripts = new URL('../../conformance/transcripts/', import.meta.url)

/** Real lines from the transcripts: the seeds of mutations. */
export function saidLines(): string[] {
  if (!existsSync(transcripts)) throw new Error(`no transcripts in ${transcripts.pathname}`)
  const files = readdirSync(transcripts, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.transcript'),
  )
  const lines = files.flatMap((path) => readFileSync(new URL(path, transcripts), 'utf8').split('\n'))
  const said = lines.filter((line) => /^[<>] /.test(line)).map((line) => line.slice(2))
  return [...new Set(said)].filter((line) => line.length < 4_000)
}

/** The messages among them. */
export const saidMessages = (): unknown[] => saidLines().flatMap(parsed)

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
