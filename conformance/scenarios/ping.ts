import type { Scenario } from '../runner/script.ts'

export const ping: Scenario = {
  topic: 'ping',
  revisions: (revision) => revision !== '2026-07-28',
  play(script) {
    script.open()
    script.note('A ping is answered with an empty result.', 'ping.respond', 'rpc.response.same-id')
    script.request('ping')
    script.request('ping', undefined, { id: 'a string', meta: { 'com.example/trace': 'abc' } })
    script.note('The server pings too.', 'ping.either-side', 'rpc.direction.bidirectional-requests')
    script.call('ping_client')
    script.respond(1, {})
  },
}
