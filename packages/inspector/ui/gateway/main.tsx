// First of all: it takes the key out of the address before anything else looks at that.
import '../state/key.ts'
import '../styles/base.css'
import '../styles/parts.css'
import '../styles/shell.css'
import '../styles/content.css'
import '../styles/form.css'
import '../styles/controls.css'
import '../styles/gateway.css'
import { createRoot } from 'react-dom/client'
import { GatewayApp } from './gateway-app.tsx'
import { followTraffic } from './traffic.ts'

followTraffic()
createRoot(document.getElementById('root')!).render(<GatewayApp />)
