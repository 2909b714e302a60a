import type { Client } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { didYouMean } from '../../line/did-you-mean.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { showResource } from '../../show/content.ts'
import { safeName, saveBytes } from '../../show/media.ts'
import type { Surroundings } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'
import { readWords } from '../../values/argument-words.ts'
import { collect } from '../../values/find-by-name.ts'

export default command({
  name: 'read',
  summary: 'Read a resource',
  usage: ['<target> <uri>', '<target> <template> name=value…', '<uri> -- <program> [argument…]'],
  details: 'A URI template is filled in with the values that follow it.',
  examples: [
    { line: 'tenon read everything guide:///welcome', shows: 'a resource' },
    {
      line: "tenon read everything 'swatch:///{color}{?size}' color=teal size=32 > teal.png",
      shows: 'a template, into a file',
    },
  ],
  options: {
    output: { type: 'text', short: 'o', value: 'file', help: 'Save it as this file, or in this folder' },
    ...useOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, words }) => {
      const [written, ...values] = words
      if (written === undefined)
        throw usage('Expected the URI of a resource', '`tenon list <target> resources` lists them.')
      const { terminal, signal } = call
      const uri = written.includes('{')
        ? await filled(written, values, terminal.surroundings)
        : plainUri(written, values)
      const result = await terminal.activity.during(say`Reading ${uri}`, () =>
        client.readResource(uri, { signal }).catch(async (error: unknown) => {
          throw await withNearest(error, uri, client)
        }),
      )
      const { output } = call.options
      await call.result(result, async () => {
        for (const [index, contents] of result.contents.entries()) {
          const name = `${lastPart(uri)}${index === 0 ? '' : `-${index + 1}`}`
          if (output !== undefined) {
            const bytes = 'blob' in contents ? Buffer.from(contents.blob, 'base64') : contents.text
            terminal.note(say`Saved as ${await saveBytes(bytes, safeName(name), output, terminal)}`)
            continue
          }
          // One resource into a file or a program is that resource: bytes as bytes.
          if ('blob' in contents && !terminal.isRead && result.contents.length === 1) {
            terminal.bytes(Buffer.from(contents.blob, 'base64'))
          } else await showResource(contents, terminal, name, { option: '--output file' })
        }
      })
    }),
})

const lastPart = (uri: string): string => /([^/:?#]+)\/?(?:[?#].*)?$/.exec(uri)?.[1] ?? 'resource'

function plainUri(uri: string, values: readonly string[]): string {
  if (values.length === 0) return uri
  throw usage(
    `Expected nothing after ${uri}, got ${JSON.stringify(values[0])}`,
    'Values are for templates, such as notes:///{id}.',
  )
}

async function filled(template: string, values: readonly string[], surroundings: Surroundings): Promise<string> {
  const { parseUriTemplate } = await import('@tenon/sdk/uri-template')
  const parsed = parseUriTemplate(template)
  const { whole, assignments } = await readWords(values, surroundings)
  const given = new Map<string, unknown>(whole.flatMap((object) => Object.entries(object)))
  for (const assignment of assignments)
    given.set(assignment.key, 'text' in assignment ? assignment.text : assignment.value)
  for (const name of given.keys()) {
    if (parsed.variables.includes(name)) continue
    throw usage(
      `The template has no variable ${JSON.stringify(name)}`,
      didYouMean(name, parsed.variables) ?? `It has ${parsed.variables.join(', ')}.`,
    )
  }
  return parsed.expand(given as Parameters<typeof parsed.expand>[0])
}

/** A resource that is not there is often one letter away from one that is. */
async function withNearest(error: unknown, uri: string, client: Client): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== 'RpcError' || !/not found|unknown/i.test(error.message)) return error
  const resources = await collect(client.resources()).catch(() => [])
  const meant = didYouMean(
    uri,
    resources.map((resource) => resource.uri),
  )
  if (meant) error.message += `. ${meant}`
  return error
}
