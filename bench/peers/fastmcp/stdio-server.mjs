import { definition } from './definition.mjs'

await definition().start({ transportType: 'stdio' })
