import type { Server } from '@tenon/sdk/server'
import { type CommonSettings, createReferenceServer, fixedSettings, type LiveSettings } from '@tenon/server-kit'
import { Temporal } from 'temporal-polyfill'
import { convertTimeTool } from './convert-time.ts'
import { currentTimeTool } from './current-time.ts'
import { icon } from './icon.ts'
import { nextOccurrencesTool } from './next-occurrences.ts'
import { planMeeting } from './prompts.ts'
import type { TimeContext } from './time-context.ts'
import { timeDifferenceTool } from './time-difference.ts'
import { getTimezoneTool, listTimezonesTool, timezoneResource } from './timezones.ts'
import { version } from './version.ts'
import { systemZone } from './zones.ts'

export interface TimeServerOptions {
  /** The zone of the user. Default: that of this machine. */
  localTimezone?: string
  /** The clock, in milliseconds since 1970. Default: that of this machine. */
  now?: () => number
  settings?: LiveSettings<Pick<CommonSettings, 'readOnly' | 'confirm'>>
}

/** A server that knows the time; one definition for any number of clients. */
export function createTimeServer(options: TimeServerOptions = {}): Server {
  const {
    localTimezone = systemZone(),
    now = Date.now,
    settings = fixedSettings({ readOnly: false, confirm: false }),
  } = options
  const context: TimeContext = {
    now: () => Temporal.Instant.fromEpochMilliseconds(now()),
    localZone: () => localTimezone,
  }
  return createReferenceServer(
    {
      name: 'time',
      version,
      title: 'Time',
      description: 'The time, time zones, differences and recurrences',
      icons: [icon],
      instructions: `The user is in ${localTimezone}. Ask these tools instead of computing times: they know every clock change.`,
      tools: [
        currentTimeTool(context),
        convertTimeTool(context),
        timeDifferenceTool(context),
        nextOccurrencesTool(context),
        getTimezoneTool(context),
        listTimezonesTool(context),
      ],
      resources: [timezoneResource(context)],
      prompts: [planMeeting(context)],
    },
    settings,
  )
}
