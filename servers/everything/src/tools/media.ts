import { audio, image, type ServerTool, text, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { colors } from '../colors.ts'
import { barChart } from '../media/chart.ts'
import { encodeTone } from '../media/wav.ts'

const drawChart: ServerTool = tool({
  name: 'draw_chart',
  title: 'Draw a bar chart',
  description: 'Draws numbers as a bar chart and returns it as a PNG image',
  input: z.object({
    values: z.array(z.number()).min(1).max(40),
    color: z.enum([...colors.keys()] as [string, ...string[]]).default('teal'),
  }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run: ({ values, color }) => [
    image(barChart(values, colors.get(color)!), 'image/png', { annotations: { audience: ['user'] } }),
    text(`${values.length} ${color} bars, from left to right: ${values.join(', ')}`, {
      annotations: { audience: ['assistant'] },
    }),
  ],
})

const playTone: ServerTool = tool({
  name: 'play_tone',
  title: 'Play a tone',
  description: 'Makes a sine tone and returns it as WAV audio',
  input: z.object({
    hertz: z.number().min(20).max(4_000).default(440),
    seconds: z.number().min(0.05).max(2).default(0.5),
  }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run: ({ hertz, seconds }) => audio(encodeTone(hertz, seconds), 'audio/wav'),
})

/** Tools whose answer is a picture or a sound. */
export const mediaTools: readonly ServerTool[] = [drawChart, playTone]
