import {
  type RequestContext,
  type Resource,
  resource,
  resourceTemplate,
  type ServerResource,
  type ServerResourceTemplate,
} from '@tenon/sdk/server'
import { fileUri } from './file-uri.ts'
import type { KeptFile } from './session/kept-files.ts'
import type { Lease } from './session/lease.ts'
import type { Session } from './session/session.ts'
import type { Sessions } from './session/sessions.ts'
import { consoleText, networkText } from './tools/journals.ts'

export const consoleUri = 'console://logs'
export const networkUri = 'network://requests'

type Context = RequestContext<Lease>

/** The console, the requests, screenshots and PDFs of the caller's session. */
export function browserResources(sessions: Sessions): (ServerResource<Lease> | ServerResourceTemplate<Lease>)[] {
  const own = (ctx: Context, id?: string): Session | undefined => sessions.find(ctx.caller, id)
  return [
    resource({
      uri: consoleUri,
      name: 'Browser console logs',
      title: 'Console',
      description:
        'Lines that the pages of the session wrote to the console, with errors and dialogs; the latest 1,000',
      mimeType: 'text/plain',
      read: (_request, ctx: Context) => {
        const session = own(ctx)
        return session === undefined ? '' : consoleText(session)
      },
    }),
    resource({
      uri: networkUri,
      name: 'Browser requests',
      title: 'Network',
      description: 'Requests of the pages of the session, with those that were refused, as JSON; the latest 1,000',
      mimeType: 'application/json',
      read: (_request, ctx: Context) => {
        const session = own(ctx)
        return session === undefined ? '[]' : networkText(session)
      },
    }),
    journalOf('console://logs{?session}', 'console-of', 'Console, by session', 'text/plain', own, consoleText),
    journalOf(
      'network://requests{?session}',
      'network-of',
      'Network, by session',
      'application/json',
      own,
      networkText,
    ),
    filesOf('screenshot://{name}{?session}', 'screenshot', 'Screenshot', 'image/png', own),
    filesOf('pdf://{name}{?session}', 'pdf', 'PDF of a page', 'application/pdf', own),
  ]
}

type Find = (ctx: Context, id?: string) => Session | undefined

const journalOf = (
  uriTemplate: string,
  name: string,
  title: string,
  mimeType: string,
  find: Find,
  textOf: (session: Session) => string,
): ServerResourceTemplate<Lease> =>
  resourceTemplate({
    uriTemplate,
    name,
    title,
    description: 'For clients whose requests do not belong to a connection: with the "session" of a result',
    mimeType,
    read: ({ variables }, ctx: Context) => {
      const session = find(ctx, (variables as { session?: string }).session)
      return session && textOf(session)
    },
  })

function filesOf(
  uriTemplate: 'screenshot://{name}{?session}' | 'pdf://{name}{?session}',
  kind: string,
  title: string,
  mimeType: KeptFile['mimeType'],
  find: Find,
): ServerResourceTemplate<Lease> {
  const filesIn = (ctx: Context): KeptFile[] =>
    find(ctx)
      ?.files.all()
      .filter((file) => file.mimeType === mimeType) ?? []
  const listed = ({ name, data }: KeptFile): Resource => ({
    uri: fileUri(mimeType, name),
    name: `${title}: ${name}`,
    mimeType,
    size: data.length,
  })
  return resourceTemplate({
    uriTemplate,
    name: kind,
    title,
    description: `A ${kind === 'pdf' ? 'PDF' : kind} that was made in the session, by its name; the latest 50 are kept`,
    mimeType,
    complete: {
      name: (typed: string, _others: unknown, ctx: Context) =>
        filesIn(ctx)
          .map(({ name }) => name)
          .filter((name) => name.startsWith(typed)),
    },
    list: (ctx: Context) => filesIn(ctx).map(listed),
    read: ({ variables: { name, session } }, ctx: Context) => find(ctx, session)?.files.find(mimeType, name)?.data,
  })
}
