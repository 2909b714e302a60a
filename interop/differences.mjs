// The known differences, with place and reason. An unknown difference fails the run, and so does one that is gone.

const officialClients = [
  'sdk-v0.5',
  'sdk-v1.0',
  'sdk-v1.5',
  'sdk-v1.11',
  'sdk-v1.17',
  'sdk-v1.24',
  'sdk-v1.32',
  'sdk-v2.4',
]

/** Transports that can deliver several messages in one read. */
const inOnePiece = ['stdio', 'stdio-2026', 'sse', 'websocket', 'bridge', 'bridge-2026']

/**
 * `where` names the places: members that a place leaves out match anything. `says` has to match the message, so that
 * another failure in the same place is noticed. `sometimes` is for differences that depend on the timing of bytes.
 */
export const differences = [
  {
    id: 'progress-with-result',
    title: 'Progress right before the result is lost',
    reason:
      'The official client forgets a call when its answer is read, and looks at notifications one step later: progress ' +
      'that arrives in one piece with the answer finds no call. Its own servers have the same experience with it ' +
      '(`--as sdk-v1.32 --only sdk-v1.32 --task late-progress`). mcp-proxy uses that client. That of the Go SDK handles notifications beside answers. ' +
      'Earlier progress arrives.',
    where: [
      { client: officialClients, server: 'tenon', transport: inOnePiece, task: 'late-progress' },
      { client: 'go-sdk', server: 'tenon', task: 'late-progress' },
      { server: ['mcp-proxy', 'mcp-proxy-2026'], task: 'late-progress' },
    ],
    says: /^20 reports before the result/,
    sometimes: true,
  },
  {
    id: 'cancelled-by-another-name',
    title: 'Cancelling ends the call on the client only',
    reason:
      'Version 0.5.0 sends `cancelled` instead of `notifications/cancelled`, so the server goes on. ' +
      'Version 1.0.4 sends the right one.',
    where: [{ client: 'sdk-v0.5', server: 'tenon', task: 'cancel' }],
    says: /^no end/,
  },
  {
    id: 'http-error-hides-code',
    title: 'An unknown method is an HTTP error without the code',
    reason:
      'In 2026-07-28 an unknown method is a 404 with -32601 in the body. The official client throws an error of its own ' +
      'for the status, with the body as text; it does so with its own server too.',
    where: [{ client: 'sdk-v2.4', server: 'tenon', transport: ['http-2026', 'bridge-2026'], task: 'unknown' }],
    says: /CLIENT_HTTP_NOT_IMPLEMENTED/,
  },
  {
    id: 'unknown-method-refused-as-text',
    title: 'An unknown method is refused with HTTP 400 and text',
    reason:
      'In a session over Streamable HTTP, the Go SDK refuses a method that it does not know before it is JSON-RPC to it: ' +
      'the answer has a status and a sentence, and no code. The official client sees the same.',
    where: [{ server: 'go-sdk', transport: 'http', task: 'unknown' }],
    says: /got "http"/,
  },
  {
    id: 'unknown-method-as-bad-params',
    title: 'An unknown method is refused with -32602',
    reason:
      'Version 1 of the Python SDK checks a request as a whole before it looks at its method. The official client sees the same.',
    where: [{ server: 'python-fastmcp-1', task: 'unknown' }],
    says: /expected -32601, got -32602/,
  },
  {
    id: 'object-object',
    title: 'The answer of the model is shown as `[object Object]`',
    reason:
      'The server turns the content into a string instead of its text. The question and the answer travel as they should.',
    where: [{ server: 'server-everything-2024', task: 'sampling' }],
    says: /\[object Object\]/,
  },
  {
    id: 'resumed-on-another-stream',
    title: 'Messages after a resumption are lost',
    reason:
      'The event store of the server answers a client that comes back with the id of an event where the SDK wants that of ' +
      'the stream. So old events arrive, and new ones go to a stream without a reader. The official client sees the same.',
    where: [{ server: 'server-everything', transport: 'http', task: 'resume' }],
    says: /^no end/,
  },
  {
    id: 'roots-before-initialize',
    title: 'Roots are never known',
    reason:
      'Over Streamable HTTP the server looks for the capabilities of the client before it has read `initialize`, gives up ' +
      'after a second, and never requests roots. The official client sees the same.',
    where: [{ server: 'fastmcp', transport: 'http', task: 'roots' }],
    says: /^no end/,
  },
  {
    id: 'session-not-begun-anew',
    title: 'A session that the server forgot is not begun anew',
    reason:
      'A client that gets 404 for its session has to begin another one (`http.session.client-reinitialises`). The official clients ' +
      'fail every call from then on, some of them with the connection that ended; their applications have to connect again.',
    where: [
      {
        client: [...officialClients, 'go-sdk', 'python-sdk'],
        server: 'tenon',
        transport: 'http',
        task: 'lost-session',
      },
    ],
    says: /404|Session not found|fetch failed/,
  },
  {
    id: 'one-after-the-other',
    title: 'A call cannot be released by another one',
    reason:
      'In a session over stdio, tmcp begins with a request when the one before it is done: a call that waits for another ' +
      'one waits forever. The official client sees the same.',
    where: [{ server: 'tmcp', transport: ['stdio', 'bridge'], task: 'progress' }],
    says: /^no end/,
  },
]
