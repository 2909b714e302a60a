import type { ScriptedRule } from '@tenon/host/chat'

const help = `I am a script, not a model: I know a few questions. Ask

- **Will it rain in Bergen?** calls a tool that needs no consent
- **Remind me of the umbrella in Bergen** asks for your consent, and shows a form
- **Hour by hour?** after that reads a resource
- **Count the words of: to be or not to be** calls a tool of the server \`everything\`
- **Draw something** makes a picture

Type \`@weather:weather://bergen/hours\` in a message to send a resource along, or \`/weather.pack\` to use a prompt.`

const cityIn = String.raw`\b(Bergen|Lisbon|Sapporo)\b`

/** The answers of the model of `tenon chat --demo`. */
export const demoScript: readonly ScriptedRule[] = [
  {
    when: new RegExp(`(?:umbrella|remind).*${cityIn}`, 'is'),
    calls: [{ name: 'weather__remind', arguments: { city: '{1}' } }],
  },
  { after: 'weather__remind', result: /^A reminder/, text: 'Done: **{result}**.' },
  { after: 'weather__remind', text: 'Then I will not remind you. ({result})' },
  {
    when: /\[resource (\S+) of the server (\w+)\]/,
    text: 'You sent `{1}` of the server `{2}` along, and I have read it.',
  },
  {
    when: /hour/i,
    calls: [{ name: 'read_resource', arguments: { server: 'weather', uri: 'weather://bergen/hours' } }],
  },
  { after: 'read_resource', result: /failed/, text: 'Ask me about the weather in Bergen first: {result}' },
  { after: 'read_resource', text: 'This is the rain in steps of three hours:\n\n{result}' },
  {
    when: new RegExp(`(?:rain|weather|forecast|pack|take along).*${cityIn}`, 'is'),
    text: 'I look at the forecast.\n',
    calls: [{ name: 'weather__forecast', arguments: { city: '{1}' } }],
  },
  { after: 'weather__forecast', result: /\b0\.0 mm/, text: '**No**, leave the umbrella at home.' },
  { after: 'weather__forecast', result: / mm of rain/, text: '**Yes**: take an umbrella along.' },
  { after: 'weather__forecast', text: 'There is no forecast: {result}' },
  {
    when: /count the words of:?\s*(.+)/is,
    calls: [{ name: 'everything__text_statistics', arguments: { text: '{1}' } }],
  },
  { after: 'everything__text_statistics', result: /words/, text: 'The tool says `{result}`.' },
  { after: 'everything__text_statistics', text: 'I could not count them: {result}' },
  { when: /\bdraw\b/i, calls: [{ name: 'everything__draw_chart', arguments: { values: [3, 1, 4, 1, 5] } }] },
  { after: 'everything__draw_chart', text: 'There it is. {result}' },
  { when: /summar/i, text: 'A summary of a script is a script.' },
  { text: help },
]
