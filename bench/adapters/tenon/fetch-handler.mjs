import { fetchHandler } from '@tenon/sdk/http'
import { definition } from './definition.mjs'

export const createHandler = () => fetchHandler(definition(), { allowedHosts: ['127.0.0.1'] })
