import { type Client, connect, isRpcError, type Tool } from '@tenon/sdk/client'
import { answerAsModel, cannedSummary, fillInForm } from './answers.ts'
import { check, checksDone } from './check.ts'
import { bold, cyan, data, printLine, progressBar, received, row, section, sent } from './print.ts'
import { compareRevisions } from './revisions.ts'
import { everything } from './server.ts'

async function meetServer({ server }: Client): Promise<void> {
  section('A client starts a server and gets to know it')
  row('server', `${server.info?.name} ${server.info?.version}, in a process of its own`)
  row('revision', server.revision)
  row('offers', Object.keys(server.capabilities).join(', '))
  check('revision', server.revision, '2025-11-25')
}

async function listTools(client: Client): Promise<void> {
  section('It lists the tools, page by page')
  const tools: Tool[] = []
  for await (const tool of client.tools()) tools.push(tool)
  const shown = ['add', 'draw_chart', 'count_primes', 'plan_trip', 'summarize', 'clock_now']
  for (const { name, description = '' } of tools.filter((tool) => shown.includes(tool.name))) row(name, description)
  row('…', `${tools.length} tools in all`)
  check('tools on more than one page', tools.length > 20, true)
}

async function callTool(client: Client): Promise<void> {
  section('It calls one and gets data back, checked against its schema')
  const marathon = { value: 42.195, from: 'km', to: 'mi' }
  sent(`convert_units ${data(marathon)}`)
  const { structured } = await client.callTool('convert_units', marathon)
  received(data(structured))
  check('a marathon in miles', structured, { value: 26.2187574565, unit: 'mi' })
}

async function watchProgress(client: Client): Promise<void> {
  section('A longer job reports its progress')
  sent('count_primes { below: 5000000 }')
  const show = progressBar()
  let reports = 0
  const { structured } = await client.callTool(
    'count_primes',
    { below: 5_000_000 },
    {
      onProgress: ({ progress, total = 1, message = '' }) => {
        reports++
        show(progress, total, message)
      },
    },
  )
  received(data(structured))
  check('primes below five million', structured, { primes: 348_513 })
  check('progress reports', reports, 20)
}

async function answerQuestion(client: Client): Promise<void> {
  section('A tool asks the user something while it runs')
  sent('plan_trip { destination: "Lisbon" }')
  const { structured } = await client.callTool<{ from: string; to: string }>('plan_trip', { destination: 'Lisbon' })
  received(data({ from: structured?.from, to: structured?.to }))
  check('last day', structured?.to, '2026-10-04')
}

async function lendModel(client: Client): Promise<void> {
  section('A tool borrows the model of the client')
  sent('summarize { text: "A tenon is the part of a joint…" }')
  const text = 'A tenon is the part of a joint that fits exactly into its counterpart, the mortise.'
  const result = await client.callTool('summarize', { text })
  received(`"${result.text}"`)
  check('summary', result.text, cannedSummary)
}

async function readResources(client: Client): Promise<void> {
  section('Resources are read by URI: text, or bytes')
  const boiling = 'conversion:///temperature/C/F?value=100'
  sent(boiling)
  const [conversion] = (await client.readResource(boiling)).contents
  const text = conversion && 'text' in conversion ? conversion.text : ''
  received(`${conversion?.mimeType}: ${text}`)
  check('water boils', text, '{"value":212,"unit":"F"}')

  sent('swatch:///teal')
  const [swatch] = (await client.readResource('swatch:///teal')).contents
  const bytes = swatch && 'blob' in swatch ? Buffer.from(swatch.blob, 'base64') : Buffer.alloc(0)
  received(`${swatch?.mimeType}: ${bytes.length} bytes`)
  check('signature of a PNG file', bytes.toString('latin1', 1, 4), 'PNG')
}

async function completeArgument(client: Client): Promise<void> {
  section('Arguments of prompts complete themselves, given the others')
  const known = { quantity: 'length', from: 'km' }
  const { values } = await client.complete(
    { type: 'ref/prompt', name: 'convert' },
    { name: 'to', value: '' },
    { context: { arguments: known } },
  )
  sent(`convert ${data({ ...known, to: '…' })}`)
  received(values.join(', '))
  check('units of length', values, ['m', 'cm', 'in', 'ft', 'mi'])
}

async function seeErrors(client: Client): Promise<void> {
  section('Errors say who should read them')
  sent('divide { dividend: 1, divisor: 0 }')
  const division = await client.callTool('divide', { dividend: 1, divisor: 0 })
  received(`for the model: ${division.text}`)
  sent('crash')
  const crash = await client.callTool('crash')
  received(`for the operator, by id: ${crash.text}`)
  sent('no_such_tool')
  const unknown = await client.callTool('no_such_tool').catch((error: unknown) => error)
  received(`for the program: ${isRpcError(unknown) ? `${unknown.code} ${unknown.message}` : unknown}`)
  check('errors of tools', [division.isError, crash.isError], [true, true])
  check('what leaks from a crash', crash.text.replace(/\w{8}\)$/, '…)'), 'Internal error (id …)')
  check('unknown tool', isRpcError(unknown) && unknown.code, -32602)
}

const steps = [
  ...[meetServer, listTools, callTool, watchProgress, answerQuestion, lendModel],
  ...[readResources, completeArgument, seeErrors],
]

async function tour(): Promise<void> {
  printLine(bold('Tenon in ten steps: a client talks to the everything server'))
  // The newest revision in which a server may ask back on the same connection; step ten visits the others.
  const client = await connect(everything, {
    revisions: ['2025-11-25'],
    info: { name: 'tour', version: '1.0.0' },
    elicit: { form: fillInForm },
    sample: answerAsModel,
  })
  try {
    for (const step of steps) await step(client)
  } finally {
    await client.close()
  }
  section('The same calls over HTTP, in every revision of the protocol')
  await compareRevisions()
  printLine(`\n${bold('Done')}, and ${checksDone()} facts checked on the way. Read next:`)
  printLine(`  ${cyan('README.md')}                a server and a client of your own`)
  printLine(`  ${cyan('servers/everything/src')}   how each of these features is written`)
  printLine(`  ${cyan('examples/tour/src')}        this tour`)
}

try {
  await tour()
} catch (error) {
  process.stderr.write(`\nThe tour ended early. ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
