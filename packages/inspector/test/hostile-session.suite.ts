/** Session files that were made to do harm, by their attack. */

const warning = 'Only the first 100,000 messages and lines are shown here'

/** Sequences for terminals, a change of direction, and markup that would run. */
const nasty =
  '\u001b]0;owned\u0007\u001b[2J\u202e\u0000<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'

const header = { tenonSession: 1, at: 1_700_000_000_000 }
const line = (value: unknown): string => `${JSON.stringify(value)}\n`

/** A member that is written as it stands: an object literal would set the prototype. */
const withProto = (value: object): string =>
  `${JSON.stringify(value).slice(0, -1)},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}\n`

const implementation = { name: nasty, version: nasty, title: nasty, websiteUrl: 'javascript:document.title="owned"' }
const request = (id: unknown, at: number): object => ({
  kind: 'message',
  at,
  from: 'client',
  payload: { jsonrpc: '2.0', id, method: nasty, params: { name: nasty, [nasty]: nasty } },
})
const answer = (id: unknown, at: number): object => ({
  kind: 'message',
  at,
  from: 'server',
  payload: { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: nasty }], _meta: { [nasty]: nasty } } },
})

/** Hostile text in every member that is a text, prototypes in every line, ids that come again and again. */
export function nastySession(): string {
  const at = header.at
  const http = { id: 1, method: nasty, url: `javascript:${nasty}`, headers: { [nasty]: nasty } }
  return [
    withProto({ ...header, by: nasty, title: nasty, target: { url: nasty, name: nasty, headers: [nasty] } }),
    withProto({ kind: 'agreed', at, revision: nasty, client: implementation, server: implementation }),
    ...['__proto__', 'constructor', 1, 1, 1, nasty].flatMap((id, index) => [
      withProto(request(id, at + index)),
      withProto(answer(id, at + index + 1)),
      withProto(answer(id, at + index + 2)),
    ]),
    line({
      kind: 'message',
      at,
      from: 'server',
      payload: { jsonrpc: '2.0', id: 1, error: { code: 1, message: nasty } },
    }),
    line({ kind: 'message', at, from: 'server', payload: [null, 5, nasty, [], {}] }),
    line({ kind: 'unanswered', at, from: 'client', id: nasty, reason: nasty }),
    line({ kind: 'refused', at, from: 'server', refusal: { code: 1, message: nasty, excerpt: nasty } }),
    line({ kind: 'http', at, http: { ...http, phase: 'request' } }),
    line({ kind: 'http', at, http: { ...http, phase: 'event', event: { id: nasty, name: nasty, comment: nasty } } }),
    line({ kind: 'http', at, http: { ...http, phase: 'failed', error: nasty } }),
    line({ kind: 'stderr', at, text: nasty }),
    line({ kind: 'note', at, text: nasty }),
    line({ kind: nasty, at, text: nasty }),
    line({ kind: '__proto__', at }),
    line({ kind: 'closed', at, reason: nasty, redacted: 3 }),
  ].join('')
}

const odd: readonly unknown[] = [null, 1e300, 'x', [[]], { toString: 1, length: -1 }]

/** Each known line with something else in the place of each of its members, one change at a time. */
export function* wrongTypes(): Generator<{ what: string; text: string }> {
  const at = header.at
  const lines: { [member: string]: unknown }[] = [
    {
      ...header,
      by: 'x',
      title: 'x',
      revision: '2025-06-18',
      target: { url: 'x', args: ['x'] },
      client: {},
      server: {},
    },
    { kind: 'message', at, from: 'client', payload: { jsonrpc: '2.0', id: 1, method: 'x' }, during: 1 },
    { kind: 'refused', at, from: 'server', refusal: { code: 1, message: 'x', id: 1, kind: 'response' } },
    { kind: 'unanswered', at, from: 'client', id: 1, reason: 'x', cancelled: true },
    {
      kind: 'http',
      at,
      http: {
        ...{ id: 1, phase: 'event', method: 'POST', url: 'x', headers: {}, status: 200, bytes: 1, aborted: true },
        ...{ error: 'x', event: { id: 'x', name: 'x', retry: 1, characters: 1, comment: 'x' } },
      },
    },
    { kind: 'http', at, http: { id: 2, phase: 'reply', method: 'POST', url: 'x', headers: {}, status: 200 } },
    { kind: 'http', at, http: { id: 3, phase: 'failed', method: 'POST', url: 'x', headers: {}, error: 'x' } },
    { kind: 'stderr', at, text: 'x' },
    { kind: 'note', at, text: 'x' },
    { kind: 'opened', at, transport: 'x' },
    { kind: 'agreed', at, revision: 'x', client: { name: 'x', version: 'x' }, server: { name: 'x', version: 'x' } },
    { kind: 'closed', at, reason: 'x', redacted: 1 },
  ]
  for (const [index, whole] of lines.entries()) {
    for (const { path, value } of changes(whole)) {
      const first = index === 0 ? value : header
      const rest = index === 0 ? [] : [value]
      yield { what: `${String(whole.kind ?? 'header')} ${path}`, text: [first, ...rest].map(line).join('') }
    }
  }
}

