import {
  ErrorCode,
  embed,
  image,
  prompt,
  type RequestContext,
  RpcError,
  type ServerPrompt,
  text,
} from '@tenon/sdk/server'
import { z } from 'zod'
import type { ClientState } from './client-state.ts'
import { colors, colorsLike, swatch, toHex } from './colors.ts'
import { squareIcon } from './icons.ts'
import { noteUri } from './notes.ts'
import { quantityNames, unitsLike } from './units.ts'

const introduce: ServerPrompt = prompt({
  name: 'introduce',
  title: 'Introduce this server',
  description: 'Has the model explain what can be done here',
  icons: [squareIcon([240, 160, 48])],
  meta: { 'dev.tenon/category': 'guide' },
  run: () => 'Read the resource guide:///welcome and tell me in three sentences what I can try here.',
})

const convertPrompt: ServerPrompt = prompt({
  name: 'convert',
  title: 'Convert a measure',
  description: 'Has the model convert a value, with the units completed to match each other',
  arguments: z.object({
    quantity: z.enum(quantityNames).describe('What is measured'),
    from: z.string().describe('The unit you have'),
    to: z.string().describe('The unit you want'),
    value: z.string().optional().describe('How many; 1 if left out'),
  }),
  // `quantity` is an enum, so it completes itself.
  complete: {
    from: (typed, { quantity }) => unitsLike(typed, { ...(quantity !== undefined && { quantity }) }),
    to: (typed, others) => unitsLike(typed, others),
  },
  run: ({ quantity, from, to, value = '1' }) =>
    `Convert a ${quantity} of ${value} ${from} to ${to}. Use the tool convert_units, and say what the result compares to.`,
})

const reviewNote: ServerPrompt<ClientState> = prompt({
  name: 'review_note',
  title: 'Review a note',
  description: 'Sends one of your notes along and asks for a better version',
  arguments: z.object({
    title: z.string().describe('The title of the note'),
    tone: z.enum(['friendly', 'formal', 'brief']).optional().describe('How it should sound'),
  }),
  complete: {
    title: (typed, _others, ctx: RequestContext<ClientState>) =>
      [...ctx.context.notes.keys()].filter((title) => title.startsWith(typed)),
  },
  run: ({ title, tone = 'friendly' }, { context: session }: RequestContext<ClientState>) => {
    const note = session.notes.get(title)
    if (note === undefined) throw new RpcError(ErrorCode.InvalidParams, `There is no note ${title}`)
    return [
      { role: 'user', content: text(`Rewrite this note in a ${tone} tone, and keep it as short as it is.`) },
      {
        role: 'user',
        content: embed({ uri: noteUri(session, title), mimeType: 'text/markdown', text: note.text }),
      },
    ]
  },
})

const nameThatColor: ServerPrompt = prompt({
  name: 'name_that_color',
  title: 'Name that colour',
  description: 'A conversation with an example, then a picture to answer about',
  arguments: z.object({ color: z.string().describe('A named colour') }),
  complete: { color: colorsLike },
  run: ({ color }) => {
    const rgb = colors.get(color)
    if (rgb === undefined) throw new RpcError(ErrorCode.InvalidParams, `There is no colour ${color}`)
    return {
      description: `Find the name of ${toHex(rgb)}`,
      messages: [
        { role: 'user', content: text('Which named colour is this?') },
        { role: 'user', content: image(swatch([255, 99, 71], 32), 'image/png') },
        { role: 'assistant', content: text('This is "tomato": mostly red, with some green and blue.') },
        { role: 'user', content: text('And this one?') },
        { role: 'user', content: image(swatch(rgb, 32), 'image/png') },
      ],
    }
  },
})

export const prompts: readonly ServerPrompt<ClientState>[] = [introduce, convertPrompt, reviewNote, nameThatColor]
