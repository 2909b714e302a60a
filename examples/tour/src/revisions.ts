import { type Client, connect, isRpcError, type Revision, revisions, type ToolCallResult } from '@tenon/sdk/client'
import { check } from './check.ts'
import { startHttpServer } from './http-server.ts'
import { printTable, row } from './print.ts'

const heading = ['revision', 'add', 'play_tone', 'write_note', 'wrong argument']

const expected: { [R in Revision]: string[] } = {
  '2024-11-05': ['text', 'text', 'text, text', 'error -32602'],
  '2025-03-26': ['text', 'audio', 'text, text', 'error -32602'],
  '2025-06-18': ['text + data', 'audio', 'text, resource_link', 'error -32602'],
  '2025-11-25': ['text + data', 'audio', 'text, resource_link', 'result, isError'],
  '2026-07-28': ['text + data', 'audio', 'text, resource_link', 'result, isError'],
}

/** Makes the same calls in every revision, and shows the results. */
export async function compareRevisions(): Promise<void> {
  await using http = await startHttpServer()
  row('server', http.url)
  const rows = await Promise.all(revisions.map((revision) => answersIn(http.url, revision)))
  printTable([heading, ...rows])
  for (const [revision, ...cells] of rows) check(`answers in ${revision}`, cells, expected[revision as Revision])
}

async function answersIn(url: string, revision: Revision): Promise<string[]> {
  await using client = await connect(url, { revisions: [revision] })
  check('revision in use', client.server.revision, revision)
  return [
    revision,
    kindsOf(await client.callTool('add', { a: 19, b: 23 })),
    kindsOf(await client.callTool('play_tone', { seconds: 0.1 })),
    kindsOf(await client.callTool('write_note', { title: 'greeting', text: 'Hello' })),
    await wrongArgument(client),
  ]
}

function kindsOf({ content, structured }: ToolCallResult): string {
  const kinds = content.map(({ type }) => type).join(', ')
  return structured === undefined ? kinds : `${kinds} + data`
}

async function wrongArgument(client: Client): Promise<string> {
  try {
    const { isError } = await client.callTool('add', { a: 'one', b: 2 })
    return isError ? 'result, isError' : 'accepted'
  } catch (error) {
    return isRpcError(error) ? `error ${error.code}` : String(error)
  }
}
