import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { HostError, messageOf } from '../host-error.ts'
import type { Audit, AuditEvent } from './audit.ts'
import { noHash, readLine, toLine } from './chain.ts'
import { masked } from './masked.ts'

const maxEntryBytes = 8 * 1024
const tailBytes = 64 * 1024

/**
 * A file with a line of JSON for each event, and in it the hash of the line before. Each line is written before the call
 * that it allows is sent, with one write, so a killed process leaves at most half a line. Several processes may write one
 * file: each has a chain of its own, which begins at the last line that it found.
 */
export class AuditFile implements Audit {
  readonly #chain = randomBytes(8).toString('hex')
  #fd: number | undefined
  #seq = 0
  #prev: string
  /** Half a line is at the end of the file. It stays, for whoever examines the file. */
  #isTorn = false

  constructor(file: string) {
    try {
      mkdirSync(dirname(file), { recursive: true })
      this.#fd = openSync(file, 'a+', 0o600)
      const { last, isTorn } = lastLine(this.#fd)
      this.#prev = last
      this.#isTorn = isTorn
    } catch (error) {
      throw new HostError('invalid_argument', `audit: the file cannot be used: ${messageOf(error)}`, { cause: error })
    }
    this.record({ type: 'start', pid: process.pid })
  }

  record(event: AuditEvent): void {
    if (this.#fd === undefined) throw new HostError('closed', 'The audit log was closed')
    const base = { chain: this.#chain, seq: this.#seq, time: new Date().toISOString(), prev: this.#prev }
    const { type, ...details } = event
    let { line, hash } = toLine({ ...base, type, ...(masked(details) as object) })
    if (Buffer.byteLength(line) > maxEntryBytes) {
      const { args: _, ...short } = details
      ;({ line, hash } = toLine({ ...base, type, ...(shortened(short) as object), cut: true }))
    }
    this.#write(this.#fd, line)
    this.#seq++
    this.#prev = hash
  }

  /** An entry is noted when all of it is in the file: a full disk takes a part of it without an error. */
  #write(fd: number, line: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line)
    let written = 0
    try {
      written = writeSync(fd, bytes)
    } catch (error) {
      throw new HostError('unavailable', `The audit log cannot be written: ${messageOf(error)}`, { cause: error })
    }
    this.#isTorn = written < bytes.length
    if (!this.#isTorn) return
    const found = `${written} of ${bytes.length} bytes were written`
    throw new HostError('unavailable', `The audit log cannot be written: the disk is full, ${found}`)
  }

  async close(): Promise<void> {
    if (this.#fd === undefined) return
    try {
      this.record({ type: 'end' })
    } finally {
      closeSync(this.#fd)
      this.#fd = undefined
    }
  }
}

/** Only the texts and numbers, without structure, each short. */
const shortened = (details: object): object =>
  Object.fromEntries(
    Object.entries(details)
      .slice(0, 12)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => [name, masked(typeof value === 'string' ? value.slice(0, 200) : value)]),
  )

/** The hash of the last complete line, and whether half a line follows it. */
function lastLine(fd: number): { last: string; isTorn: boolean } {
  const { size } = fstatSync(fd)
  const length = Math.min(size, tailBytes)
  const bytes = Buffer.alloc(length)
  readSync(fd, bytes, 0, length, size - length)
  const text = bytes.toString('utf8')
  const lines = text.split('\n')
  for (const line of lines.reverse()) {
    const entry = readLine(line)
    if (entry !== undefined) return { last: entry.hash, isTorn: !text.endsWith('\n') }
  }
  return { last: noHash, isTorn: size > 0 && !text.endsWith('\n') }
}
