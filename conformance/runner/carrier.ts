import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { stdioChannel } from '@tenon/sdk/stdio'
import { openWire } from '@tenon/sdk/testing'
import { createFixture, type FixtureKind } from '../fixture-server.ts'

/** A wire to a new fixture server that carries text: it need not be JSON. */
export interface Carrier extends AsyncDisposable {
  send(text: string): void
  /** The next payload of the server; waits for it. */
  next(): Promise<unknown>
  readonly waiting: readonly unknown[]
}

/** In memory, which carries only JSON values. */
export function overMemory(kind: FixtureKind): Carrier {
  const wire = openWire(createFixture(kind))
  return {
    send: (text) => wire.send(JSON.parse(text)),
    next: () => wire.next(),
    waiting: wire.waiting,
    [Symbol.asyncDispose]: () => wire.close(),
  }
}

/** Lines of text, as over stdio. */
export function overLines(kind: FixtureKind): Carrier {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const connection = createFixture(kind).connect(stdioChannel({ input, output }))
  const lines = createInterface({ input: output })
  const waiting: unknown[] = []
  lines.on('line', (line) => {
    waiting.push(JSON.parse(line))
    lines.emit('arrived')
  })
  return {
    send: (text) => void input.write(`${text}\n`),
    async next() {
      if (waiting.length === 0) await once(lines, 'arrived')
      return waiting.shift()
    },
    waiting,
    async [Symbol.asyncDispose]() {
      await connection.close()
      lines.close()
    },
  }
}
