/**
 * The connections by which a node of a cluster gets the messages of others, as one text: the text differs after one of
 * them was made anew, and messages between that may have been lost.
 */
export function busLinks(reply: unknown): string {
  const links = Array.isArray(reply) ? reply.map(fieldsOf) : []
  const incoming = links.filter((link) => link.get('direction') === 'from')
  return incoming
    .map((link) => `${link.get('node')} ${link.get('create-time')}`)
    .sort()
    .join('\n')
}

/** Names and values take turns. */
function fieldsOf(list: unknown): Map<string, string> {
  const values = Array.isArray(list) ? list.map(String) : []
  return new Map(values.flatMap((name, index) => (index % 2 === 0 ? [[name, values[index + 1] ?? '']] : [])))
}
