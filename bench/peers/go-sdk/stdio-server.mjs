import { toolchains } from '../../lib/toolchains.mjs'

export const program = () => [...toolchains.go.program, 'stdio']
