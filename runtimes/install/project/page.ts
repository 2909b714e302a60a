// The parts of the package that pages use.
import { mountApp } from '@tenon/sdk/apps/host'
import { connectToHost } from '@tenon/sdk/apps/view'
import { oauth } from '@tenon/sdk/auth'
import { connect } from '@tenon/sdk/client'
import { visible } from '@tenon/sdk/display'
import { skillsOf } from '@tenon/sdk/skills'
import { webSocketChannel } from '@tenon/sdk/websocket'

Object.assign(globalThis, { connect, connectToHost, mountApp, oauth, skillsOf, visible, webSocketChannel })
