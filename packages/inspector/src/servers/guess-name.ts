/** Programs that run a package, which is the first word that is no option. */
const packageRunners: ReadonlySet<string> = new Set(['npx', 'bunx', 'uvx', 'pipx', 'pnpx'])
/** Programs that run a script. */
const scriptRunners = /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|py|ruby|php|perl|sh|bash|zsh|uv)$/
/** Words between a program and the script or package that it runs. */
const commands: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool'])
/** Names of scripts and folders that say nothing about a server. */
const plain = /^(?:index|main|server|cli|app|start|__main__|dist|build|src|bin|lib|out)$/

/** A name for a program before it was ever connected: its package or script. */
export function guessCommandName(command: string, args: readonly string[]): string {
  const program = lastPart(command).replace(/\.(?:exe|cmd|bat)$/i, '')
  const words = args.filter((word) => !commands.has(word))
  const module = args[args.indexOf('-m') + 1]
  if (args.includes('-m') && module !== undefined) return module
  const word = words.find((one) => !one.startsWith('-'))
  if (word === undefined) return program || 'server'
  const isPackage =
    packageRunners.has(program) || ((program === 'npm' || program === 'pnpm') && words.length < args.length)
  if (isPackage) return packageName(word) || program
  return scriptRunners.test(program) ? scriptName(word) || program : program || 'server'
}

/** A name for a URL: its host, and its path unless all servers have that one. */
export function guessUrlName(url: string): string {
  if (!URL.canParse(url)) return 'server'
  const { host, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  return path === '' || path === '/mcp' ? host : `${host}${path}`
}

/** `@scope/server-files@1.2.3` is server-files. */
const packageName = (word: string): string => lastPart(word.replace(/(?<=.)@[^/@]*$/, ''))

/** `/srv/weather/dist/index.js` is weather. */
function scriptName(path: string): string {
  const parts = path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.' && part !== '..')
  const bare = (part: string): string => part.replace(/\.(?:[cm]?[jt]sx?|py|rb|php|pl|sh)$/i, '')
  const telling = parts.findLast((part) => !plain.test(bare(part)))
  const last = bare(parts.at(-1) ?? '')
  return telling === undefined || plain.test(last) === false ? last : bare(telling)
}

const lastPart = (path: string): string => path.split(/[/\\]/).at(-1) ?? ''
