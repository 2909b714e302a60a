import { readFileSync } from 'node:fs'
import { connect } from '@tenon/sdk/client'
import { visible } from '@tenon/sdk/display'

const program = { name: 'program', about: '', target: '', tools: [] }

/** The command line is wrong: exit code 2. */
class UsageError extends Error {}

const print = (text, stream = process.stdout) => stream.write(`${stream.isTTY ? visible(text) : text}\n`)

/** The options that every command has. */
const common = [
  { flag: 'args', type: 'json', about: 'All arguments as JSON, or @file with them' },
  { flag: 'header', type: 'string', list: true, about: 'Send this header, "name: value", to a server at a URL' },
  { flag: 'json', type: 'boolean', about: 'Print the whole result as JSON' },
  { flag: 'help', type: 'boolean', about: 'Show this help' },
]

function overview() {
  const width = Math.max(...program.tools.map(({ command }) => command.length), 0)
  const lines = program.tools.map(({ command, about }) =>
    `  ${command.padEnd(width)}  ${about.split('\n')[0]}`.trimEnd(),
  )
  return `${program.about}\n\nUsage: ${program.name} <command> [options]\n\n${lines.join('\n')}\n\n${program.name} <command> --help says more about one of them.`
}

function helpOf({ command, about, options }) {
  const rows = [...options, ...common].map((option) => {
    const { flag, type, list, required, choices, about: text } = option
    const value = type === 'boolean' ? '' : ` <${choices ? choices.join('|') : type}>`
    const remarks = [...(required ? ['required'] : []), ...(list ? ['repeatable'] : [])]
    return [`--${flag}${value}`, `${text}${remarks.length > 0 ? ` (${remarks.join(', ')})` : ''}`.trim()]
  })
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
  return `${[about, `Usage: ${program.name} ${command} [options]`, lines.join('\n')].filter((part) => part !== '').join('\n\n')}`
}

/** The value of a text, by the type of its option. */
function parsedValue({ flag, type, choices }, text) {
  if (choices && !choices.includes(text)) throw new UsageError(`--${flag}: expected ${choices.join(', ')}, got ${text}`)
  if (type === 'string') return text
  if (type === 'number' || type === 'integer') {
    const number = Number(text)
    const fits = text.trim() !== '' && (type === 'integer' ? Number.isInteger(number) : Number.isFinite(number))
    if (fits) return number
    throw new UsageError(`--${flag}: expected ${type === 'integer' ? 'a whole number' : 'a number'}, got ${text}`)
  }
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new UsageError(`--${flag}: expected true or false, got ${text}`)
  }
  const json = flag === 'args' && text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`--${flag}: expected JSON: ${error.message}`)
  }
}

/** Reads `--flag value`, `--flag=value`, `--flag` and `--no-flag`. */
function parse(words, options) {
  const found = new Map()
  const known = new Map(options.map((option) => [option.flag, option]))
  for (let index = 0; index < words.length; index++) {
    const [, name, given] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(words[index]) ?? []
    if (name === undefined) throw new UsageError(`Expected an option, got ${words[index]}`)
    const off = known.has(name) ? undefined : known.get(name.replace(/^no-/, ''))
    const option = known.get(name) ?? (name.startsWith('no-') && off?.type === 'boolean' ? off : undefined)
    if (option === undefined) throw new UsageError(`Unknown option --${name}`)
    const isFlag = option.type === 'boolean' && !option.list && given === undefined
    if (!isFlag && given === undefined && index + 1 >= words.length) throw new UsageError(`--${name} needs a value`)
    const value = isFlag ? option.flag === name : parsedValue(option, given ?? words[++index])
    found.set(option.flag, option.list ? [...(found.get(option.flag) ?? []), value].flat() : value)
  }
  return found
}

/** The arguments of the tool. */
function argumentsOf({ options }, found) {
  const whole = found.get('args') ?? {}
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new UsageError('--args: expected an object')
  const given = options.filter(({ flag }) => found.has(flag)).map(({ name, flag }) => [name, found.get(flag)])
  const values = Object.fromEntries([...Object.entries(whole), ...given])
  const missing = options.filter(({ name, required }) => required && !Object.hasOwn(values, name))
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map(({ flag }) => `--${flag}`).join(', ')}`)
  return values
}

function headersOf(lines = []) {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? []
      if (name === undefined) throw new UsageError(`--header: expected "name: value", got ${line}`)
      return [name, value]
    }),
  )
}

const shown = (block) => {
  if (block.type === 'text') return block.text
  if (block.type === 'resource_link') return block.uri
  return block.type === 'resource' && 'text' in block.resource
    ? block.resource.text
    : `[${block.mimeType ?? block.type}]`
}

/** The text of a result, or its structured content if the text only repeats it. */
function resultText({ content, structured }) {
  const text = content.map(shown).join('\n')
  if (structured === undefined) return text
  try {
    if (text !== '' && JSON.stringify(JSON.parse(text)) !== JSON.stringify(structured)) return text
  } catch {
    return text
  }
  return JSON.stringify(structured, null, 2)
}

/** Runs a command line; answers the exit code. */
async function main([word, ...words]) {
  if (word === undefined || word === '--help' || word === 'help') {
    print(overview())
    return 0
  }
  const tool = program.tools.find(({ command }) => command === word)
  if (tool === undefined) throw new UsageError(`Unknown command ${word}; ${program.name} --help lists them`)
  const found = parse(words, [...tool.options, ...common])
  if (found.get('help')) {
    print(helpOf(tool))
    return 0
  }
  const values = argumentsOf(tool, found)
  const headers = headersOf(found.get('header'))
  const client = await connect(program.target, { ...(Object.keys(headers).length > 0 && { headers }) })
  try {
    const { content, structured, isError } = await client.callTool(tool.name, values)
    print(found.get('json') ? JSON.stringify({ content, structured, isError }) : resultText({ content, structured }))
    return isError ? 5 : 0
  } finally {
    await client.close()
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    print(`error: ${error.message}`, process.stderr)
    process.exitCode = error instanceof UsageError ? 2 : error.name === 'RpcError' ? 6 : 3
  },
)
