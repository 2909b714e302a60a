import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { describeMoment, momentSchema, momentText } from './moment.ts'
import { computes, type TimeContext, zoneOf, zoneText } from './time-context.ts'

export const currentTimeTool = (context: TimeContext): ServerTool =>
  tool({
    name: 'get_current_time',
    title: 'Current time',
    description: `Get current time in a specific timezone. Without one: in ${context.localZone()}, the zone of the user.`,
    annotations: computes,
    input: z.object({ timezone: zoneText('Time zone').optional() }),
    output: momentSchema,
    run({ timezone }) {
      const moment = describeMoment(context.now().toZonedDateTimeISO(zoneOf(timezone, context)))
      return new ToolResult({ content: momentText(moment), structured: moment })
    },
  })
