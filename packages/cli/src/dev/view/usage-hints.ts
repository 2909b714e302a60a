import type { Style } from '../../terminal/style.ts'
import { join, say, type TerminalText } from '../../terminal/text.ts'
import type { ServerSummary } from '../reloading-server.ts'
import { shortcutHelp } from './shortcuts.ts'

/** How the server can be used, ready to be pasted. */
export function usageHints(
  { name, tools }: ServerSummary,
  url: string,
  file: string,
  style: Style,
  hasKeys: boolean,
): TerminalText {
  const { bold, cyan, dim } = style
  const [tool] = tools
  const call = tool === undefined ? `tenon info ${url}` : `tenon call ${url} ${callOf(tool)}`
  const key = JSON.stringify(name)
  const lines = [
    '',
    say`  ${bold(url)}`,
    '',
    say`  ${cyan(call)}`,
    say`  ${dim('in .mcp.json:')} { "mcpServers": { ${key}: { "type": "http", "url": "${url}" } } }`,
    say`  ${dim('or as a program:')} { "command": "npx", "args": ["tenon", "dev", ${JSON.stringify(file)}] }`,
    '',
    ...(hasKeys ? [say`  ${shortcutHelp(style)}`, ''] : []),
  ]
  return join(lines, '\n')
}

/** A call with every required argument. */
function callOf({ name, inputSchema }: ServerSummary['tools'][number]): string {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
  return [name, ...required.map((argument) => `${argument}=…`)]
    .map((word) => (/[^\w.=…-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word))
    .join(' ')
}
