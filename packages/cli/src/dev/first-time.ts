import type { Style } from '../terminal/style.ts'
import { join, say, type TerminalText } from '../terminal/text.ts'
import type { Ready } from './reloading.ts'

/** How the server can be used, ready to be pasted. */
export function firstTime(ready: Ready, url: string, file: string, style: Style, hasKeys: boolean): TerminalText {
  const { bold, cyan, dim } = style
  const [tool] = ready.tools
  const call = tool === undefined ? `tenon info ${url}` : `tenon call ${url} ${callOf(tool)}`
  const name = JSON.stringify(ready.name)
  const lines = [
    '',
    say`  ${bold(url)}`,
    '',
    say`  ${cyan(call)}`,
    say`  ${dim('in .mcp.json:')} { "mcpServers": { ${name}: { "type": "http", "url": "${url}" } } }`,
    say`  ${dim('or as a program:')} { "command": "npx", "args": ["tenon", "dev", ${JSON.stringify(file)}] }`,
    '',
    ...(hasKeys ? [say`  ${keyHelp(style)}`, ''] : []),
  ]
  return join(lines, '\n')
}

/** A call with everything that the tool needs. */
function callOf({ name, inputSchema }: Ready['tools'][number]): string {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
  return [name, ...required.map((argument) => `${argument}=…`)]
    .map((word) => (/[^\w.=…-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word))
    .join(' ')
}

const keys = new Map([
  ['r', 'restart'],
  ['c', 'clear'],
  ['v', 'show messages'],
  ['o', 'workbench'],
  ['q', 'quit'],
])

export const keyHelp = ({ bold, dim }: Style): TerminalText =>
  join(
    [...keys].map(([key, what]) => say`${bold(key)} ${dim(what)}`),
    '   ',
  )
