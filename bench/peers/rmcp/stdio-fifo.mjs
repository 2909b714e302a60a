import { toolchains } from '../../lib/toolchains.mjs'

export const program = () => [...toolchains.rust.program, 'stdio-pipes']
