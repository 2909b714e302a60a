import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { everything, onEverything, onTerminal, parsed, temporaryFolder, tenon } from './tenon.ts'

describe('without a terminal', () => {
  test('a question is declined, and said to be', async () => {
    expect(await onEverything(['call', 'cook_dinner', 'minutesMs=1'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "The server asks: How spicy?
      Declined, because there is no terminal to ask on; --elicit answers.
      ",
        "stdout": "Served: starter, main course, dessert
      ",
      }
    `)
  })

  test('a file answers forms, in order and by message, whatever the revision', async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, 'answers.json'),
      JSON.stringify([
        { message: 'no such question', content: { spicy: 'mild' } },
        { message: 'SPICY', action: 'accept', content: { spicy: 'hot', unknown: 1 } },
      ]),
    )
    for (const revision of ['2025-06-18', '2026-07-28']) {
      const args = ['call', 'cook_dinner', 'minutesMs=1', '--elicit', 'answers.json', '--revision', revision]
      expect(await onEverything(args, { cwd })).toEqual({
        code: 0,
        stdout: 'Served: starter, hot main course, dessert\n',
        stderr: '',
      })
    }
  })

  test('a form that the answers leave a gap in is declined with the name of the field', async () => {
    const answers = ['--elicit', '{"traveller": "Ada"}']
    expect(await onEverything(['call', 'plan_trip', 'destination=Oslo', ...answers])).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "The server asks: Tell me about your trip to Oslo
      Declined: --elicit has no value for "email"
      error: the tool returned an error
      ",
        "stdout": "The user does not want to plan this trip
      ",
      }
    `)
  })

  test('wrong answers are refused before a server is started', async () => {
    expect(await tenon(['call', 'x', '--elicit', '[1]', '--', 'no-such-program'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: --elicit: expected objects, got 1
      ",
        "stdout": "",
      }
    `)
  })

  test('a text or a document answers for the model', async () => {
    const outcome = await onEverything(['call', 'summarize', 'text=long', '--sample', 'Short.', '--json'])
    expect(parsed(outcome)).toMatchObject({ ok: true, result: { content: [{ type: 'text', text: 'Short.' }] } })
    const use = {
      content: { type: 'tool_use', id: '1', name: 'choose', input: { option: 'b' } },
      stopReason: 'toolUse',
    }
    const args = ['call', 'choose_with_model', 'question=?', 'options=a', 'options=b', '--sample', JSON.stringify(use)]
    expect(await onEverything(args)).toMatchObject({ code: 0, stdout: '{\n  "choice": "b"\n}\n' })
  })

  test('without an answer for the model the call fails and says what to do', async () => {
    expect(await onEverything(['call', 'summarize', 'text=long', '-q'])).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "error: The server wants a model to write something, and the answer was no
      hint: Run it on a terminal to write the answer yourself, or give one with --sample.
      ",
        "stdout": "",
      }
    `)
  })
})

describe('on a terminal', () => {
  test('a form is asked field by field, checked, and shown before it is sent', async () => {
    const { shown, code } = await onTerminal(['call', 'plan_trip', 'destination=Oslo', ...everything], {}, (terminal) =>
      dialogue(terminal, [
        ['Your name: ', '\r'],
        ['Your name is required', ''],
        // A paste is text: its line break sends nothing, and its control characters are no keys.
        ['Your name: ', '\u001b[200~Ada\u0003 L.\u001b[201~\r'],
        ['Your email (an email address): ', 'ada\r'],
        [/email"?, got|expected/, ''],
        ['Your email (an email address): ', 'ada@example.com\r'],
        ['A page about the place (a URL, optional): ', '\r'],
        ['First day (a date such as 2026-07-28): ', '2026-08-01\r'],
        ['Meeting time', '\r'],
        ['Nights (a whole number from 1 to 30) [3]: ', '31\r'],
        ['Nights (a whole number from 1 to 30) [3]: ', ':back\r'],
        ['Meeting time', '\r'],
        ['Nights', '2\r'],
        ['Budget per night (a number of at least 0, optional): ', '50\r'],
        ['My dates are flexible (y/n) [n]: ', 'y\r'],
        ['Pace [steady]: ', 'fast\r'],
        ['How to get around [By train]: ', '2\r'],
        ['Interests (several, with commas) [food]: ', 'mus\t'],
        ['music', ', 3\r'],
        ['Needs', '\r'],
        ['Send this? (Y)es, (e)dit, (d)ecline ', '\r'],
      ]),
    )
    expect(code).toBe(0)
    expect(bare(shown)).toContain('Everything (plan_trip) asks')
    expect(bare(shown)).toContain('"to": "2026-08-03"')
    expect(bare(shown)).toContain('"cost": 100')
    expect(bare(shown)).toMatch(/"fast",\s+"music",\s+"nature"/)
    expect(bare(shown)).toContain('"traveller": "Ada L."')
  })

  test('a form can be declined and left', async () => {
    const declined = await onTerminal(['call', 'plan_trip', 'destination=Oslo', ...everything], {}, (terminal) =>
      dialogue(terminal, [['Your name: ', ':decline\r']]),
    )
    expect(declined.shown).toContain('The user does not want to plan this trip')
    const left = await onTerminal(['call', 'plan_trip', 'destination=Oslo', ...everything], {}, (terminal) =>
      dialogue(terminal, [['Your name: ', '\u0004']]),
    )
    expect(left.shown).toContain('The user closed the form')
  })

  test('Ctrl-C at a question cancels the call', async () => {
    const { code, shown } = await onTerminal(['call', 'cook_dinner', 'minutesMs=1', ...everything], {}, (terminal) =>
      dialogue(terminal, [['spicy [medium]: ', '\u0003']]),
    )
    expect(code).toBe(130)
    expect(bare(shown)).toContain('error: Cancelled')
    // The terminal does not mark pastes any more.
    expect(shown.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(shown.lastIndexOf('\u001b[?2004h'))
  })

  test('what looks like a secret is asked for with a warning only, and never shown', async () => {
    const nosy = ['--', process.execPath, join(import.meta.dirname, 'fixtures/nosy.mjs')]
    const careful = await onTerminal(['call', 'log_in', ...nosy], {}, (terminal) =>
      dialogue(terminal, [['Go on all the same? (y/N) ', '\r']]),
    )
    expect(careful.shown).toContain('Careful: password looks like a secret.')
    expect(bare(careful.shown).trimEnd()).toMatch(/decline$/)
    const trusting = await onTerminal(['call', 'log_in', ...nosy], {}, (terminal) =>
      dialogue(terminal, [
        ['Go on all the same? (y/N) ', 'y\r'],
        ['User␛]0;owned␇: ', 'ada\r'],
        ['password: ', 'swordfish\r'],
        ['Send this?', '\r'],
      ]),
    )
    expect(bare(trusting.shown).trimEnd()).toMatch(/ada 9$/)
    expect(trusting.shown).not.toContain('swordfish')
    for (const command of ['\u001b]0;', '\u001b[2J', '\u001b[1A']) expect(trusting.shown).not.toContain(command)
  })

  test('a page is shown with its host and opened by nobody but the user', async () => {
    const { shown, code } = await onTerminal(['call', 'open_page', ...everything], {}, (terminal) =>
      dialogue(terminal, [
        ['Open it in the browser? (y/n)', '\r'],
        ['Type y or n', ''],
        ['Open it in the browser? (y/n)', 'n\r'],
      ]),
    )
    expect(code).toBe(5)
    expect(bare(shown)).toMatch(/https:\/\/example\.com\/\s+host example\.com/)
    expect(shown).toContain('The user did not open the page')
  })

  test('a person can write what a model is asked for', async () => {
    const { shown } = await onTerminal(['call', 'summarize', 'text=\u001b[31mlong', ...everything], {}, (terminal) =>
      dialogue(terminal, [
        ['user  ␛[31mlong', ''],
        ['> ', 'First\\\r'],
        ['… ', 'second\r'],
      ]),
    )
    expect(bare(shown)).toMatch(/First\r?\nsecond\s*$/)
    const choice = await onTerminal(
      ['call', 'choose_with_model', 'question=?', 'options=a', 'options=b', ...everything],
      {},
      (terminal) => dialogue(terminal, [['> ', ':use choose option=b\r']]),
    )
    expect(bare(choice.shown)).toContain('"choice": "b"')
  })
})
