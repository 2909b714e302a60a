import { reportUsage } from './report-usage.mjs'

reportUsage()
