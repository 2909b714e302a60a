// First of all: it takes the key out of the address before anything else looks at that.
import './state/key.ts'
import './styles/base.css'
import './styles/parts.css'
import './styles/shell.css'
import './styles/content.css'
import './styles/form.css'
import './styles/tools.css'
import './styles/apps.css'
import './styles/servers.css'
import './styles/kept.css'
import './styles/questions.css'
import './styles/timeline.css'
import './styles/palette.css'
import './styles/saved.css'
import './styles/compare.css'
import './styles/sessions.css'
import './styles/pairs.css'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { followEvents } from './state/store.ts'

followEvents()
createRoot(document.getElementById('root')!).render(<App />)
