import { Misuse, runProgram, text } from '@tenon/server-kit'
import { createTimeServer } from './time-server.ts'
import { version } from './version.ts'
import { systemZone, tryZone } from './zones.ts'

await runProgram({
  name: 'tenon-time',
  version,
  summary: 'The time, time zones, differences and recurrences, for models.',
  settings: {
    localTimezone: text('The zone of the user (default: that of this machine)', { placeholder: 'ZONE' }),
  },
  examples: [
    ['tenon-time', 'Speak MCP on stdin and stdout'],
    ['tenon-time --local-timezone Europe/Berlin', 'Answer for a user in Berlin'],
  ],
  open(settings) {
    const given = settings.current.localTimezone
    const zone = given === undefined ? systemZone() : tryZone(given)
    if (zone === undefined)
      throw new Misuse(`--local-timezone: expected an IANA name, such as Europe/Berlin, got ${JSON.stringify(given)}`)
    return { server: createTimeServer({ localTimezone: zone, settings }) }
  },
})
