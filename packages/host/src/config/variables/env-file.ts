/** The variables of a `.env` file. Other lines are ignored; nothing is expanded. */
export function parseEnvFile(text: string): Map<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, name, value] = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/.exec(line.trim()) ?? []
    if (name !== undefined) variables.set(name, unquote(value!.trim()))
  }
  return variables
}

function unquote(value: string): string {
  const [, quote, inside] =
    /^(?:(")((?:[^"\\]|\\.)*)"|(')([^']*)'|(`)([^`]*)`)/.exec(value)?.filter((part) => part !== undefined) ?? []
  if (inside === undefined) return value.replace(/(?:^|\s)#.*$/, '').trimEnd()
  return quote === '"' ? inside.replace(/\\([nrt"\\])/g, (_, char: string) => escapes.get(char)!) : inside
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
])
