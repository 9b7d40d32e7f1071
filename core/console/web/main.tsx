import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/fields.css'
import './styles/layout.css'
import './styles/command.css'
import './styles/tables.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { applyAppearance } from './session/appearance.ts'
import { announceNewVersion } from './shell/new-version.ts'
import { loadWords } from './words/words.ts'

applyAppearance()
await loadWords()
const root = document.getElementById('app')
if (root) render(<App />, root)
announceNewVersion()