function* changes(value: unknown, path = ''): Generator<{ path: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const put = (changed: unknown): unknown =>
      Array.isArray(value)
        ? value.map((item, at) => (String(at) === name ? changed : item))
        : { ...value, [name]: changed }
    const here = `${path}.${name}`
    for (const [index, other] of odd.entries()) yield { path: `${here} #${index}`, value: put(other) }
    for (const inner of changes(member, here)) yield { path: inner.path, value: put(inner.value) }
  }
}

/** Far too much of one thing, and the warning that says so, if something is left out. */
export const tooMuch: { readonly [what: string]: { text: () => string; warning?: string } } = {
  'a line of 2 MB': { text: () => line(header) + line({ kind: 'stderr', at: 1, text: 'x'.repeat(2_000_000) }) },
  'names of 2 MB': {
    text: () => {
      const [id, method, name] = ['i', 'm', 'n'].map((letter) => letter.repeat(500_000))
      const payload = { jsonrpc: '2.0', id, method, params: { name } }
      const info = { name: 's'.repeat(500_000), version: 'v' }
      return [
        line({ ...header, server: info, client: info, revision: 'r'.repeat(100_000) }),
        line({ kind: 'message', at: 1, from: 'client', payload }),
        line({ kind: 'message', at: 2, from: 'server', payload: { jsonrpc: '2.0', id, result: {} } }),
        line({ kind: 'http', at: 1, http: { id: 1, phase: 'request', method, url: name, headers: {} } }),
      ].join('')
    },
  },
  'a text of 101,000 lines': {
    text: () => line(header) + line({ kind: 'stderr', at: 1, text: 'x\n'.repeat(101_000) }),
    warning,
  },
  'a batch of 101,000': {
    text: () => `${line(header)}{"kind":"message","at":1,"from":"server","payload":[${'0,'.repeat(100_999)}0]}\n`,
    warning,
  },
  'methods that are all others': {
    text: () =>
      Array.from({ length: 1_000 }, (_, id) =>
        [
          line({ kind: 'message', at: 1, from: 'client', payload: { jsonrpc: '2.0', id, method: `m${id}` } }),
          line({ kind: 'message', at: 2, from: 'server', payload: { jsonrpc: '2.0', id, result: {} } }),
        ].join(''),
      ).reduce((all, one) => all + one, line(header)),
  },
}

/** A recording whose end is cut off, at each of some places. */
export function* cutFiles(): Generator<string> {
  const whole = nastySession()
  for (let end = 1; end < whole.length; end += 397) yield whole.slice(0, end)
}

export const refusedFiles: { readonly [what: string]: { text: string; problem: RegExp } } = {
  'more than a command takes': { text: 'x'.repeat(17 * 1024 * 1024), problem: /at most 16777216 bytes/ },
  'a line that nests without end': {
    text: `${line(header)}{"kind":"message","at":1,"from":"client","payload":${'['.repeat(1_000_000)}\n`,
    problem: /line 2: nests deeper than 256 levels/,
  },
  'a header that nests without end': { text: '['.repeat(1_000_000), problem: /line 1: nests deeper than 256 levels/ },
  'a time that no calendar has': {
    text: `${line(header)}{"kind":"note","at":1e300,"text":"x"}\n`,
    problem: /line 2: at: /,
  },
  'a time that is no number': {
    text: `${line(header)}{"kind":"note","at":1e999,"text":"x"}\n`,
    problem: /line 2: at: /,
  },
  'a header of another time': { text: '{"tenonSession":1,"at":-1e999}\n', problem: /line 1: at: / },
  'nothing at all': { text: '', problem: /text: |the file is empty/ },
}
