import { fileURLToPath } from 'node:url'

export const everything: string = fileURLToPath(
  new URL('../../../servers/everything/bin/everything.js', import.meta.url),
)

/** One of each kind of call, with every kind of expectation that holds. */
export const tour = `
tenonCalls: 1
title: A tour of everything
servers:
  everything:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(everything)}]
variables:
  two: 2
  words: { greeting: Grüße }
roots: [ 'file:///home/ada' ]
calls:
  - tool: add
    arguments: { a: 1, b: "\${two}" }
    expect:
      text: '{"sum":3}'
      count: 1
      at:
        content[0].type: text
        content[-1].text: { contains: '3', length: { below: 20 } }
      maxMs: 60000
    capture: { answer: text, whole: result }
  - name: what was captured is used
    tool: echo
    arguments: { message: "\${words.greeting}: \${answer} and $\${answer}" }
    expect:
      text: 'Grüße: \${answer} and $\${answer}'
    expectIn: {}
  - tool: divide
    arguments: { dividend: 1, divisor: 0 }
    expect: { isError: true, text: { matches: '/divisor IS/i' } }
  - tool: constructor
    expect: { error: { code: -32602, message: { startsWith: Unknown tool } } }
  - read: guide:///welcome
    expect: { count: 1, text: { contains: '#' }, at: { 'contents[0].mimeType': text/markdown } }
  - read: guide:///nothing
    expect: { error: true }
  - prompt: convert
    arguments: { quantity: length, from: km, to: mi }
    expect: { text: { startsWith: Convert a length of 1 km }, at: { 'messages[0].role': user } }
  - complete: { prompt: convert, argument: to, value: m, context: { quantity: length, from: km } }
    expect: { at: { values: { includes: [m, mi] } } }
  - list: tools
    expect: { count: { atLeast: 20 }, at: { names: { includes: [add, echo], excludes: [nothing] } } }
  - list: resources
    expect: { at: { names: { contains: welcome } } }
  - list: templates
    expect: { result: { items: [] }, count: { not: 0 } }
    skip: a list that is longer
  - list: prompts
    expect: { at: { items: { length: 4 } } }
  - tool: list_roots
    expect: { text: { contains: /home/ada } }
  - tool: summarize
    arguments: { text: hello }
    answers: [ { sample: In short, message: { contains: hello } } ]
    expect: { text: In short }
  - tool: plan_trip
    arguments: { destination: Lisbon }
    revisions: [ '2025-06-18', '2025-11-25', '2026-07-28' ]
    answers:
      - elicit: { accept: { traveller: Ada, email: ada@example.com, start: '2026-12-30', budget: 80 } }
        message: { contains: Lisbon }
    expect:
      schema: true
      structured: { destination: Lisbon, wishes: [steady, food] }
      structuredEquals:
        { destination: Lisbon, traveller: Ada, from: '2026-12-30', to: '2027-01-02', travelBy: train, cost: 240, wishes: [steady, food] }
  - request: { method: resources/templates/list }
    expect: { at: { 'result.resourceTemplates': { length: { above: 1 } } } }
`
