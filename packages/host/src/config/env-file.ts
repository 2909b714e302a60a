/** The variables of a `.env` file. Lines that are no assignment say nothing; nothing is expanded. */
export function parseEnvFile(text: string): Map<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) variables.set(name, unquote(value!))
  }
  return variables
}

function unquote(value: string): string {
  const [, quote, inside] = /^(["'`])(.*?)(?<!\\)\1\s*(?:#.*)?$/.exec(value) ?? []
  if (inside === undefined) return value.replace(/(?:^|\s+)#.*$/, '')
  return quote === '"' ? inside.replace(/\\([nrt"\\])/g, (_, char: string) => escapes.get(char)!) : inside
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
])
