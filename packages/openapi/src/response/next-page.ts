import { isObject, member } from '../document/json.ts'

/** Members of answers that name the next page, and parameters that take them. */
const tokens: readonly [member: RegExp, parameter: RegExp][] = [
  [/^next_?page_?token$/i, /^page_?token$/i],
  [/^(?:next_?cursor|end_?cursor)$/i, /^(?:cursor|after|next_?cursor)$/i],
  [/^next_?page$/i, /^page$/i],
  [/^next_?offset$/i, /^offset$/i],
  [/^continuation_?token$/i, /^continuation_?token$/i],
]
const containers = ['pagination', 'paging', 'meta', 'links', 'page_info', 'pageInfo', 'response_metadata']

/** The arguments that ask for the next page, as JSON; from the header `Link` or from the answer itself. */
export function nextPage(
  response: Response,
  data: unknown,
  argumentNames: ReadonlyMap<string, string>,
): string | undefined {
  const link = linkedNext(response.headers.get('link')) ?? linkIn(data)
  const found = link === undefined ? tokenIn(data, argumentNames) : fromLink(link, argumentNames)
  return Object.keys(found).length === 0 ? undefined : JSON.stringify(found)
}

const linkedNext = (header: string | null): string | undefined =>
  header?.slice(0, 10_000).match(/<([^<>]{1,2000})>[^,<]{0,200};\s*rel="?next"?/i)?.[1]

function linkIn(data: unknown): string | undefined {
  return places(data)
    .map((place) => member(place, 'next'))
    .map((next) => (isObject(next) ? member(next, 'href') : next))
    .find((next): next is string => typeof next === 'string' && /^(?:https?:\/)?\//.test(next))
}

const places = (data: unknown): unknown[] => [data, ...containers.map((name) => member(data, name))]

/** Those parameters of a link that the operation has. The link itself is not followed. */
function fromLink(link: string, argumentNames: ReadonlyMap<string, string>): { [name: string]: string } {
  if (!URL.canParse(link, 'http://service')) return {}
  const query = [...new URL(link, 'http://service').searchParams]
  return Object.fromEntries(
    query.flatMap(([name, value]) => (argumentNames.has(name) ? [[argumentNames.get(name)!, value]] : [])),
  )
}

function tokenIn(data: unknown, argumentNames: ReadonlyMap<string, string>): { [name: string]: unknown } {
  for (const place of places(data)) {
    if (!isObject(place)) continue
    for (const [name, value] of Object.entries(place)) {
      const [, parameter] = tokens.find(([word]) => word.test(name)) ?? []
      const argument = parameter && [...argumentNames.keys()].find((one) => parameter.test(one))
      if (argument !== undefined && (typeof value === 'number' || (typeof value === 'string' && value !== ''))) {
        return { [argumentNames.get(argument)!]: value }
      }
    }
  }
  return {}
}
