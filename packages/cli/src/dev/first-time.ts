import { visibleLine } from '@tenon/sdk/display'
import type { Style } from '../terminal/style.ts'
import type { Ready } from './reloading.ts'

/** How the server can be used, ready to be pasted. */
export function firstTime(ready: Ready, url: string, file: string, style: Style, keys: boolean): string {
  const { bold, cyan, dim } = style
  const [tool] = ready.tools
  const call = tool === undefined ? `tenon info ${url}` : `tenon call ${url} ${callOf(tool)}`
  const name = JSON.stringify(ready.name)
  const lines = [
    '',
    `  ${bold(url)}`,
    '',
    `  ${cyan(visibleLine(call))}`,
    `  ${dim('in .mcp.json:')} ${visibleLine(`{ "mcpServers": { ${name}: { "type": "http", "url": "${url}" } } }`)}`,
    `  ${dim('or as a program:')} ${visibleLine(`{ "command": "npx", "args": ["tenon", "dev", ${JSON.stringify(file)}] }`)}`,
    '',
    ...(keys ? [`  ${keyHelp(style)}`, ''] : []),
  ]
  return lines.join('\n')
}

/** A call with everything that the tool needs. */
function callOf({ name, inputSchema }: Ready['tools'][number]): string {
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
  return [name, ...required.map((argument) => `${argument}=…`)]
    .map((word) => (/[^\w.=…-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word))
    .join(' ')
}

export const keyHelp = ({ bold, dim }: Style): string =>
  (
    [
      ['r', 'restart'],
      ['c', 'clear'],
      ['v', 'show messages'],
      ['o', 'workbench'],
      ['q', 'quit'],
    ] as const
  )
    .map(([key, what]) => `${bold(key)} ${dim(what)}`)
    .join('   ')
