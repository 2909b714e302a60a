import { toolchains } from '../../lib/toolchains.mjs'

export const program = () => [...toolchains.python.program, 'stdio']
